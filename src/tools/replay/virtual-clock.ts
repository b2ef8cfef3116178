import type { Clock } from '../../lib/clock.ts'

/** Time that passes only when it is told to: thirty recorded seconds are replayed in none. */
export class VirtualClock implements Clock {
  readonly #began: number
  #elapsed = 0

  /** @param began epoch milliseconds. */
  constructor(began: number) {
    this.#began = began
  }

  readonly now = (): number => this.#began + this.#elapsed
  readonly monotonic = (): number => this.#elapsed
  readonly sleep = async (ms: number): Promise<void> => this.pass(ms)

  pass(ms: number): void {
    this.#elapsed += ms
  }

  /** Milliseconds after the beginning; does nothing when it is later already. */
  reach(elapsed: number): void {
    this.#elapsed = Math.max(this.#elapsed, elapsed)
  }
}
