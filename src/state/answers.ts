import type { Route } from '../model/route.ts'

/** The call that an answer belongs to. */
export interface Place {
  /** A hash of everything that the answer depends on, the credential's identity included. */
  readonly key: string
  readonly upstream: string
  readonly capability: string
}

/** The answer to a read, as its run ended. */
export interface KeptAnswer {
  readonly data: unknown
  readonly route: Route
  /** The request that got it. Absent in an answer that an older version kept. */
  readonly requestId?: string
}

/** An answer that was found, with its JSON still to be parsed. */
export interface FoundAnswer {
  readonly json: string
  readonly bytes: number
  /** Milliseconds since the gateway looked for it, before it asked the service. */
  readonly ageMs: number
}

/** The result of a look into memory. */
export interface Look {
  readonly found: FoundAnswer | null
  /** When the look was, in milliseconds of the store's clock. Null: there is no store, so nothing can be kept. */
  readonly mark: number | null
}

/** Answers that a change makes worthless. */
export interface Touched {
  readonly upstream: string
  /** Ids of reads; null for all of the upstream. */
  readonly capabilities: readonly string[] | null
  /** The change may take effect within so many milliseconds. 0: it has happened. */
  readonly doubtMs: number
}

/** The memory that several gateways share. */
export interface SharedAnswers {
  /** Never rejects: without the store, nothing is found. */
  look(place: Place, withinMs: number): Promise<Look>
  keep(place: Place, json: string, mark: number): void
  /** Resolves when no gateway finds the answers any more, or the time is up; the drop goes on in the background. */
  drop(touched: Touched, withinMs: number): Promise<void>
}

/** Older answers are dropped, whatever a caller would take. */
export const KEPT_MS = 24 * 60 * 60 * 1000
/** Larger answers are not kept. Bytes of JSON. */
export const MOST_ANSWER_BYTES = 1024 * 1024
/** The bytes of an entry beside its JSON: its key and its places in the maps. */
export const ENTRY_BYTES = 300

const NOTHING: Look = { found: null, mark: null }

/**
 * Answers of reads whose callers allow that later calls are answered from memory. An answer is kept under the time at
 * which its call looked for it, before anything was sent. A change drops what was kept until then, so that an answer which
 * was on its way when the change ended is not kept either.
 */
export class KeptAnswers {
  readonly maxBytes: number
  readonly #own: OwnAnswers
  /** Takes the place of this gateway's own memory, which could not know of changes that others make. @default null */
  otherGateways: SharedAnswers | null = null

  /** @param maxBytes the bound of all answers together; 0 keeps none */
  constructor(maxBytes: number) {
    this.maxBytes = maxBytes
    this.#own = new OwnAnswers(maxBytes)
  }

  /** The answers in this gateway's own memory, and their bytes. */
  get own(): { readonly count: number; readonly bytes: number } {
    return this.#own
  }

  /** @param now monotonic milliseconds */
  look(place: Place, now: number, withinMs: number): Look | Promise<Look> {
    if (this.maxBytes === 0) return NOTHING
    return this.otherGateways?.look(place, withinMs) ?? this.#own.look(place, now)
  }

  keep(place: Place, answer: KeptAnswer, mark: number): void {
    const json = JSON.stringify(answer)
    // A character takes at least a byte.
    if (json.length > Math.min(MOST_ANSWER_BYTES, this.maxBytes)) return
    if (this.otherGateways) this.otherGateways.keep(place, json, mark)
    else this.#own.keep(place, json, mark)
  }

  /** @param now monotonic milliseconds */
  drop(touched: Touched, now: number, withinMs: number): void | Promise<void> {
    if (this.otherGateways) return this.otherGateways.drop(touched, withinMs)
    if (this.maxBytes > 0) this.#own.drop(touched, now)
  }
}

interface Entry {
  /** Outside the heap, and of a size that is known exactly. */
  readonly json: Buffer
  readonly mark: number
}

export class OwnAnswers {
  readonly #maxBytes: number
  /** The answer that was kept longest ago comes first. */
  readonly #entries = new Map<string, Entry>()
  /** Until when the answers of an upstream or of a capability are worthless. As many as there are cards. */
  readonly #touched = new Map<string, number>()
  #bytes = 0

  constructor(maxBytes: number) {
    this.#maxBytes = maxBytes
  }

  get count(): number {
    return this.#entries.size
  }

  get bytes(): number {
    return this.#bytes
  }

  look(place: Place, now: number): Look {
    const entry = this.#entries.get(place.key)
    if (!entry) return { found: null, mark: now }
    const { json, mark } = entry
    const ageMs = now - mark
    if (mark <= this.#touchedUntil(place) || ageMs > KEPT_MS) {
      this.#delete(place.key, entry)
      return { found: null, mark: now }
    }
    return { found: { json: json.toString(), bytes: json.length, ageMs }, mark: now }
  }

  keep(place: Place, text: string, mark: number): void {
    if (mark <= this.#touchedUntil(place)) return
    const json = Buffer.from(text)
    if (json.length > MOST_ANSWER_BYTES) return
    const before = this.#entries.get(place.key)
    if (before) {
      if (before.mark > mark) return
      this.#delete(place.key, before)
    }
    this.#entries.set(place.key, { json, mark })
    this.#bytes += json.length + ENTRY_BYTES
    for (const [key, entry] of this.#entries) {
      if (this.#bytes <= this.#maxBytes) break
      this.#delete(key, entry)
    }
  }

  drop({ upstream, capabilities, doubtMs }: Touched, now: number): void {
    const until = now + doubtMs
    for (const name of namesOf(upstream, capabilities)) {
      this.#touched.set(name, Math.max(until, this.#touched.get(name) ?? 0))
    }
  }

  #touchedUntil({ upstream, capability }: Place): number {
    const [all, one] = [upstreamName(upstream), capability]
    return Math.max(this.#touched.get(all) ?? -1, this.#touched.get(one) ?? -1)
  }

  #delete(key: string, { json }: Entry): void {
    this.#entries.delete(key)
    this.#bytes -= json.length + ENTRY_BYTES
  }
}

/** The names under which a drop is noted: those of the capabilities, or that of the whole upstream. */
export function namesOf(
  upstream: string,
  capabilities: Touched['capabilities'],
): readonly string[] {
  return capabilities ?? [upstreamName(upstream)]
}

/** No capability has such a name. */
export function upstreamName(upstream: string): string {
  return `${upstream}:`
}
