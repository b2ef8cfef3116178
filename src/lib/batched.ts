/** Items that are worked on some at a time. Whoever reads what comes of them flushes first. */
export class Batched<T> {
  readonly #work: (item: T) => void
  readonly #most: number
  #waiting: T[] = []

  /** @param most items that wait at once. */
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
