import type { Clock } from './clock.ts'
import { Aborter, type Signal } from './signal.ts'

/** The name of a signal's reason after a timeout: adapters distinguish TIMEOUT from CANCELLED by it. */
const TIMEOUT = 'TimeoutError'

/** The one deadline for everything that a request does. */
export class Deadline {
  readonly #clock: Clock
  #at: number
  /** Monotonic milliseconds at which the request began. */
  readonly startedAt: number
  #timeoutMs: number

  constructor(clock: Clock, timeoutMs: number) {
    this.#clock = clock
    this.startedAt = clock.monotonic()
    this.#timeoutMs = timeoutMs
    this.#at = this.startedAt + timeoutMs
  }

  get timeoutMs(): number {
    return this.#timeoutMs
  }

  /** Sets another time, counted from the same beginning. */
  moveTo(timeoutMs: number): void {
    this.#timeoutMs = timeoutMs
    this.#at = this.startedAt + timeoutMs
  }

  /** Milliseconds left; never negative. */
  remaining(): number {
    return Math.max(0, this.#at - this.#clock.monotonic())
  }
}

/**
 * A signal that aborts after `timeoutMs` or when `outer` does. Call `end` when the work is done, to clean up timer and
 * listener. (`AbortSignal.timeout` and `any` would cost about a tenth of the throughput.)
 */
export class TimeLimit {
  readonly #aborter = new Aborter()
  readonly #outer: Signal | null
  readonly #timer: NodeJS.Timeout
  readonly timeoutMs: number

  constructor(timeoutMs: number, outer: Signal | null) {
    this.timeoutMs = timeoutMs
    this.#outer = outer
    this.#timer = setTimeout(() => {
      const message = `no answer within ${Math.round(timeoutMs)} ms`
      this.#aborter.abort(new DOMException(message, TIMEOUT))
    }, timeoutMs)
    if (outer?.aborted) this.#onAbort()
    outer?.addEventListener('abort', this.#onAbort)
  }

  get signal(): Signal {
    return this.#aborter
  }

  readonly #onAbort = (): void => this.#aborter.abort(this.#outer?.reason)

  end(): void {
    clearTimeout(this.#timer)
    this.#outer?.removeEventListener('abort', this.#onAbort)
  }
}

/** Runs `work` under a time limit. */
export async function withTimeout<T>(
  timeoutMs: number,
  outer: Signal | null,
  work: (signal: Signal) => Promise<T>,
): Promise<T> {
  const limit = new TimeLimit(timeoutMs, outer)
  try {
    return await work(limit.signal)
  } finally {
    limit.end()
  }
}
