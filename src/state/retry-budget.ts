/** Retries that each first call earns. A failing upstream gets at most a fifth more requests than a healthy one. */
const SHARE = 0.2
/** Allows retries before any were earned. */
const INITIAL = 10
const MOST = 100

/** One budget of retries for each upstream. A retry is paid before its backoff, so retries that wait count too. */
export class RetryBudget {
  readonly #tokens = new Map<string, number>()
  readonly #share: number

  /** @param share of the whole, for one of several workers. @default 1 */
  constructor(share = 1) {
    this.#share = share
  }

  earn(upstream: string): void {
    this.#tokens.set(upstream, Math.min(MOST * this.#share, this.#balance(upstream) + SHARE))
  }

  has(upstream: string): boolean {
    return this.#balance(upstream) >= 1
  }

  /** How many retries it pays for now. */
  left(upstream: string): number {
    return Math.floor(this.#balance(upstream))
  }

  /** Gives an upstream the budget of one that nobody has called yet. */
  refill(upstream: string): void {
    this.#tokens.delete(upstream)
  }

  spend(upstream: string): void {
    this.#tokens.set(upstream, this.#balance(upstream) - 1)
  }

  #balance(upstream: string): number {
    return this.#tokens.get(upstream) ?? INITIAL * this.#share
  }
}
