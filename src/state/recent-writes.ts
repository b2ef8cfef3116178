import type { Job, Outcome } from '../job.ts'

/** A write that this gateway is sending, or has sent not long ago. */
export interface RecentWrite {
  readonly input: Job['input']
  /** What it made; null while that is not known, or if it never will be. */
  readonly data: unknown
}

interface Entry {
  readonly input: Job['input']
  data: unknown
  /** Epoch milliseconds; null while it runs. */
  endedAt: number | null
}

/** For how long a write is remembered after its end: as far as two clocks may be apart. */
export const KEPT_MS = 60_000
/** Places with writes remembered at most; one is a capability and a credential. */
const MOST_PLACES = 10_000

/**
 * The writes of the last minute that have, or may have, made something. Whoever looks for the object of
 * an ambiguous write has to know whose else it could be. Times are epoch milliseconds, given by the caller.
 */
export class RecentWrites {
  readonly #places = new Map<string, Set<Entry>>()

  /** Runs a write, seen by the others of its capability and credential until a minute after its end. */
  async track(job: Job, now: () => number, send: () => Promise<Outcome>): Promise<Outcome> {
    const entry: Entry = { input: job.input, data: null, endedAt: null }
    const place = this.#enter(job, now())
    place.add(entry)
    try {
      const outcome = await send()
      if (outcome.ok) entry.data = outcome.data
      else if (outcome.failure.writeOutcome === 'not_applied') place.delete(entry)
      return outcome
    } finally {
      entry.endedAt = now()
    }
  }

  /** All but the job's own. */
  besides(job: Job, now: number): readonly RecentWrite[] {
    return [...this.#enter(job, now)].filter(({ input }) => input !== job.input)
  }

  #enter(job: Job, now: number): Set<Entry> {
    const key = `${job.card.id} ${job.credential?.id}`
    const place = this.#places.get(key) ?? new Set()
    for (const entry of place) {
      if (entry.endedAt !== null && entry.endedAt < now - KEPT_MS) place.delete(entry)
    }
    // Last used, last forgotten.
    this.#places.delete(key)
    this.#places.set(key, place)
    const [oldest] = this.#places.keys()
    if (this.#places.size > MOST_PLACES && oldest !== undefined) this.#places.delete(oldest)
    return place
  }
}
