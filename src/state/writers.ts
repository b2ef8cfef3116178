import { BoundedMap } from '../lib/bounded-map.ts'

/** The logins that may write to a place, in lower case. */
export type WriterLogins = ReadonlySet<string>

/** An answer to the question who may write, and for how long it holds. */
export interface FoundWriters {
  readonly logins: WriterLogins
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
  ): Promise<WriterLogins> {
    const known = this.#places.get(key)
    if (known && now() < known.until) return (await known.found).logins
    const found = ask()
    const entry = { until: Number.POSITIVE_INFINITY, found }
    this.#places.set(key, entry)
    const { logins, keepMs } = await found
    entry.until = now() + keepMs
    return logins
  }
}
