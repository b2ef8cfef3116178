import { setTimeout as delay } from 'node:timers/promises'

/**
 * The time between the signal to stop and the end of the listener. Load balancers need it: until they have seen that
 * `/readyz` is 503, they go on sending calls here.
 */
export class Drain {
  /** @default 0 */
  readonly ms: number
  #begun = false

  constructor(ms = 0) {
    this.ms = ms
  }

  /** Whether `/readyz` must send load balancers away. */
  get begun(): boolean {
    return this.#begun
  }

  /** Begins the drain, and resolves when it is over. @param leastMs @default 0 */
  async wait(leastMs = 0): Promise<void> {
    this.begin()
    await delay(Math.max(this.ms, leastMs))
  }

  begin(): void {
    this.#begun = true
  }
}
