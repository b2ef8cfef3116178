import type { FastifyError, FastifyReply, FastifyRequest } from 'fastify'
import plugin from 'fastify-plugin'
import type { Refused } from '../../src/call/refusals.ts'
import { toGatewayError } from '../../src/call/to-gateway-error.ts'
import { describeSchemaError } from '../../src/cards/validate.ts'
import type { FieldProblem } from '../../src/model/card.ts'
import { type ErrorCode, GatewayError } from '../../src/model/errors.ts'
import type { Knowledge } from '../../src/render/render.ts'
import { failure, sendAnswer } from './answer.ts'
import { readPresentationLeniently } from './presentation.ts'

export interface FailuresOptions {
  readonly knowledge: Knowledge
  /** Told of calls that never reach the pipeline, which records all others. */
  readonly onRefused?: (refused: Refused) => void
}

const CALL = /^POST \/v1\/(?:capabilities\/([^/?]+)|batch)(?:\?|$)/

/** Turns every error and every unknown path into an answer, told as the caller wants it where that is known. */
export const failures = plugin<FailuresOptions>(
  (app, { knowledge, onRefused }, done) => {
    app.setErrorHandler((error: FastifyError | GatewayError, request, reply) => {
      const told = error instanceof GatewayError ? error : fromFastify(error)
      if (told.code === 'UNKNOWN')
        request.log.error({ reqId: request.id, err: error }, 'handler failed')
      const call = CALL.exec(`${request.method} ${request.url}`)
      if (call) {
        const [, capability = null] = call
        const caller = request.caller?.name ?? null
        const { traceparent } = request.headers
        onRefused?.({
          caller,
          capability,
          traceparent: typeof traceparent === 'string' ? traceparent : null,
          answer: failure(request, told),
        })
      }
      return sendFailure(knowledge, request, reply, told)
    })
    app.setNotFoundHandler((request, reply) =>
      sendFailure(knowledge, request, reply, notFound(request)),
    )
    done()
  },
  { name: 'failures', dependencies: ['request-context'] },
)

/** For requests that Fastify refuses before any hook: a malformed path, above all. */
export function frameworkErrors(knowledge: Knowledge) {
  return (error: FastifyError, request: FastifyRequest, reply: FastifyReply): void => {
    request.startedAt = performance.now()
    reply.header('x-request-id', request.id)
    void sendFailure(knowledge, request, reply, fromFastify(error))
  }
}

function sendFailure(
  knowledge: Knowledge,
  request: FastifyRequest,
  reply: FastifyReply,
  error: GatewayError,
): FastifyReply {
  const presentation = readPresentationLeniently(request)
  return sendAnswer(reply, knowledge, failure(request, error), presentation)
}

/** What Fastify refuses before a handler runs: code, and what the caller should do. */
const REFUSALS: Readonly<Record<string, readonly [ErrorCode, string]>> = {
  FST_ERR_CTP_BODY_TOO_LARGE: [
    'TOO_LARGE',
    'The body is larger than this gateway takes. Send less.',
  ],
  FST_ERR_CTP_INVALID_MEDIA_TYPE: [
    'VALIDATION',
    'Send the body as "Content-Type: application/json".',
  ],
  FST_ERR_CTP_EMPTY_JSON_BODY: [
    'VALIDATION',
    'The body is empty. Send a JSON object, or leave Content-Type out.',
  ],
  FST_ERR_CTP_INVALID_CONTENT_LENGTH: ['VALIDATION', 'Content-Length does not match the body.'],
  FST_ERR_BAD_URL: ['VALIDATION', 'The path is not validly percent-encoded.'],
  FST_ERR_MAX_PARAM_LENGTH: ['VALIDATION', 'A part of the path is too long.'],
}

function fromFastify(error: FastifyError): GatewayError {
  if (error.validation) return fromValidation(error)
  const refusal = REFUSALS[error.code]
  if (refusal) {
    const [code, message] = refusal
    return new GatewayError(code, message, {
      source: 'caller',
      status: error.statusCode ?? 400,
      cause: error,
    })
  }
  if (error.statusCode === 503) {
    return new GatewayError('SERVER', 'The gateway is shutting down. Try again.', {
      status: 503,
      retryAfterMs: 1000,
    })
  }
  if (error.statusCode !== undefined && error.statusCode < 500) {
    return new GatewayError('VALIDATION', `The request cannot be read: ${error.message}.`, {
      source: 'caller',
      cause: error,
    })
  }
  return toGatewayError(error)
}

function fromValidation({ validation = [], validationContext: where }: FastifyError): GatewayError {
  const fields: FieldProblem[] = validation.map(fault => describeSchemaError(fault as never))
  const told = fields.map(({ path, message }) => `${path ? `"${path}" ` : ''}${message}`).join('; ')
  return new GatewayError('VALIDATION', `The ${where ?? 'request'} is not valid: ${told}.`, {
    source: 'caller',
    details: { fields },
  })
}

function notFound({ method, url }: FastifyRequest): GatewayError {
  const [path = ''] = url.split('?')
  return new GatewayError(
    'NOT_FOUND',
    `There is no ${method} ${path.slice(0, 200)}. Capabilities are run with POST /v1/capabilities/{id}; /openapi.json lists every endpoint.`,
    { source: 'caller' },
  )
}
