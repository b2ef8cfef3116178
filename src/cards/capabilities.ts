import { createHints, type Hints } from '../hints/registry.ts'
import type { Problem } from '../lib/problem.ts'
import type { ConnectedUpstream } from '../model/card.ts'
import { type Catalog, createCatalog } from './catalog.ts'
import { CardsError, type LoadOptions, type LoadResult, loadCapabilities } from './load.ts'

/** What there is to call, with the services behind it; loaded again while the gateway runs. */
export interface Capabilities extends AsyncDisposable {
  readonly catalog: Catalog
  readonly hints: Hints
  readonly upstreams: () => readonly ConnectedUpstream[]
  /** Takes the files as they are now, or, when they are faulty, leaves everything as it was. */
  reload(): Promise<Reloaded>
}

export type Reloaded =
  | { readonly ok: true; readonly capabilities: number }
  | { readonly ok: false; readonly problems: readonly Problem[] }

export interface CapabilityOptions extends LoadOptions {
  /** After so long no request can be left that began with the cards before. */
  readonly longestRequestMs: number
}

/** @throws {CardsError} when a card or upstream is faulty. */
export async function openCapabilities(options: CapabilityOptions): Promise<Capabilities> {
  let loaded = loadCapabilities(options)
  if (loaded.problems.length > 0) {
    await loaded.close()
    throw new CardsError(loaded.problems)
  }
  const catalog = createCatalog(loaded.cards)
  let hints = createHints(loaded.hints)
  const retired = new Retired(options.longestRequestMs)
  return {
    catalog,
    hints: {
      get: id => hints.get(id),
      find: (ids, language) => hints.find(ids, language),
    },
    upstreams: () => loaded.upstreams,
    async reload() {
      const next = loadCapabilities(options)
      if (next.problems.length > 0) {
        await next.close()
        return { ok: false, problems: next.problems }
      }
      retired.add(loaded)
      loaded = next
      catalog.replace(next.cards)
      hints = createHints(next.hints)
      return { ok: true, capabilities: next.cards.size }
    },
    async [Symbol.asyncDispose]() {
      await Promise.all([loaded.close(), retired.close()])
    },
  }
}

/** Connections of cards that were replaced. Requests that began with them go on to their end. */
class Retired {
  readonly #longestRequestMs: number
  readonly #closing = new Map<LoadResult, NodeJS.Timeout>()

  constructor(longestRequestMs: number) {
    this.#longestRequestMs = longestRequestMs
  }

  add(loaded: LoadResult): void {
    const close = () => {
      this.#closing.delete(loaded)
      void loaded.close()
    }
    this.#closing.set(loaded, setTimeout(close, this.#longestRequestMs).unref())
  }

  async close(): Promise<void> {
    const left = [...this.#closing]
    this.#closing.clear()
    for (const [, timer] of left) clearTimeout(timer)
    await Promise.all(left.map(([loaded]) => loaded.close()))
  }
}
