import MiniSearch from 'minisearch'
import { isObject } from '../lib/is-object.ts'
import type { Card } from '../model/card.ts'
import type { Catalog } from './catalog.ts'
import { isPlural, processTerm, SYNONYMS, synonymsOf, termsOf, wordsOf } from './search-words.ts'

/** Queries come from callers and may have any length. */
const LONGEST_QUERY = 200

interface Index {
  readonly search: MiniSearch<Document>
  readonly byId: ReadonlyMap<string, Card>
  /** The words of each id. */
  readonly names: ReadonlyMap<string, readonly string[]>
  /** All words. A word that is none of them is misspelt. */
  readonly vocabulary: ReadonlySet<string>
}
type Document = Readonly<Record<'id' | 'name' | 'description' | 'members' | 'upstream', string>>

const indexes = new WeakMap<readonly Card[], Index>()

/** Builds the index when it is needed. A reload makes a new list of cards, and so a new index. */
function indexOf(cards: readonly Card[]): Index {
  const known = indexes.get(cards)
  if (known) return known
  const vocabulary = new Set<string>(SYNONYMS.flat())
  const search = new MiniSearch<Document>({
    fields: ['name', 'description', 'members', 'upstream'],
    tokenize: wordsOf,
    processTerm(word) {
      const term = processTerm(word)
      if (term !== null) vocabulary.add(term)
      return term
    },
  })
  search.addAll(cards.map(toDocument))
  const index: Index = {
    search,
    byId: new Map(cards.map(card => [card.id, card])),
    names: new Map(cards.map(({ id }) => [id, termsOf(id)])),
    vocabulary,
  }
  indexes.set(cards, index)
  return index
}

function toDocument({ id, description, input, upstream }: Card): Document {
  const members = Object.entries(isObject(input.properties) ? input.properties : {})
  const texts = members.map(([name, schema]) => {
    const { description: text } = isObject(schema) ? schema : {}
    return typeof text === 'string' ? `${name} ${text}` : name
  })
  return { id, name: id, description, members: texts.join(' '), upstream: upstream.id }
}

/** `change` is all that is no read. `write` is missing: patterns use it for all changes, cards only for some. */
export const WANTED_EFFECTS = ['read', 'idempotent', 'change'] as const
type WantedEffect = (typeof WANTED_EFFECTS)[number]

export interface Wanted {
  readonly query?: string | undefined
  readonly effect?: WantedEffect | undefined
  /** The id of an upstream. */
  readonly upstream?: string | undefined
}

/** The cards of an effect and an upstream; with a query only those that it finds, the best first. */
export function findCards(
  catalog: Pick<Catalog, 'all'>,
  { query, effect, upstream }: Wanted,
): readonly Card[] {
  const cards = query === undefined ? catalog.all() : searchCards(catalog.all(), query)
  return cards.filter(
    card =>
      (effect === undefined || isOf(effect, card)) &&
      (upstream === undefined || card.upstream.id === upstream),
  )
}

function isOf(effect: WantedEffect, card: Pick<Card, 'effect'>): boolean {
  return effect === 'change' ? card.effect !== 'read' : card.effect === effect
}

/**
 * Finds cards by words of their ids, descriptions and members, the best first. Forgives misspellings, and knows synonyms.
 * @param cards the list of a catalog, whose index is kept
 */
export function searchCards(cards: readonly Card[], query: string): readonly Card[] {
  return rank(cards, query, { boost: { name: 4, description: 2, members: 0.5 } }).map(
    ({ card }) => card,
  )
}

function rank(
  cards: readonly Card[],
  text: string,
  options: { readonly boost?: Record<string, number>; readonly fields?: string[] },
): readonly { readonly card: Card; readonly score: number }[] {
  const index = indexOf(cards)
  const query = text.slice(0, LONGEST_QUERY)
  const own = termsOf(query).map(word => corrected(word, index.vocabulary))
  const others = [...synonymsOf(own), ...(isPlural(query) ? ['list'] : [])]
  const found = index.search.search([...own, ...others].join(' '), {
    ...options,
    processTerm,
    prefix: term => term.length > 2,
    // The vocabulary has every word as it is spelt right.
    fuzzy: term => (term.length > 2 && !index.vocabulary.has(term) ? 0.34 : false),
    weights: { fuzzy: 0.4, prefix: 0.6 },
    boostTerm: (_term, at) => (at < own.length ? 1 : 0.3),
    boostDocument: id => nearness(index.names.get(String(id)) ?? [], own, others),
  })
  return found.flatMap(({ id, score }) => {
    const card = index.byId.get(String(id))
    return card ? [{ card, score }] : []
  })
}

/** A query that names a thing alone means to see it. */
const SEES = new Map([
  ['list', 0.5],
  ['view', 0.4],
])

/** How much of an id the query names: the words that it does not name make it another thing. */
function nearness(
  name: readonly string[],
  own: readonly string[],
  others: readonly string[],
): number {
  const worth = name.map(word => {
    if (own.includes(word)) return 1
    if (others.includes(word)) return 0.8
    return SEES.get(word) ?? 0
  })
  return 0.3 + worth.reduce((sum: number, one) => sum + one, 0) / Math.max(1, name.length)
}

/** The word with two letters swapped back, which other corrections do not find in a short word. */
function corrected(word: string, vocabulary: ReadonlySet<string>): string {
  if (vocabulary.has(word)) return word
  const swapped = Array.from(word.slice(1), (_letter, at) =>
    [word.slice(0, at), word[at + 1], word[at], word.slice(at + 2)].join(''),
  )
  return swapped.find(one => vocabulary.has(one)) ?? word
}

/** The most ids that a refusal suggests. */
export const MOST_LIKELY = 5

/** The ids that a caller may have meant by an unknown one, the likeliest first. */
export function likelyIds(
  cards: readonly Card[],
  id: string,
  isVisible: (card: Card) => boolean,
): readonly string[] {
  const found = rank(cards, id, { fields: ['name'] }).filter(({ card }) => isVisible(card))
  const [best] = found
  return found
    .filter(({ score }) => score >= (best?.score ?? 0) * LEAST_LIKENESS)
    .slice(0, MOST_LIKELY)
    .map(({ card }) => card.id)
}

/** The share of the best score below which an id is no likely meaning. */
const LEAST_LIKENESS = 0.5
