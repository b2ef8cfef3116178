import type { FastifyReply } from 'fastify'
import type { Answer } from '../../src/model/envelope.ts'

/** Headers with which an answer says what a gateway key lacks: RFC 6750, and draft-ietf-httpapi-ratelimit-headers. */
export function describeRefusal(reply: FastifyReply, { status, envelope }: Answer): void {
  if (status === 401) reply.header('www-authenticate', 'Bearer realm="signalbox"')
  const { error, meta } = envelope
  if (meta.reason !== 'KEY_LIMIT' || error === null) return
  const { limit, allowed } = error.details
  const seconds = Math.ceil((error.retry_after_ms ?? 0) / 1000)
  const window = limit === 'concurrency' ? 'qu="concurrent-requests"' : 'w=60'
  reply.header('ratelimit-policy', `"${String(limit)}";q=${Number(allowed)};${window}`)
  reply.header('ratelimit', `"${String(limit)}";r=0;t=${seconds}`)
}
