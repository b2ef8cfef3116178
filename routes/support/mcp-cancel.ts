import type { FastifyRequest } from 'fastify'
import { isObject } from '../../src/lib/is-object.ts'

/** The header that names a client of a version of 2025. */
export const SESSION = 'mcp-session-id'

/**
 * Cancels calls of clients that speak a version of 2025: they send a notification, as a request of its own, where later
 * ones close the connection. The session id says which client it comes from. It is no more than a name: nothing is kept
 * under it but the calls that run.
 */
export class RunningCalls {
  readonly #running = new Map<string, AbortController>()
  readonly #elsewhere: ((name: string) => void) | null

  /** @param elsewhere cancels a call that another worker runs: the notification comes on any connection */
  constructor(elsewhere: ((name: string) => void) | null = null) {
    this.#elsewhere = elsewhere
  }

  /**
   * Cancels the call that the message names, if it is a cancellation. Otherwise returns a signal for the message, which
   * aborts when the client cancels it, or null for a client without a name.
   * @param onEnd takes what to call when the message has been answered
   */
  take(request: FastifyRequest, onEnd: (release: () => void) => void): AbortSignal | null {
    const { body, headers, caller } = request
    const session = headers[SESSION]
    if (!isObject(body) || typeof session !== 'string') return null
    const client = JSON.stringify([caller.name, session])
    if (body.method === 'notifications/cancelled') {
      this.#cancel(nameOf(client, isObject(body.params) ? body.params.requestId : null))
      return null
    }
    const name = nameOf(client, body.id)
    return name === null ? null : this.#begin(name, onEnd)
  }

  #begin(name: string, onEnd: (release: () => void) => void): AbortSignal {
    const controller = new AbortController()
    this.#running.set(name, controller)
    onEnd(() => {
      // The client may have used the id again.
      if (this.#running.get(name) === controller) this.#running.delete(name)
    })
    return controller.signal
  }

  #cancel(name: string | null): void {
    if (name === null) return
    if (this.#running.has(name)) this.cancel(name)
    else this.#elsewhere?.(name)
  }

  /** Cancels the call if it runs here. */
  cancel(name: string): void {
    this.#running.get(name)?.abort(new DOMException('the client cancelled the call', 'AbortError'))
  }
}

/** `1` and `"1"` are two ids. Null for what is no id. */
function nameOf(client: string, id: unknown): string | null {
  return typeof id === 'string' || typeof id === 'number' ? `${client} ${JSON.stringify(id)}` : null
}
