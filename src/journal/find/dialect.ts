/** The SQL in which the databases differ. */
import { PLACES, type Search, type Source } from './search.ts'

/** Words that every reader of a request may see, or all. */
export type WordsWithin = 'own' | 'all'

/** In PostgreSQL, words that every reader sees are there again with it. */
export const OWN_PREFIX = '_'

/** A set of the places of a list's rows. */
export interface PlaceSet {
  readonly text: string
  /** The columns that it has: a set of requests has only the key. */
  readonly place: string
}

export interface Dialect {
  /** The texts of a JSON array, as a subquery. */
  readonly texts: string
  /** The values of a JSON array, as rows of `list`. */
  readonly list: string
  /** Makes SQLite use an index: it has no statistics. PostgreSQL chooses by its own. */
  indexed(index: string | null): string
  /** The places that all of these ordered sets have, read in step. One of them has whole places. */
  intersect(sets: readonly PlaceSet[], place: string): string
  /** A part of such a set, which an index returns in this order. */
  ordered(text: string, order: string): string
  /** Whether the sources of a condition can be such a set in a search of this table. */
  merges(table: Search['table'], sources: readonly Source[]): boolean
  /** The keys of an ordered set that may have them several times. */
  distinctKeys(set: string, order: string): string
  /** A value to which a partial index is compared. */
  readonly value: string
  /** Whether the best plan differs between common and rare values, so that each has to be in the text as a parameter. */
  readonly plansByValue: boolean
  /** Runs a subquery, which refers to `list`, for each row of it. Selects the places that it finds. */
  forEach(table: Search['table'], subquery: string): string
  /** A number in the JSON of a request's only attempt, see `SOLE`. */
  soleNumber(member: string): string
  /** The trace of a request, in a row of its details. */
  readonly traceId: string
  /** The full-text index. Looks for all these words. */
  readonly words: {
    readonly column: string
    readonly operator: string
    query(words: readonly string[], within: WordsWithin): string
  }
}

const DETAILS = 'FROM request_details WHERE request_details.key = requests.key'

export const SQLITE: Dialect = {
  texts: '(SELECT value FROM json_each(?))',
  list: 'json_each(?) AS list',
  indexed: index => (index === null ? '' : `INDEXED BY ${index}`),
  intersect: (sets, place) =>
    sets.map(({ text }) => `SELECT ${place} FROM ${text}`).join(' INTERSECT '),
  // It merges the parts of a set that is ordered, and allows no order in them.
  ordered: text => text,
  // It intersects sets with the same columns only.
  merges: (table, sources) =>
    table === 'requests' || sources.every(source => source.table === table),
  distinctKeys: (set, order) => `SELECT key FROM ${set} ORDER BY ${order}`,
  // With `= ?` SQLite puts the value in place of the column in the condition of the index too, and no longer knows it.
  value: '(SELECT ?)',
  plansByValue: false,
  // SQLite has no LATERAL. But a table-valued function may refer to the table before it.
  forEach: (table, subquery) => {
    const [key, position] = PLACES[table]
    const item = position ? `json_array(${key}, ${position})` : key
    const selected = position ? 'found.value ->> 0, found.value ->> 1' : 'found.value'
    return `SELECT ${selected} FROM ${SQLITE.list},
      json_each((SELECT json_group_array(${item}) FROM (${subquery}))) AS found`
  },
  soleNumber: member => `(SELECT meta ->> '$.attempts[0].${member}' ${DETAILS})`,
  traceId: "(request_details.meta ->> '$.trace_id')",
  words: {
    column: 'request_texts.words',
    operator: 'MATCH',
    query: (words, within) =>
      `${within === 'own' ? '{own} : ' : ''}(${words.map(word => `"${word}"`).join(' AND ')})`,
  },
}

export const POSTGRES: Dialect = {
  texts: '(SELECT json_array_elements_text(?::json))',
  list: 'json_array_elements_text(?::json) AS list(value)',
  indexed: () => '',
  intersect: (sets, place) => {
    const [first, ...others] = sets.toSorted((a, b) => b.place.length - a.place.length)
    const joins = others.map((set, at) => `JOIN ${set.text} AS set${at} USING (${set.place})`)
    return `SELECT ${place} FROM ${first?.text} AS first ${joins.join(' ')}`
  },
  // Without the order in each part it would read and sort all of them.
  ordered: (text, order) => `(${text} ORDER BY ${order})`,
  merges: (table, sources) => {
    const tables = new Set(sources.map(source => source.table))
    const isOfLists = tables.isSubsetOf(new Set(['requests', 'attempts']))
    return isOfLists && (table === 'requests' || tables.size === 1)
  },
  // For DISTINCT it may read all of them into a hash table. A window reads them in order, and only as far as it has to.
  distinctKeys: (set, order) =>
    `SELECT key FROM (SELECT key, lag(key) OVER (ORDER BY ${order}) AS last FROM ${set}) AS keys
     WHERE last IS DISTINCT FROM key`,
  value: '?',
  plansByValue: true,
  forEach: (table, subquery) => {
    const selected = PLACES[table].map(column => `found.${column}`).join(', ')
    return `SELECT ${selected} FROM ${POSTGRES.list}, LATERAL (${subquery}) AS found`
  },
  soleNumber: member =>
    `(SELECT CAST(meta::json #>> '{attempts,0,${member}}' AS double precision) ${DETAILS})`,
  traceId: "(request_details.meta::json ->> 'trace_id')",
  words: {
    column: 'request_texts.words',
    operator: '@@',
    query: (words, within) =>
      words.map(word => `'${within === 'own' ? OWN_PREFIX : ''}${word}'`).join(' & '),
  },
}
