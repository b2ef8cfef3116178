import { createHints, type Hints } from '../hints/registry.ts'
import type { Problem } from '../lib/problem.ts'
import type { ConnectedUpstream } from '../model/card.ts'
import { type Catalog, createCatalog } from './catalog.ts'
import { type CardChanges, changesBetween } from './changes.ts'
import { CardsError, type LoadOptions, type LoadResult, loadCapabilities } from './load.ts'

/** The capabilities in use, with the services behind them. A running gateway can reload them. */
export interface Capabilities extends AsyncDisposable {
  readonly catalog: Catalog
  readonly hints: Hints
  readonly upstreams: () => readonly ConnectedUpstream[]
  /** Loads the files again. If they are faulty, keeps everything as it was. */
  reload(): Promise<Reloaded>
  /** Breaks off all requests to services. */
  cut(): void
}

export type Reloaded =
  | { readonly ok: true; readonly capabilities: number; readonly changes: CardChanges }
  | { readonly ok: false; readonly problems: readonly Problem[] }

export interface CapabilityOptions extends LoadOptions {
  /** How long to keep the connections of replaced cards open for requests that use them. */
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
      get: (id, language) => hints.get(id, language),
      find: (ids, language, door) => hints.find(ids, language, door),
    },
    upstreams: () => loaded.upstreams,
    async reload() {
      const next = loadCapabilities(options)
      if (next.problems.length > 0) {
        await next.close()
        return { ok: false, problems: next.problems }
      }
      const changes = changesBetween(loaded, next)
      retired.add(loaded)
      loaded = next
      catalog.replace(next.cards)
      hints = createHints(next.hints)
      return { ok: true, capabilities: next.cards.size, changes }
    },
    cut() {
      for (const each of [loaded, ...retired.open()]) cutUpstreams(each)
    },
    async [Symbol.asyncDispose]() {
      await Promise.all([loaded.close(), retired.close()])
    },
  }
}

function cutUpstreams({ upstreams }: LoadResult): void {
  for (const { connections } of upstreams) {
    for (const connection of connections.values()) connection.cut?.()
  }
}

/** Closes the connections of replaced cards once the requests that use them have ended. */
class Retired {
  readonly #longestRequestMs: number
  readonly #closing = new Map<LoadResult, NodeJS.Timeout>()

  constructor(longestRequestMs: number) {
    this.#longestRequestMs = longestRequestMs
  }

  add(loaded: LoadResult): void {
    for (const { connections } of loaded.upstreams) {
      for (const connection of connections.values()) connection.retire?.()
    }
    const close = () => {
      this.#closing.delete(loaded)
      void loaded.close()
    }
    this.#closing.set(loaded, setTimeout(close, this.#longestRequestMs).unref())
  }

  open(): readonly LoadResult[] {
    return [...this.#closing.keys()]
  }

  async close(): Promise<void> {
    const left = [...this.#closing]
    this.#closing.clear()
    for (const [, timer] of left) clearTimeout(timer)
    await Promise.all(left.map(([loaded]) => loaded.close()))
  }
}
