/** Logs the beginning of an outage, and its end with the number of times that the store failed in it. */
export interface OutageLines {
  readonly away: (error: unknown) => void
  readonly back: (times: number) => void
}

/** An outage that begins so soon after the last one belongs to it: a disk that fills, a database that restarts in a loop. */
const CALM_MS = 60_000
const FIRST_PAUSE_MS = 20_000
const LONGEST_PAUSE_MS = 60_000

/**
 * Bounds the lines about a store that fails, works and fails again to five in the first minute, and two a minute after that. The end of
 * an outage that follows another one is logged only after the store has worked for a while, which grows with each of them.
 */
export class OutageLogger {
  readonly #lines: OutageLines
  #times = 0
  #pauseMs = 0
  #endedAt = Number.NEGATIVE_INFINITY
  #ending: NodeJS.Timeout | null = null

  constructor(lines: OutageLines) {
    this.#lines = lines
  }

  begin(error: unknown): void {
    this.#times++
    if (this.#ending) {
      clearTimeout(this.#ending)
      this.#ending = null
      return
    }
    const isCalm = performance.now() - this.#endedAt >= CALM_MS
    this.#pauseMs = isCalm ? 0 : pauseAfter(this.#pauseMs)
    this.#lines.away(error)
  }

  end(): void {
    if (this.#pauseMs === 0) this.#logEnd()
    else this.#ending ??= setTimeout(() => this.#logEnd(), this.#pauseMs).unref()
  }

  #logEnd(): void {
    const times = this.#times
    this.#ending = null
    this.#times = 0
    this.#endedAt = performance.now()
    this.#lines.back(times)
  }
}

function pauseAfter(pauseMs: number): number {
  return Math.min(Math.max(2 * pauseMs, FIRST_PAUSE_MS), LONGEST_PAUSE_MS)
}
