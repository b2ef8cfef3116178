const TICK_MS = 5

/** A time in which the event loop should have run but did not. `at` is in epoch milliseconds. */
export interface Stall {
  readonly at: number
  readonly ms: number
}

/**
 * Records when the machine gave this process no processor time, so that missed deadlines can be
 * excused.
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

  /** The total time lost since the start. */
  get lostMs(): number {
    return this.#lostMs
  }

  /** The stalls since the last call. */
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
