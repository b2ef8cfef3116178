import type { FastifyReply, FastifyRequest } from 'fastify'
import { shorten } from '../../src/lib/text.ts'
import type { Card } from '../../src/model/card.ts'
import { countAttempts } from '../../src/model/count-attempts.ts'
import type { Answer, Attempt, Meta } from '../../src/model/envelope.ts'
import type { GatewayError } from '../../src/model/errors.ts'
import { describeGatewayError, failedAnswer } from '../../src/model/failed-envelope.ts'
import type { Warning } from '../../src/model/warnings.ts'
import {
  type Knowledge,
  type Presentation,
  type Rendered,
  renderAnswer,
} from '../../src/render/render.ts'
import { describeRefusal } from './challenge.ts'
import { ownMeta } from './own-meta.ts'

/**
 * The success envelope of an endpoint that runs no capability.
 * @param more what its `meta` says of data
 */
export function success<T>(
  request: FastifyRequest,
  data: T,
  more: Pick<Meta, 'untrusted'> & Partial<Pick<Meta, 'warnings'>> = {},
) {
  return { ok: true as const, data, error: null, meta: { ...ownMeta(request), ...more } }
}

/**
 * The failure envelope of a request that the gateway refused before the pipeline.
 * @param card the capability that the request names, if its caller may know it
 */
export function failure(
  request: FastifyRequest,
  error: GatewayError,
  card: Pick<Card, 'id' | 'effect'> | null = null,
): Answer {
  const reason = error.code === 'VALIDATION' ? 'INPUT_VALIDATION' : null
  const meta = { ...ownMeta(request, reason), capability_id: card?.id ?? null }
  return failedAnswer(describeGatewayError(error, card?.effect ?? null), meta, error.status)
}

/** Sends an answer as the caller wants it. Headers summarize it, so that proxies need not parse the body. */
export function sendAnswer(
  reply: FastifyReply,
  knowledge: Knowledge,
  answer: Answer,
  presentation: Presentation,
): FastifyReply {
  return sendRendered(reply, answer, renderAnswer(knowledge, answer, presentation))
}

/** The same for an answer that is written already. */
export function sendRendered(
  reply: FastifyReply,
  answer: Answer,
  rendered: Rendered,
): FastifyReply {
  const { contentType, status, envelope } = rendered
  const { meta, error } = envelope
  noteAnswer(reply.request, rendered.told)
  reply.code(status)
  if (answer.replayed) reply.header('idempotent-replayed', 'true')
  if (meta.age_ms !== undefined) reply.header('age', Math.floor(meta.age_ms / 1000))
  if (meta.route_used) reply.header('signalbox-route', meta.route_used)
  describeNotes(reply, rendered)
  if (error?.retry_after_ms) reply.header('retry-after', Math.ceil(error.retry_after_ms / 1000))
  describeRefusal(reply, answer)
  describeAttempts(reply, answer, meta.duration_ms)
  return reply.header('content-type', contentType).send(payloadOf(rendered))
}

/** Some dialects have no members for these. */
function describeNotes(reply: FastifyReply, { notes }: Rendered): void {
  const { dropped, untrusted, hidden, warnings } = notes
  if (dropped) reply.header('signalbox-dropped', toHeader(dropped))
  if (untrusted) reply.header('signalbox-untrusted', toHeader(untrusted))
  if (hidden) reply.header('signalbox-hidden', toHeader(hidden))
  if (warnings) reply.header('signalbox-warnings', toHeader(inBrief(warnings)))
}

/** Proxies such as nginx refuse an answer whose headers take more than 4 kB together. */
const MOST_BYTES = 2_000
const LONGEST_MESSAGE = 200

/** The first warnings, as many as fit. */
function inBrief(warnings: readonly Warning[]) {
  const brief = warnings.map(({ code, message }) => ({
    code,
    message: shorten(message, LONGEST_MESSAGE),
  }))
  return brief.filter((_, index) => toHeader(brief.slice(0, index + 1)).length <= MOST_BYTES)
}

/** From this length on, copies cost more than a buffer. */
const LONG = 65_536

/** A text is copied to join its parts, again for the socket, and read once more to count its bytes. */
function payloadOf({ body, parts }: Rendered): string | Buffer {
  if (body.length < LONG) return body
  const bytes = Buffer.allocUnsafe(parts.reduce((sum, part) => sum + Buffer.byteLength(part), 0))
  parts.reduce((at, part) => at + bytes.write(part, at), 0)
  return bytes
}

/** For the log. */
function noteAnswer(request: FastifyRequest, { envelope: { error, meta } }: Answer): void {
  request.traceId ??= meta.trace_id ?? null
  request.answered = { capability: meta.capability_id, code: error?.code ?? null }
}

function describeAttempts(reply: FastifyReply, answer: Answer, totalMs: number): void {
  const { attempts } = answer.envelope.meta
  reply.header('signalbox-attempts', countAttempts(attempts, answer.borrowed === true))
  // A replayed answer has the times of the first request; a read that joined another waited for the upstream, too.
  if (!answer.replayed && attempts.some(hasRun))
    reply.header('server-timing', serverTiming(attempts, totalMs))
}

function hasRun({ status }: Attempt): boolean {
  return status !== 'skipped'
}

/** Skipped attempts have no duration. */
function serverTiming(attempts: readonly Attempt[], totalMs: number): string {
  let upstream = 0
  for (const { duration_ms = 0 } of attempts) upstream += duration_ms
  const gateway = Math.max(0, totalMs - upstream)
  return `upstream;dur=${upstream.toFixed(1)}, gateway;dur=${gateway.toFixed(1)}`
}

/** JSON for a header: everything outside ASCII is escaped. */
function toHeader(value: readonly unknown[]): string {
  return JSON.stringify(value).replaceAll(
    /[\u007f-\uffff]/g,
    unit => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`,
  )
}
