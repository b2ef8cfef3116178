import MiniSearch from 'minisearch'
import { isObject } from '../lib/is-object.ts'
import { wordsOf as wordsIn } from '../lib/words.ts'
import type { Card } from '../model/card.ts'
import type { Effect } from '../model/route.ts'
import type { Catalog } from './catalog.ts'

/** Queries come from callers and may have any length. */
const LONGEST_QUERY = 200

/** Words that people and models use for the words of ids. Each finds the others of its line. */
const SYNONYMS = [
  'view get show read fetch retrieve inspect',
  'list find search enumerate query browse',
  'create add new open make post submit write',
  'update edit change modify patch set rename',
  'delete remove destroy erase drop clear',
  'pr pull mr',
  'issue ticket bug',
  'repo repository project',
  'comment reply note answer',
  'merge land integrate',
  'run execution build job action',
  'check ci status test',
  'workflow pipeline action',
  'contents file blob source',
  'blame author annotate',
  'dispatch trigger start',
  'rerun retry restart',
  'cancel stop abort',
  'close finish done',
  'assignee owner assign',
  'release publish version changelog',
  'viewer me whoami user self',
  'metric series measurement',
  'label tag',
].map(line => line.split(' '))

const PULL_REQUEST = /(?:pull|merge)[^a-z]?request/gi

/** `pullRequests.list_all` → prs, list, all. */
function wordsOf(text: string): string[] {
  return wordsIn(text.replaceAll(PULL_REQUEST, 'pr'))
}

/** Plural and singular count as the same word. */
function stem(word: string): string {
  return word.length > 3 && word.endsWith('s') && !word.endsWith('ss') ? word.slice(0, -1) : word
}

const STOP_WORDS = new Set(['a', 'an', 'the', 'of', 'to', 'in', 'on', 'for', 'and', 'or', 'with'])

function processTerm(word: string): string | null {
  return STOP_WORDS.has(word) ? null : stem(word)
}

type Index = MiniSearch<Document>
type Document = Readonly<Record<'id' | 'name' | 'description' | 'members' | 'upstream', string>>

const indexes = new WeakMap<readonly Card[], Index>()

/** Builds the index when it is needed. A reload makes a new list of cards, and so a new index. */
function indexOf(cards: readonly Card[]): Index {
  const known = indexes.get(cards)
  if (known) return known
  const index: Index = new MiniSearch<Document>({
    fields: ['name', 'description', 'members', 'upstream'],
    tokenize: wordsOf,
    processTerm,
  })
  index.addAll(cards.map(toDocument))
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

export interface Wanted {
  readonly query?: string | undefined
  readonly effect?: Effect | undefined
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
      (effect === undefined || card.effect === effect) &&
      (upstream === undefined || card.upstream.id === upstream),
  )
}

/**
 * Finds cards by words of their ids, descriptions and members, the best first. Forgives misspellings, and knows synonyms.
 * @param cards the list of a catalog, whose index is kept
 */
export function searchCards(cards: readonly Card[], query: string): readonly Card[] {
  const byId = new Map(cards.map(card => [card.id, card]))
  const found = indexOf(cards).search(withSynonyms(query), {
    ...LIKENESS,
    boost: { name: 4, description: 2, members: 0.5 },
    boostTerm: (_term, at) => (at < words(query).length ? 1 : 0.3),
  })
  return found.flatMap(({ id }) => byId.get(String(id)) ?? [])
}

const LIKENESS = {
  prefix: (term: string) => term.length > 2,
  fuzzy: (term: string) => (term.length > 3 ? 0.34 : false),
  weights: { fuzzy: 0.4, prefix: 0.6 },
}

function words(text: string): string[] {
  return wordsOf(text.slice(0, LONGEST_QUERY)).flatMap(word => processTerm(word) ?? [])
}

/** The words of the query first, then their synonyms, which count less. */
function withSynonyms(query: string): string {
  const own = words(query)
  const others = SYNONYMS.filter(line => line.some(word => own.includes(stem(word)))).flat()
  return [...own, ...others.filter(word => !own.includes(stem(word)))].join(' ')
}

/** The most ids that a refusal suggests. */
export const MOST_LIKELY = 5

/** The ids that a caller may have meant by an unknown one, the likeliest first. */
export function likelyIds(
  cards: readonly Card[],
  id: string,
  isVisible: (card: Card) => boolean,
): readonly string[] {
  const byId = new Map(cards.map(card => [card.id, card]))
  const found = indexOf(cards)
    .search(withSynonyms(id), {
      ...LIKENESS,
      fields: ['name'],
      boostTerm: (_term, at) => (at < words(id).length ? 1 : 0.3),
    })
    .filter(({ id: known }) => {
      const card = byId.get(String(known))
      return card !== undefined && isVisible(card)
    })
  const [best] = found
  return found
    .filter(({ score }) => score >= (best?.score ?? 0) * LEAST_LIKENESS)
    .slice(0, MOST_LIKELY)
    .map(({ id: known }) => String(known))
}

/** The share of the best score below which an id is no likely meaning. */
const LEAST_LIKENESS = 0.5
