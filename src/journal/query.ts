/** The SELECTs behind the lists. Filters, order and paging are the same for every database. */

import { ATTEMPT_COLUMNS, type Column, REQUEST_COLUMNS, SOLE } from './columns.ts'
import type { JournalFilter, PageRequest } from './journal.ts'
import { firstKeyAt } from './keys.ts'
import {
  decodeRowCursor,
  encodeRowCursor,
  type ListName,
  type LivePosition,
  type Position,
} from './row-cursor.ts'
import type { Page } from './row-schemas.ts'

export interface Query {
  readonly columns: string
  readonly table: string
  /** Columns, and the value that each must have. */
  readonly equal: readonly (readonly [column: string, value: Column])[]
  /** Further conditions, with `?` for each value. */
  readonly ranges: readonly { readonly sql: string; readonly values: readonly Column[] }[]
  readonly order: string
  readonly limit: number
}

/** Statement text, with `?` for values. */
export interface Sql {
  readonly text: string
  readonly values: readonly Column[]
}

/** The subquery runs only for the rows of one page: `meta` is too large to read for every row that is filtered. */
export const LISTED = `key, ${REQUEST_COLUMNS.join(', ')},
  (SELECT meta FROM request_details WHERE request_details.key = requests.key) AS meta`

export function requestsQuery(filter: JournalFilter, page: PageRequest): Query {
  return {
    columns: LISTED,
    table: 'requests',
    equal: requestEqualities(filter),
    ranges: [...timeRanges(filter), ...keyRange('after', positionOf('requests', page)?.key, page)],
    order: page.before === undefined ? 'key DESC' : 'key',
    limit: page.limit + 1,
  }
}

function requestEqualities(filter: JournalFilter): Query['equal'] {
  return equalities({
    code: filter.code,
    caller: filter.caller,
    capability_id: filter.capability,
    route_used: filter.route,
    ok: filter.ok === undefined ? undefined : Number(filter.ok),
    correlation_id: filter.correlation_id,
    batch_id: filter.batch_id,
  })
}

export function attemptsQuery(filter: JournalFilter, page: PageRequest): Query {
  return {
    columns: `key, ${ATTEMPT_COLUMNS.join(', ')}`,
    table: 'attempts',
    equal: equalities({
      code: filter.code,
      caller: filter.caller,
      capability_id: filter.capability,
      route: filter.route,
      status: filter.ok === undefined ? undefined : filter.ok ? 'success' : 'error',
    }),
    ranges: [...timeRanges(filter), ...attemptRange(page)],
    order: page.before === undefined ? 'key DESC, position DESC' : 'key, position',
    limit: page.limit + 1,
  }
}

/**
 * Selects requests whose only attempt has no row of its own. Null if the filter asks for failed attempts.
 * @param end key at which the page ends; undefined if it is not full yet.
 */
export function soleQuery(
  filter: JournalFilter,
  page: PageRequest,
  end: number | undefined,
): Query | null {
  if (filter.ok === false || filter.code !== undefined) return null
  return {
    columns: LISTED,
    table: 'requests',
    equal: equalities({
      caller: filter.caller,
      capability_id: filter.capability,
      route_used: filter.route,
    }),
    ranges: [
      { sql: 'plain = ?', values: [SOLE] },
      ...timeRanges(filter),
      // These requests have no rows of attempts, so the cursor's position among such rows does not matter.
      ...keyRange('after', positionOf('attempts', page)?.key, page),
      ...keyRange('before', end, page),
    ],
    order: page.before === undefined ? 'key DESC' : 'key',
    limit: page.limit + 1,
  }
}

/** A resumed stream lacks requests that ran longer than this. */
const LONGEST_MISSED_MS = 60_000

/**
 * Selects the requests that were recorded after a certain row. A key holds the time at which a request began,
 * but its row is written when it ends, so a later row may have a lower key. Therefore the query compares ends,
 * and starts the range of keys a little earlier.
 */
export function missedQuery(filter: JournalFilter, { key, ended }: LivePosition, limit: number) {
  return {
    columns: LISTED,
    table: 'requests',
    equal: requestEqualities(filter),
    ranges: [
      ...timeRanges(filter),
      { sql: 'key > ?', values: [firstKeyAt(ended - LONGEST_MISSED_MS)] },
      { sql: 'key <> ?', values: [key] },
      { sql: 'time + duration_ms >= ?', values: [ended] },
    ],
    order: 'key DESC',
    limit,
  } satisfies Query
}

/** Older versions let callers choose request ids, so several rows may have one. This selects the newest. */
export function requestQuery(requestId: string, caller?: string): Query {
  return {
    columns: '*',
    table: 'requests JOIN request_details USING (key)',
    equal: equalities({ request_id: requestId, caller }),
    ranges: [],
    order: 'key DESC',
    limit: 1,
  }
}

/**
 * The statement for a query. With `driver`, SQLite searches the index of that column: it does not use the index
 * of a column with a plus sign before it.
 */
export function toSql(query: Query, driver?: string): Sql {
  const { columns, table, equal, ranges, order, limit } = query
  const conditions = [
    ...equal.map(([column]) => `${driver && column !== driver ? '+' : ''}${column} = ?`),
    ...ranges.map(({ sql }) => sql),
  ]
  const where = conditions.length === 0 ? '' : ` WHERE ${conditions.join(' AND ')}`
  return {
    text: `SELECT ${columns} FROM ${table}${where} ORDER BY ${order} LIMIT ?`,
    values: [...equal.map(([, value]) => value), ...ranges.flatMap(({ values }) => values), limit],
  }
}

/** A row of a list query, with its place in the list. */
interface Positioned {
  readonly key: number
  readonly position?: number
}

/** List queries ask for one row more than the page holds: if it is there, another page follows in that direction. */
export function toPage<Row extends Positioned, Item>(
  rows: readonly Row[],
  { limit, after, before }: PageRequest,
  toItem: (row: Row) => Item,
): Page<Item> {
  const towardsNewer = before !== undefined
  const more = rows.length > limit
  const shown = rows.slice(0, limit)
  if (towardsNewer) shown.reverse()
  const [first, last] = [shown[0], shown.at(-1)]
  return {
    items: shown.map(toItem),
    pageInfo: {
      // The row that the reader paged away from is on the other side.
      hasNextPage: towardsNewer ? first !== undefined : more,
      hasPreviousPage: towardsNewer ? more : first !== undefined && after !== undefined,
      startCursor: first === undefined ? null : encodeRowCursor(first),
      endCursor: last === undefined ? null : encodeRowCursor(last),
    },
  }
}

function positionOf(list: ListName, { after, before }: PageRequest): Position | null {
  const cursor = before ?? after
  if (cursor === undefined) return null
  return decodeRowCursor(list, before === undefined ? 'after' : 'before', cursor)
}

/** Restricts a query to rows after a key, or before it, in the order of the page. */
function keyRange(side: 'after' | 'before', key: number | undefined, page: PageRequest) {
  const sign = (side === 'after') === (page.before === undefined) ? '<' : '>'
  return key === undefined ? [] : [{ sql: `key ${sign} ?`, values: [key] }]
}

function attemptRange(page: PageRequest): Query['ranges'] {
  const from = positionOf('attempts', page)
  const sign = page.before === undefined ? '<' : '>'
  return from === null
    ? []
    : [{ sql: `(key, position) ${sign} (?, ?)`, values: [from.key, from.position] }]
}

function equalities(columns: Readonly<Record<string, Column | undefined>>): Query['equal'] {
  return Object.entries(columns).flatMap(([column, value]) =>
    value === undefined ? [] : [[column, value] as const],
  )
}

/** Keys grow with time, so a span of time is a range of keys. */
function timeRanges({ since, until }: JournalFilter): Query['ranges'] {
  return [
    ...(since === undefined ? [] : [{ sql: 'key >= ?', values: [firstKeyAt(since)] }]),
    ...(until === undefined ? [] : [{ sql: 'key < ?', values: [firstKeyAt(until)] }]),
  ]
}
