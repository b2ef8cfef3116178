/** Collects items and works on them in batches. Readers of the result flush first. */
export class Batched<T> {
  readonly #work: (item: T) => void
  readonly #most: number
  #waiting: T[] = []

  /** @param most number of items that may wait. */
  constructor(work: (item: T) => void, most: number) {
    this.#work = work
    this.#most = most
  }

  add(item: T): void {
    if (this.#waiting.push(item) >= this.#most) this.flush()
  }

  flush(): void {
    const items = this.#waiting
    this.#waiting = []
    for (const item of items) this.#work(item)
  }
}
