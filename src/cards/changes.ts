import type { ConnectedUpstream } from '../model/card.ts'
import type { LoadResult } from './load.ts'

/** Ids of cards, and of upstreams, that differ after a reload. */
export interface CardChanges {
  readonly added: readonly string[]
  readonly changed: readonly string[]
  readonly removed: readonly string[]
  /** Upstreams that are new, gone, or described by another `upstream.yaml`. */
  readonly upstreams: readonly string[]
}

type Loaded = Pick<LoadResult, 'cards' | 'upstreams'>

export function changesBetween(before: Loaded, after: Loaded): CardChanges {
  const cards = compare(digestsOf(before.cards.values()), digestsOf(after.cards.values()))
  const { added, changed, removed } = compare(
    digestsOf(before.upstreams.map(toOne)),
    digestsOf(after.upstreams.map(toOne)),
  )
  return { ...cards, upstreams: [...added, ...changed, ...removed].toSorted() }
}

interface One {
  readonly id: string
  readonly digest: () => string
}

function toOne({ upstream: { id }, digest }: ConnectedUpstream): One {
  return { id, digest }
}

function digestsOf(ones: Iterable<One>): ReadonlyMap<string, string> {
  return new Map([...ones].map(({ id, digest }) => [id, digest()]))
}

function compare(before: ReadonlyMap<string, string>, after: ReadonlyMap<string, string>) {
  const ids = [...new Set([...before.keys(), ...after.keys()])].toSorted()
  return {
    added: ids.filter(id => !before.has(id)),
    removed: ids.filter(id => !after.has(id)),
    changed: ids.filter(id => before.has(id) && after.has(id) && before.get(id) !== after.get(id)),
  }
}
