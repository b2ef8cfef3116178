/** Retries earned by each first call: a fifth. A failing upstream is not asked twice as often as a good one. */
const SHARE = 0.2
/** Lets a quiet gateway retry at all. */
const INITIAL = 10
const MOST = 100

/**
 * One budget of retries for each upstream. A retry is paid for when it is decided on, before its
 * backoff: those that wait count too.
 */
export class RetryBudget {
  readonly #tokens = new Map<string, number>()

  earn(upstream: string): void {
    this.#tokens.set(upstream, Math.min(MOST, this.#balance(upstream) + SHARE))
  }

  has(upstream: string): boolean {
    return this.#balance(upstream) >= 1
  }

  spend(upstream: string): void {
    this.#tokens.set(upstream, this.#balance(upstream) - 1)
  }

  #balance(upstream: string): number {
    return this.#tokens.get(upstream) ?? INITIAL
  }
}
