/** Called once when an outage begins and once when it ends, however many calls meet it. */
export interface OutageLog {
  readonly onAway: (error: unknown) => void
  readonly onBack: () => void
}

export const SILENT: OutageLog = { onAway: () => {}, onBack: () => {} }

/** Detects outages: the first use of a store that fails begins one, and the first that works again ends it. */
export class OutageWatch {
  readonly #log: OutageLog
  #isAway = false

  constructor(log: OutageLog) {
    this.#log = log
  }

  /** Waits for a use of the store, and passes on how it ended. */
  async watch<T>(use: Promise<T>): Promise<T> {
    try {
      const result = await use
      this.works()
      return result
    } catch (error) {
      this.failed(error)
      throw error
    }
  }

  works(): void {
    if (!this.#isAway) return
    this.#isAway = false
    this.#log.onBack()
  }

  failed(error: unknown): void {
    if (this.#isAway) return
    this.#isAway = true
    this.#log.onAway(error)
  }
}
