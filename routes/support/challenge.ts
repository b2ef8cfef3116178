import type { FastifyReply } from 'fastify'
import type { Answer } from '../../src/model/envelope.ts'

/** Headers that say which limit of a caller is used up: draft-ietf-httpapi-ratelimit-headers. */
export function describeRefusal(reply: FastifyReply, { envelope }: Answer): void {
  const { error, meta } = envelope
  if (meta.reason !== 'KEY_LIMIT' || error === null) return
  const { limit, allowed } = error.details
  const seconds = Math.ceil((error.retry_after_ms ?? 0) / 1000)
  const window = limit === 'concurrency' ? 'qu="concurrent-requests"' : 'w=60'
  reply.header('ratelimit-policy', `"${String(limit)}";q=${Number(allowed)};${window}`)
  reply.header('ratelimit', `"${String(limit)}";r=0;t=${seconds}`)
}
