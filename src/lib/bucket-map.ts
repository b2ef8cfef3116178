interface Entry<V> {
  readonly key: string
  readonly value: V
  next: Entry<V> | null
}

const BUCKETS = 1024

/**
 * A map for entries that come and go with requests. V8 copies a Map after every few deletions, each dead copy references the
 * next one, and whatever it references stays in memory until the next major GC. This one is never copied.
 */
export class BucketMap<V> {
  readonly #buckets: (Entry<V> | null)[] = Array.from({ length: BUCKETS }, () => null)

  /** @param bucket that of the key, if the caller knows it: to find it takes as long as the rest. */
  get(key: string, bucket = bucketOf(key)): V | undefined {
    let entry = this.#buckets[bucket] ?? null
    while (entry !== null && entry.key !== key) entry = entry.next
    return entry?.value
  }

  /** The key must not be there yet. */
  add(key: string, value: V, bucket = bucketOf(key)): void {
    this.#buckets[bucket] = { key, value, next: this.#buckets[bucket] ?? null }
  }

  delete(key: string, bucket = bucketOf(key)): void {
    let before: Entry<V> | null = null
    let entry = this.#buckets[bucket] ?? null
    while (entry !== null && entry.key !== key) {
      before = entry
      entry = entry.next
    }
    if (entry === null) return
    if (before === null) this.#buckets[bucket] = entry.next
    else before.next = entry.next
    // A dead entry must not keep a living one in memory either.
    entry.next = null
  }
}

export function bucketOf(key: string): number {
  let hash = 0
  for (let at = 0; at < key.length; at++) hash = (hash * 31 + key.charCodeAt(at)) | 0
  return (hash ^ (hash >>> 15)) & (BUCKETS - 1)
}
