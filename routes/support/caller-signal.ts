import type { FastifyReply } from 'fastify'

/**
 * Aborts when the caller goes away before the answer. Fastify's own `request.signal` follows the request
 * stream, which closes as soon as a body has been read; the response is what the caller waits for.
 */
export function callerSignal({ raw }: FastifyReply): AbortSignal {
  const controller = new AbortController()
  raw.once('close', () => {
    if (!raw.writableFinished) controller.abort(new DOMException('the caller left', 'AbortError'))
  })
  return controller.signal
}
