import type { FastifyReply, FastifyRequest } from 'fastify'
import { describeError } from '../../src/answer/to-answer.ts'
import type { Answer, Envelope, Meta } from '../../src/model/envelope.ts'
import type { GatewayError } from '../../src/model/errors.ts'
import { NO_SUBJECT } from '../../src/model/subject.ts'
import {
  type Knowledge,
  type Presentation,
  type Rendered,
  renderAnswer,
} from '../../src/render/render.ts'

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
  return { envelope, status: error.status, subject: { ...NO_SUBJECT, time: Date.now() } }
}

/** Sends an answer as the caller wants it told, with headers that tell its story without a look at the body. */
export function sendAnswer(
  reply: FastifyReply,
  knowledge: Knowledge,
  answer: Answer,
  presentation: Presentation,
): FastifyReply {
  const { body, contentType, status, envelope, dropped } = renderAnswer(
    knowledge,
    answer,
    presentation,
  )
  const { meta, error } = envelope
  // A repeated answer tells what was attempted then; now nothing was.
  const attempts = answer.replayed ? [] : answer.envelope.meta.attempts
  const ran = attempts.filter(attempt => attempt.status !== 'skipped')
  reply.request.told = { capability: meta.capability_id, code: answer.envelope.error?.code ?? null }
  reply.code(status)
  if (answer.replayed) reply.header('idempotent-replayed', 'true')
  if (meta.route_used) reply.header('signalbox-route', meta.route_used)
  reply.header('signalbox-attempts', ran.length)
  // Not every dialect has a place for what is missing.
  if (dropped.length > 0) reply.header('signalbox-dropped', toHeader(dropped))
  if (error?.retry_after_ms) reply.header('retry-after', Math.ceil(error.retry_after_ms / 1000))
  if (ran.length > 0) {
    const upstream = ran.reduce((sum, attempt) => sum + (attempt.duration_ms ?? 0), 0)
    const gateway = Math.max(0, meta.duration_ms - upstream)
    reply.header(
      'server-timing',
      `upstream;dur=${upstream.toFixed(1)}, gateway;dur=${gateway.toFixed(1)}`,
    )
  }
  return reply.header('content-type', contentType).send(body)
}

/** JSON that a header can carry: everything outside ASCII escaped. */
function toHeader(dropped: Rendered['dropped']): string {
  return JSON.stringify(dropped).replaceAll(
    /[\u007f-\uffff]/g,
    unit => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`,
  )
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
