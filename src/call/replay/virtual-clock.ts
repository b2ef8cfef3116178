import type { Clock } from '../../lib/clock.ts'

/** A clock that moves only when `pass` or `reach` is called, so a replay does not wait. */
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

  /** Moves to this many milliseconds after the beginning, unless it is already later. */
  reach(elapsed: number): void {
    this.#elapsed = Math.max(this.#elapsed, elapsed)
  }
}
