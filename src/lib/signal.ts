/** As much of AbortSignal as there is use for here: wherever this is asked for, an AbortSignal will do. */
export interface Signal {
  readonly aborted: boolean
  readonly reason: unknown
  addEventListener(type: 'abort', listener: () => void): void
  removeEventListener(type: 'abort', listener: () => void): void
}

/**
 * An AbortController that is its own signal, without the machinery of events. A read makes three of them,
 * each with a listener, which is enough to show in a profile.
 */
export class Aborter implements Signal {
  #aborted = false
  #reason: unknown = undefined
  #listeners: (() => void)[] = []

  get aborted(): boolean {
    return this.#aborted
  }

  get reason(): unknown {
    return this.#reason
  }

  /** Only the first call counts. */
  abort(reason: unknown): void {
    if (this.#aborted) return
    this.#aborted = true
    this.#reason = reason
    const listeners = this.#listeners
    this.#listeners = []
    for (const listener of listeners) listener()
  }

  addEventListener(_type: 'abort', listener: () => void): void {
    if (!this.#aborted) this.#listeners.push(listener)
  }

  removeEventListener(_type: 'abort', listener: () => void): void {
    const at = this.#listeners.indexOf(listener)
    if (at !== -1) this.#listeners.splice(at, 1)
  }
}

/** For libraries that want the real one. */
export function toAbortSignal(signal: Signal): AbortSignal {
  const controller = new AbortController()
  const abort = () => controller.abort(signal.reason)
  signal.addEventListener('abort', abort)
  if (signal.aborted) abort()
  return controller.signal
}
