import type { LiveRow } from './row-schemas.ts'

export type Listener = (live: LiveRow) => void

/** Hands rows that were written to those who watch. Rows are not even made while nobody does. */
export class Feed {
  readonly #listeners = new Set<Listener>()

  get watched(): boolean {
    return this.#listeners.size > 0
  }

  watch(listener: Listener): () => void {
    this.#listeners.add(listener)
    return () => this.#listeners.delete(listener)
  }

  publish(live: LiveRow): void {
    for (const listener of this.#listeners) listener(live)
  }
}
