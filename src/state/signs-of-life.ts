/** The share of the silence after which this process trusts its claims no more: what it checks takes time to arrive. */
const TRUST = 5 / 6

/**
 * Tells a process whether others may take it for dead, by its own beats. It may have been suspended, or cut off from the store, for so long that the others
 * count it as dead and take over what it has claimed; it finds that out only here.
 */
export class SignsOfLife {
  readonly #trustMs: number
  /** Epoch milliseconds: a monotonic clock stands still while the machine is suspended. */
  #last = Date.now()
  #since = this.#last

  /** @param silenceMs without a beat for this long, a process counts as dead */
  constructor(silenceMs: number) {
    this.#trustMs = silenceMs * TRUST
  }

  /** Notes a beat that the store has confirmed. @param sent when it was sent; epoch milliseconds */
  confirm(sent: number): void {
    if (sent - this.#last > this.#trustMs) this.#since = Date.now()
    this.#last = sent
  }

  /** Whether nobody can have counted this process as dead since a time in epoch milliseconds. */
  lastedSince(time: number): boolean {
    return time >= this.#since && Date.now() - this.#last <= this.#trustMs
  }
}
