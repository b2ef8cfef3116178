import type { FastifyError, FastifyReply, FastifyRequest } from 'fastify'
import plugin from 'fastify-plugin'
import { mayCall } from '../../src/access/permission.ts'
import type { Calls } from '../../src/call/calls.ts'
import type { Caller } from '../../src/model/caller.ts'
import type { Card } from '../../src/model/card.ts'
import type { Answer } from '../../src/model/envelope.ts'
import { GatewayError } from '../../src/model/errors.ts'
import { ownTraceId } from '../../src/model/trace-context.ts'
import type { Knowledge } from '../../src/render/render.ts'
import { failure, sendAnswer } from './answer.ts'
import { fromFastify } from './fastify-errors.ts'
import { isLostVisit, sendLostPage } from './lost-page.ts'
import { readPresentationLeniently } from './presentation.ts'
import { beginRequest } from './request-context.ts'

declare module 'fastify' {
  interface FastifyContextConfig {
    /** The route runs one capability (its parameter `id`) or a batch, so the journal keeps its refusals. */
    readonly call?: 'capability' | 'batch'
  }
}

export interface FailuresOptions {
  readonly knowledge: Knowledge
  /** Records calls that never reach the pipeline, which records all others. @default no record */
  readonly recordRefusal?: Calls['recordRefusal']
  /** Whether each call has a trace. @default false */
  readonly isTraced?: boolean
  /** Called for requests to other endpoints. @default no call */
  readonly onRefused?: (answer: Answer, caller: string | null, path: string | null) => void
}

/**
 * Answers every error and every unknown path with an envelope, in the caller's dialect if it can be read. A person who opens an
 * unknown path in a browser gets a page.
 */
export const failures = plugin<FailuresOptions>(
  (app, { knowledge, recordRefusal, isTraced = false, onRefused }, done) => {
    app.setErrorHandler((thrown: FastifyError | GatewayError, request, reply) => {
      const error =
        thrown instanceof GatewayError ? thrown : fromFastify(thrown, parametersOf(request))
      // The refusal gets a span below.
      if (isTraced && request.routeOptions.config.call === 'capability')
        request.traceId ??= ownTraceId(request.id)
      if (error.code === 'UNKNOWN') logBug(request, thrown)
      const call = describeCall(request)
      const answer = failure(request, error, namedCard(knowledge, request, call.capability))
      const { config, url = null } = request.routeOptions
      if (config.call) void recordRefusal?.({ ...call, answer })
      else onRefused?.(answer, call.caller, url)
      return sendAnswer(reply, knowledge, answer, readPresentationLeniently(request))
    })
    app.setNotFoundHandler((request, reply) =>
      isLostVisit(request)
        ? sendLostPage(request, reply, 404)
        : sendFailure(knowledge, request, reply, notFound(request)),
    )
    done()
  },
  { name: 'failures', dependencies: ['request-context'] },
)

/** Answers requests that Fastify refuses before any hook runs, such as those with a malformed path. */
export function frameworkErrors(knowledge: Knowledge) {
  return (error: FastifyError, request: FastifyRequest, reply: FastifyReply): void => {
    beginRequest(request, reply)
    const refusal = fromFastify(error)
    if (isLostVisit(request)) void sendLostPage(request, reply, refusal.status)
    else void sendFailure(knowledge, request, reply, refusal)
  }
}

/** The names of the query parameters that the endpoint takes. */
function parametersOf({ routeOptions }: FastifyRequest): string[] {
  const { properties = {} } = (routeOptions.schema?.querystring ?? {}) as { properties?: object }
  return Object.keys(properties)
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

function logBug({ id, correlationId, traceId, log }: FastifyRequest, err: Error): void {
  const ids = { request_id: id, trace_id: traceId ?? undefined, correlation_id: correlationId }
  log.error({ ...ids, err }, 'handler failed')
}

/** Strangers, and callers who may not call it, do not learn that a capability exists. */
function namedCard(
  { catalog }: Knowledge,
  request: FastifyRequest,
  capability: string | null,
): Card | null {
  // Undefined, despite its type, while the key is unknown.
  const caller = request.caller as Caller | undefined
  const card = capability === null ? undefined : catalog.get(capability)
  return card && caller && mayCall(caller, card) ? card : null
}

function describeCall({ caller, headers, params, routeOptions }: FastifyRequest) {
  const { traceparent } = headers
  const { id = null } = params as { readonly id?: string }
  return {
    caller: (caller as Caller | undefined)?.name ?? null,
    capability: routeOptions.config.call === 'capability' ? id : null,
    traceparent: typeof traceparent === 'string' ? traceparent : null,
  }
}

function notFound({ method, url }: FastifyRequest): GatewayError {
  const [path = ''] = url.split('?')
  return new GatewayError(
    'NOT_FOUND',
    `There is no ${method} ${path.slice(0, 200)}. Run capabilities with POST /v1/capabilities/{id}; /openapi.json lists every endpoint.`,
    { source: 'caller' },
  )
}
