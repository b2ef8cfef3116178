import { BoundedMap } from '../lib/bounded-map.ts'
import type { Card } from '../model/card.ts'
import type { Credential } from '../model/credential.ts'
import type { Outcome } from '../model/outcome.ts'

type Input = Readonly<Record<string, unknown>>

/** The part of a write that other writes need to know. */
export interface Write {
  readonly card: Pick<Card, 'id' | 'verify'>
  readonly credential: Pick<Credential, 'id'> | null
  readonly input: Input
  /** When its request began, epoch milliseconds. */
  readonly time: number
}

/** A write that is in flight, or was a short time ago. */
export interface RecentWrite {
  /** Null if unknown: the write could have created anything. */
  readonly input: Input | null
  /** The object it created; null while or if that is unknown. */
  readonly data: unknown
  /** When its request began, epoch milliseconds. */
  readonly time: number
}

/** The writes of other gateways. A place is a capability and a credential. */
export interface OtherWrites {
  /**
   * Publishes a write that is about to be sent.
   * @returns a function to call when it ends, with what it may have created; null if it surely created nothing.
   */
  begin(
    place: string,
    write: Pick<Write, 'input' | 'time'>,
  ): (created: { readonly data: unknown } | null) => void
  /** Rejects if the writes of the others cannot be read. */
  all(place: string): Promise<readonly RecentWrite[]>
}

interface Entry {
  readonly input: Input
  readonly time: number
  data: unknown
  /** Epoch milliseconds; null while it runs. */
  endedAt: number | null
}

/** How long a write is remembered after its end: as much as two clocks may differ. */
export const WRITE_KEPT_MS = 60_000
/** A place is a capability and a credential. */
const MOST_PLACES = 10_000

/**
 * The writes of the last minute that have created something, or may have. `verify` looks for the object of a write
 * with an unknown outcome, and must know which other writes could have created the object that it finds.
 * Times are epoch milliseconds, given by the caller.
 */
export class RecentWrites {
  readonly #places = new BoundedMap<string, Set<Entry>>(MOST_PLACES)
  /** @default null: there is no other gateway */
  otherGateways: OtherWrites | null = null

  /** Sends a write. Other writes of its capability and credential see it until a minute after its end. */
  async track(write: Write, now: () => number, send: () => Promise<Outcome>): Promise<Outcome> {
    const { input, time } = write
    const entry: Entry = { input, time, data: null, endedAt: null }
    const place = this.#enter(write, now())
    place.add(entry)
    // Only cards with `verify` read other gateways' writes, so publish nothing for the rest.
    const publishEnd = write.card.verify
      ? this.otherGateways?.begin(placeOf(write), write)
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
      publishEnd?.(nothing ? null : entry)
    }
  }

  /** The recent writes other than this one. Null if those of other gateways cannot be read. */
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
      if (entry.endedAt !== null && entry.endedAt < now - WRITE_KEPT_MS) place.delete(entry)
    }
    this.#places.set(key, place)
    return place
  }
}

function placeOf({ card, credential }: Write): string {
  return `${card.id} ${credential?.id}`
}
