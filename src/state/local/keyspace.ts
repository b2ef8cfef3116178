/** Keys with values, fields and scores, of which each may end at a time (epoch milliseconds). */
export class Keyspace {
  readonly strings = new Map<string, string>()
  readonly hashes = new Map<string, Map<string, string>>()
  readonly scores = new Map<string, Map<string, number>>()
  readonly #ends = new Map<string, number>()

  hash(key: string): Map<string, string> {
    return entryOf(this.hashes, key, () => new Map<string, string>())
  }

  sorted(key: string): Map<string, number> {
    return entryOf(this.scores, key, () => new Map<string, number>())
  }

  /** The members from the lowest score to the highest, and those of one score by name. */
  members(key: string, from: number): string[] {
    const found = [...(this.scores.get(key) ?? [])].filter(([, score]) => score >= from)
    return found.toSorted(byScore).map(([member]) => member)
  }

  /** The members that are too many: those with the lowest scores. */
  excess(key: string, most: number): string[] {
    const over = (this.scores.get(key)?.size ?? 0) - most
    return over > 0 ? this.members(key, Number.NEGATIVE_INFINITY).slice(0, over) : []
  }

  removeUpTo(key: string, score: number): void {
    const set = this.scores.get(key)
    for (const [member, own] of set ?? []) if (own <= score) set?.delete(member)
  }

  endsAt(key: string): number {
    return this.#ends.get(key) ?? 0
  }

  expire(key: string, at: number): void {
    this.#ends.set(key, at)
  }

  delete(key: string): void {
    this.strings.delete(key)
    this.hashes.delete(key)
    this.scores.delete(key)
    this.#ends.delete(key)
  }

  /** Deletes the key if its time is over. */
  refresh(key: string, now: number): void {
    if (this.#ends.has(key) && this.endsAt(key) <= now) this.delete(key)
  }

  sweep(now: number): void {
    for (const [key, at] of this.#ends) if (at <= now) this.delete(key)
  }
}

function byScore([one, a]: readonly [string, number], [other, b]: readonly [string, number]) {
  if (a !== b) return a - b
  return one < other ? -1 : 1
}

function entryOf<T>(map: Map<string, T>, key: string, make: () => T): T {
  let entry = map.get(key)
  if (entry === undefined) map.set(key, (entry = make()))
  return entry
}
