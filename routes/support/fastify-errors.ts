import type { FastifyError } from 'fastify'
import { toGatewayError } from '../../src/call/to-gateway-error.ts'
import { likelyMembers } from '../../src/cards/likely-members.ts'
import { describeSchemaErrors } from '../../src/cards/validate.ts'
import type { FieldProblem } from '../../src/model/card.ts'
import { type ErrorCode, GatewayError } from '../../src/model/errors.ts'

/**
 * Errors with which Fastify refuses a request before its handler runs: our code, what the caller should do, and the part of
 * the request to change.
 */
const REFUSALS: Readonly<Record<string, readonly [ErrorCode, string, string]>> = {
  FST_ERR_CTP_BODY_TOO_LARGE: [
    'TOO_LARGE',
    'The body is larger than this gateway accepts. Send less.',
    'body',
  ],
  FST_ERR_CTP_INVALID_MEDIA_TYPE: [
    'VALIDATION',
    'Send the body as "Content-Type: application/json".',
    'content-type',
  ],
  FST_ERR_CTP_EMPTY_JSON_BODY: [
    'VALIDATION',
    'The body is empty. Send a JSON object, such as {}.',
    'body',
  ],
  FST_ERR_CTP_INVALID_CONTENT_LENGTH: [
    'VALIDATION',
    'Content-Length does not match the body.',
    'content-length',
  ],
  FST_ERR_BAD_URL: ['VALIDATION', 'The percent-encoding of the path is invalid.', 'path'],
  FST_ERR_MAX_PARAM_LENGTH: ['VALIDATION', 'A part of the path is too long.', 'path'],
}

/**
 * Turns an error of the framework, or of a handler, into one of ours.
 * @param query the names of the parameters that the endpoint has
 */
export function fromFastify(error: FastifyError, query: readonly string[] = []): GatewayError {
  if (error.validation) return fromValidation(error, query)
  const refusal = REFUSALS[error.code]
  if (refusal) {
    const [code, message, path] = refusal
    const status = error.statusCode ?? 400
    const details = { fields: [{ path, message }] }
    return new GatewayError(code, message, { source: 'caller', status, details, cause: error })
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
      details: { fields: [{ path: 'body', message: error.message }] },
      cause: error,
    })
  }
  return toGatewayError(error)
}

function fromValidation(
  { validation = [], validationContext }: FastifyError,
  query: readonly string[],
): GatewayError {
  const isQuery = validationContext === 'querystring'
  const advise: Parameters<typeof describeSchemaErrors>[1] = (problem, { keyword }) =>
    isQuery && keyword === 'additionalProperties' && query.length > 0
      ? { ...problem, message: `${problem.message}. ${adviceOn(problem.path, query)}` }
      : problem
  const fields: readonly FieldProblem[] = describeSchemaErrors(validation as never, advise)
  const list = fields.map(({ path, message }) => `${path ? `"${path}" ` : ''}${message}`).join('; ')
  const part = validationContext ?? 'request'
  const message = `The ${part} is not valid: ${list}${/[.?]$/.test(list) ? '' : '.'}`
  return new GatewayError('VALIDATION', message, {
    source: 'caller',
    details: { fields },
  })
}

/** The parameter that was likely meant. */
function adviceOn(unknown: string, names: readonly string[]): string {
  const likely = likelyMembers(unknown, { names, required: [], given: [], upstreamNames: NONE })
  if (likely.length > 0) return `Did you mean ${likely.join(' or ')}?`
  return `This endpoint has: ${names.join(', ')}.`
}

const NONE: ReadonlyMap<string, string> = new Map()
