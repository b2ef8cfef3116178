/** The reading SQL. Filters, order and paging are the same for every database. */
import { decodeCursor, encodeCursor } from './cursor.ts'
import type { JournalFilter, Page, PageRequest } from './journal.ts'
import { firstKeyAt } from './keys.ts'
import { ATTEMPT_COLUMNS, type Column, REQUEST_COLUMNS } from './rows.ts'

export interface Query {
  readonly columns: string
  readonly table: string
  /** Columns and the value that each has to have. */
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

export function requestsQuery(filter: JournalFilter, page: PageRequest): Query {
  const after = page.after === undefined ? null : decodeCursor('requests', page.after)
  return {
    columns: `key, ${REQUEST_COLUMNS.join(', ')}`,
    table: 'requests',
    equal: equalities({
      code: filter.code,
      caller: filter.caller,
      capability_id: filter.capability,
      route_used: filter.route,
      ok: filter.ok === undefined ? undefined : Number(filter.ok),
    }),
    ranges: [...timeRanges(filter), ...(after ? [{ sql: 'key < ?', values: [after.key] }] : [])],
    order: 'key DESC',
    limit: page.limit + 1,
  }
}

export function attemptsQuery(filter: JournalFilter, page: PageRequest): Query {
  const after = page.after === undefined ? null : decodeCursor('attempts', page.after)
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
    ranges: [
      ...timeRanges(filter),
      ...(after ? [{ sql: '(key, position) < (?, ?)', values: [after.key, after.position] }] : []),
    ],
    order: 'key DESC, position DESC',
    limit: page.limit + 1,
  }
}

/** Ids that callers chose can occur more than once: the newest that this caller may see counts. */
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
 * The statement for a query. With `driver`, the search goes along that column's index: SQLite makes no
 * use of the index of a column that has a plus sign before it.
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

/** A row as a list query gives it. */
interface Positioned {
  readonly key: number
  readonly position?: number
}

/** List queries ask for one row too many: its presence says that there is a next page. */
export function toPage<Row extends Positioned, Item>(
  rows: readonly Row[],
  limit: number,
  toItem: (row: Row) => Item,
): Page<Item> {
  const shown = rows.slice(0, limit)
  const last = shown.at(-1)
  return {
    items: shown.map(toItem),
    pageInfo: {
      hasNextPage: rows.length > limit,
      endCursor: last === undefined ? null : encodeCursor(last),
    },
  }
}

function equalities(columns: Readonly<Record<string, Column | undefined>>): Query['equal'] {
  return Object.entries(columns).flatMap(([column, value]) =>
    value === undefined ? [] : [[column, value] as const],
  )
}

/** A key begins with the time, so a span of time is a range of keys. */
function timeRanges({ since, until }: JournalFilter): Query['ranges'] {
  return [
    ...(since === undefined ? [] : [{ sql: 'key >= ?', values: [firstKeyAt(since)] }]),
    ...(until === undefined ? [] : [{ sql: 'key < ?', values: [firstKeyAt(until)] }]),
  ]
}
