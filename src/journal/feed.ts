import type { Written } from './columns.ts'
import type { LiveRow } from './row-schemas.ts'
import { toLiveRow } from './views.ts'

export type Listener = (live: LiveRow) => void

/** Passes written requests on to those who watch. Builds no rows while nobody does. */
export class Feed {
  readonly #listeners = new Set<Listener>()

  get watched(): boolean {
    return this.#listeners.size > 0
  }

  watch(listener: Listener): () => void {
    this.#listeners.add(listener)
    return () => this.#listeners.delete(listener)
  }

  publish(written: readonly Written[]): void {
    if (!this.watched) return
    for (const columns of written) {
      const live = toLiveRow(columns)
      for (const listener of this.#listeners) listener(live)
    }
  }
}
