import type { FastifyReply } from 'fastify'
import { Aborter, type Signal } from '../../src/lib/signal.ts'

/**
 * Aborts when the caller disconnects before the answer. Fastify's own `request.signal` does not serve: it follows
 * the request stream, which closes as soon as the body has been read. This one follows the response.
 */
export function callerSignal({ raw }: FastifyReply): Signal {
  const aborter = new Aborter()
  // A response closes once; `once` would only add the cost of removing the listener.
  raw.on('close', () => {
    if (!raw.writableFinished) aborter.abort(new DOMException('the caller left', 'AbortError'))
  })
  return aborter
}

/** Collects what to release when the answer has been sent, or its caller has left. */
export function afterSending({ raw }: FastifyReply): (release: () => void) => void {
  const releases: (() => void)[] = []
  raw.on('close', () => {
    for (const release of releases.splice(0)) release()
  })
  return release => {
    if (raw.closed) release()
    else releases.push(release)
  }
}
