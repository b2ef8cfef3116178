import { BoundedMap } from '../lib/bounded-map.ts'
import type { ErrorCode } from '../model/errors.ts'

/** The people of whom it is known that they may write to a place. */
export interface KnownPeople {
  /** Their logins, in lower case. */
  readonly logins: ReadonlySet<string>
  /** The question that failed, so that nobody is known. */
  readonly unanswered: {
    readonly capability: string
    readonly code: ErrorCode
    /** Null while it runs. */
    readonly requestId: string | null
  } | null
}

export const NO_WRITERS: KnownPeople = { logins: new Set(), unanswered: null }

/** An answer to the question who may write, and for how long it holds. */
export interface FoundWriters extends KnownPeople {
  readonly keepMs: number
}

const MOST_PLACES = 1000

/** Remembers who may write to a place, for each credential. Calls that ask at once share the question. */
export class KnownWriters {
  readonly #places = new BoundedMap<string, { until: number; found: Promise<FoundWriters> }>(
    MOST_PLACES,
  )

  async find(
    key: string,
    now: () => number,
    ask: () => Promise<FoundWriters>,
  ): Promise<KnownPeople> {
    const known = this.#places.get(key)
    if (known && now() < known.until) return await known.found
    const found = ask()
    const entry = { until: Number.POSITIVE_INFINITY, found }
    this.#places.set(key, entry)
    const people = await found
    entry.until = now() + people.keepMs
    return people
  }
}
