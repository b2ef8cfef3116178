/** The part of AbortSignal that this project uses: an AbortSignal fits wherever a Signal is asked for. */
export interface Signal {
  readonly aborted: boolean
  readonly reason: unknown
  addEventListener(type: 'abort', listener: () => void): void
  removeEventListener(type: 'abort', listener: () => void): void
}

/**
 * An AbortController that is its own signal, without DOM events. A read makes three of them, each with a
 * listener, and events for all of them show in a profile (docs/decisions/signals-of-our-own.md).
 */
export class Aborter implements Signal {
  #aborted = false
  #reason: unknown = undefined
  /** Most signals have one listener, for which an array would be large. */
  #first: (() => void) | null = null
  #others: (() => void)[] | null = null

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
    const first = this.#first
    const others = this.#others ?? []
    this.#first = null
    this.#others = null
    first?.()
    for (const listener of others) listener()
  }

  addEventListener(_type: 'abort', listener: () => void): void {
    if (this.#aborted) return
    if (this.#first === null && this.#others === null) this.#first = listener
    else (this.#others ??= []).push(listener)
  }

  removeEventListener(_type: 'abort', listener: () => void): void {
    if (this.#first === listener) {
      this.#first = null
      return
    }
    const at = this.#others?.indexOf(listener) ?? -1
    if (at !== -1) this.#others?.splice(at, 1)
  }
}

/** A signal that never aborts. */
export const NEVER: Signal = {
  aborted: false,
  reason: undefined,
  addEventListener: () => {},
  removeEventListener: () => {},
}

/** An AbortSignal that follows `signal`, for libraries that need a real one. */
export function toAbortSignal(signal: Signal): AbortSignal {
  const controller = new AbortController()
  const abort = () => controller.abort(signal.reason)
  signal.addEventListener('abort', abort)
  if (signal.aborted) abort()
  return controller.signal
}
