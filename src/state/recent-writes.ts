import type { Card } from '../model/card.ts'
import type { Credential } from '../model/credential.ts'
import type { Outcome } from '../model/outcome.ts'

type Input = Readonly<Record<string, unknown>>

/** A write, as far as others have to know it. */
export interface Write {
  readonly card: Pick<Card, 'id' | 'verify'>
  readonly credential: Pick<Credential, 'id'> | null
  readonly input: Input
}

/** A write that is being sent, or was not long ago. */
export interface RecentWrite {
  /** Null when it is not known: it could have made anything. */
  readonly input: Input | null
  /** What it made; null while that is not known, or if it never will be. */
  readonly data: unknown
}

/** The writes of other gateways. A place is a capability and a credential. */
export interface OtherWrites {
  /** Tells them of a write; to be called with what it may have made, or null when that is surely nothing. */
  begin(place: string, input: Input): (made: { readonly data: unknown } | null) => void
  /** Rejects when it cannot be found out. */
  all(place: string): Promise<readonly RecentWrite[]>
}

interface Entry {
  readonly input: Input
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
  /** @default null: this gateway is the only one */
  otherGateways: OtherWrites | null = null

  /** Runs a write, seen by the others of its capability and credential until a minute after its end. */
  async track(write: Write, now: () => number, send: () => Promise<Outcome>): Promise<Outcome> {
    const entry: Entry = { input: write.input, data: null, endedAt: null }
    const place = this.#enter(write, now())
    place.add(entry)
    // Nobody else asks what was made by a card that never verifies.
    const tell = write.card.verify
      ? this.otherGateways?.begin(placeOf(write), write.input)
      : undefined
    let nothing = false
    try {
      const outcome = await send()
      if (outcome.ok) entry.data = outcome.data
      else nothing = outcome.failure.writeOutcome === 'not_applied'
      if (nothing) place.delete(entry)
      return outcome
    } finally {
      entry.endedAt = now()
      tell?.(nothing ? null : entry)
    }
  }

  /** All but the job's own. Null when those of other gateways cannot be found out. */
  async others(write: Write, now: number): Promise<readonly RecentWrite[] | null> {
    const own = [...this.#enter(write, now)].filter(({ input }) => input !== write.input)
    try {
      return [...own, ...((await this.otherGateways?.all(placeOf(write))) ?? [])]
    } catch {
      return null
    }
  }

  #enter(write: Write, now: number): Set<Entry> {
    const key = placeOf(write)
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

function placeOf({ card, credential }: Write): string {
  return `${card.id} ${credential?.id}`
}
