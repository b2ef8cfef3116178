import type { FastifyReply } from 'fastify'
import { Aborter, type Signal } from '../../src/lib/signal.ts'

declare module 'fastify' {
  interface FastifyRequest {
    /** Null until something waits for the end of the answer. */
    ending: Ending | null
  }
}

/** The end of one answer: it has been sent, or its caller has left. Listens once for all who wait for it. */
export class Ending {
  readonly aborter = new Aborter()
  readonly #raw: FastifyReply['raw']
  #releases: (() => void)[] = []

  constructor(raw: FastifyReply['raw']) {
    this.#raw = raw
    // A response closes once; `once` would only add the cost of removing the listener.
    raw.on('close', () => this.#end())
  }

  onEnd(release: () => void): void {
    if (this.#raw.closed) release()
    else this.#releases.push(release)
  }

  #end(): void {
    if (!this.#raw.writableFinished)
      this.aborter.abort(new DOMException('the caller left', 'AbortError'))
    const releases = this.#releases
    this.#releases = []
    for (const release of releases) release()
  }
}

function endingOf({ request, raw }: FastifyReply): Ending {
  return (request.ending ??= new Ending(raw))
}

/**
 * Aborts when the caller disconnects before the answer. Fastify's own `request.signal` does not serve: it follows
 * the request stream, which closes as soon as the body has been read. This one follows the response.
 */
export function callerSignal(reply: FastifyReply): Signal {
  return endingOf(reply).aborter
}

/** Collects what to release when the answer has been sent, or its caller has left. */
export function afterSending(reply: FastifyReply): (release: () => void) => void {
  const ending = endingOf(reply)
  return release => ending.onEnd(release)
}
