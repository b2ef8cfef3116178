import type { Written } from './columns.ts'
import type { LiveRow } from './row-schemas.ts'
import { toLiveRow } from './views.ts'

export type Watcher = (live: LiveRow) => void

/** Passes written requests on to those who watch. Builds no rows while nobody does. */
export class Feed {
  readonly #watchers = new Set<Watcher>()

  get watched(): boolean {
    return this.#watchers.size > 0
  }

  watch(watcher: Watcher): () => void {
    this.#watchers.add(watcher)
    return () => this.#watchers.delete(watcher)
  }

  publish(written: readonly Written[]): void {
    if (!this.watched) return
    for (const columns of written) {
      const live = toLiveRow(columns)
      for (const watcher of this.#watchers) watcher(live)
    }
  }
}
