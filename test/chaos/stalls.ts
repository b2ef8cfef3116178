const TICK_MS = 5

/** A time at which the event loop did not run although it should have. Epoch milliseconds. */
export interface Stall {
  readonly at: number
  readonly ms: number
}

/**
 * Notes when the machine takes the processor away, so that a deadline is not called broken for the
 * time in which nobody could have kept it.
 */
export class StallWatch implements Disposable {
  readonly #timer: NodeJS.Timeout
  #stalls: Stall[] = []
  #last = Date.now()
  #lostMs = 0

  constructor() {
    this.#timer = setInterval(() => this.#tick(), TICK_MS)
    this.#timer.unref()
  }

  /** All the time that was lost since it began. */
  get lostMs(): number {
    return this.#lostMs
  }

  /** What was noted since it was asked last. */
  take(): readonly Stall[] {
    this.#tick()
    const taken = this.#stalls
    this.#stalls = []
    return taken
  }

  [Symbol.dispose](): void {
    clearInterval(this.#timer)
  }

  #tick(): void {
    const at = Date.now()
    const ms = at - this.#last - TICK_MS
    this.#last = at
    if (ms <= 1) return
    this.#stalls.push({ at, ms })
    this.#lostMs += ms
  }
}

/** Milliseconds lost after `since`. */
export function lostSince(stalls: readonly Stall[], since: number): number {
  return stalls.reduce((sum, { at, ms }) => (at >= since ? sum + ms : sum), 0)
}
