/** The functions that want to hear of something. */
export class Listeners {
  readonly #all = new Set<() => void>()

  /** @returns a function that takes the listener out again */
  readonly add = (listener: () => void): (() => void) => {
    this.#all.add(listener)
    return () => void this.#all.delete(listener)
  }

  call(): void {
    for (const listener of this.#all) listener()
  }
}
