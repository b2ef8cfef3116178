import { shorten } from '../lib/text.ts'
import type { Card } from '../model/card.ts'
import { GatewayError } from '../model/errors.ts'
import { likelyIds } from './search.ts'

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

/**
 * @param isVisible the capabilities that the caller may know of
 * @throws {GatewayError} NOT_FOUND, which suggests the likeliest ids
 */
export function findCard(
  catalog: Catalog,
  id: string,
  isVisible: (card: Card) => boolean = () => true,
): Card {
  const card = catalog.get(id)
  if (card) return card
  const likely = likelyIds(catalog.all(), id, isVisible)
  throw notFound('capability', id, likely, 'The list of capabilities has them all.')
}

/** NOT_FOUND for a name that a caller gave. @param more what to do otherwise, in whole sentences */
export function notFound(
  kind: 'capability' | 'tool',
  name: string,
  likely: readonly string[],
  more: string,
): GatewayError {
  const meant = likely.length === 0 ? '' : `Did you mean ${likely.join(', ')}? `
  return new GatewayError(
    'NOT_FOUND',
    `There is no ${kind} "${shorten(name, LONGEST_SHOWN)}". ${meant}${more}`,
    {
      source: 'caller',
      details: {
        fields: [{ path: 'capability', message: 'is not known' }],
        ...(likely.length === 0 ? {} : { did_you_mean: likely }),
      },
    },
  )
}

const LONGEST_SHOWN = 200

function sortById(cards: ReadonlyMap<string, Card>): readonly Card[] {
  return [...cards.values()].sort((a, b) => (a.id < b.id ? -1 : 1))
}
