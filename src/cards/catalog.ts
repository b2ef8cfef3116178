import type { Card } from '../model/card.ts'
import { GatewayError } from '../model/errors.ts'

/** The cards in use. A reload replaces all of them at once. */
export interface Catalog {
  get(id: string): Card | undefined
  all(): readonly Card[]
}

export function createCatalog(initial: ReadonlyMap<string, Card>): Catalog & {
  replace(cards: ReadonlyMap<string, Card>): void
} {
  let cards = initial
  let sorted = sortById(cards)
  return {
    get: id => cards.get(id),
    all: () => sorted,
    replace(next) {
      cards = next
      sorted = sortById(next)
    },
  }
}

/** @throws {GatewayError} NOT_FOUND */
export function findCard(catalog: Catalog, id: string): Card {
  const card = catalog.get(id)
  if (card) return card
  throw new GatewayError(
    'NOT_FOUND',
    `There is no capability "${id}". ${suggest(catalog, id)}The list of capabilities has them all.`,
    { source: 'caller', details: { fields: [{ path: 'capability', message: 'is not known' }] } },
  )
}

/** Suggests capabilities with the same noun or verb: a misspelling most likely means one of them. */
function suggest(catalog: Catalog, id: string): string {
  const parts = new Set(id.toLowerCase().split('.'))
  const near = catalog.all().filter(card => card.id.split('.').some(part => parts.has(part)))
  return near.length === 0 || near.length > 20
    ? ''
    : `Did you mean ${near.map(card => card.id).join(', ')}? `
}

function sortById(cards: ReadonlyMap<string, Card>): readonly Card[] {
  return [...cards.values()].sort((a, b) => (a.id < b.id ? -1 : 1))
}
