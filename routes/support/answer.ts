import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Answer, Envelope, Meta } from '../../src/envelope.ts'
import type { GatewayError } from '../../src/errors.ts'
import { describeError } from '../../src/answer.ts'

/** The success envelope of an endpoint that runs no capability. */
export function success<T>(request: FastifyRequest, data: T) {
  return { ok: true as const, data, error: null, meta: metaOf(request) }
}

/** The failure envelope of a request that never reached a capability. */
export function failure(request: FastifyRequest, error: GatewayError): Answer {
  const envelope: Envelope = {
    ok: false,
    data: null,
    error: describeError(error, null),
    meta: { ...metaOf(request), reason: error.code === 'VALIDATION' ? 'INPUT_VALIDATION' : null },
  }
  return { envelope, status: error.status }
}

/** Sends an envelope with the headers that tell its story without a look at the body. */
export function sendAnswer(
  reply: FastifyReply,
  { envelope, status, replayed }: Answer,
): FastifyReply {
  const { meta, error } = envelope
  const ran = meta.attempts.filter(attempt => attempt.status !== 'skipped')
  reply.code(status).header('x-request-id', meta.request_id)
  if (replayed) reply.header('idempotent-replayed', 'true')
  if (meta.route_used) reply.header('signalbox-route', meta.route_used)
  reply.header('signalbox-attempts', ran.length)
  if (error?.retry_after_ms) reply.header('retry-after', Math.ceil(error.retry_after_ms / 1000))
  if (ran.length > 0) {
    const upstream = ran.reduce((sum, attempt) => sum + (attempt.duration_ms ?? 0), 0)
    const gateway = Math.max(0, meta.duration_ms - upstream)
    reply.header(
      'server-timing',
      `upstream;dur=${upstream.toFixed(1)}, gateway;dur=${gateway.toFixed(1)}`,
    )
  }
  return reply
    .header('content-type', 'application/json; charset=utf-8')
    .send(JSON.stringify(envelope))
}

function metaOf(request: FastifyRequest): Meta {
  return {
    capability_id: null,
    request_id: request.id,
    route_used: null,
    reason: null,
    attempts: [],
    duration_ms: Math.round((performance.now() - request.startedAt) * 10) / 10,
    warnings: [],
  }
}
