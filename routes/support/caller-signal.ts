import type { FastifyReply } from 'fastify'
import { Aborter, type Signal } from '../../src/lib/signal.ts'

/**
 * Aborts when the caller goes away before the answer. Fastify's own `request.signal` follows the request
 * stream, which closes as soon as a body has been read; the response is what the caller waits for.
 */
export function callerSignal({ raw }: FastifyReply): Signal {
  const aborter = new Aborter()
  raw.once('close', () => {
    if (!raw.writableFinished) aborter.abort(new DOMException('the caller left', 'AbortError'))
  })
  return aborter
}
