/** A Map with at most `capacity` entries: setting one more evicts the entry that was set longest ago. */
export class BoundedMap<K, V> extends Map<K, V> {
  readonly #capacity: number

  constructor(capacity: number) {
    super()
    this.#capacity = capacity
  }

  /** Makes the entry the newest, also when its key is there already. */
  override set(key: K, value: V): this {
    this.delete(key)
    super.set(key, value)
    if (this.size > this.#capacity) this.delete(this.keys().next().value as K)
    return this
  }
}
