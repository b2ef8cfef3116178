/** The searches behind the lists. Filters, order and paging are the same for every database. */

import { ATTEMPT_COLUMNS, REQUEST_COLUMNS } from './columns.ts'
import { attemptConditions, soleConditions } from './find/attempts.ts'
import { check } from './find/condition.ts'
import { type Resolved, requestConditions } from './find/conditions.ts'
import type { Dialect } from './find/dialect.ts'
import type { Range, Search, Sql } from './find/search.ts'
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

/** The subqueries run only for the rows of one page: `meta` is too large to read for every row that is filtered. */
export const LISTED = `key, ${REQUEST_COLUMNS.join(', ')}, ${detail('meta')}, ${detail('answer_from')}`

function detail(name: 'meta' | 'answer_from'): string {
  return `(SELECT ${name} FROM request_details WHERE request_details.key = requests.key) AS ${name}`
}

export function requestsSearch(
  dialect: Dialect,
  filter: JournalFilter,
  page: PageRequest,
  resolved: Resolved = {},
): Search {
  return {
    table: 'requests',
    columns: LISTED,
    conditions: requestConditions(dialect, filter, resolved),
    ranges: [...timeRanges(filter), ...keyRange('after', positionOf('requests', page)?.key, page)],
    direction: directionOf(page),
    limit: page.limit + 1,
  }
}

export function attemptsSearch(
  dialect: Dialect,
  filter: JournalFilter,
  page: PageRequest,
  resolved: Resolved = {},
): Search {
  return {
    table: 'attempts',
    columns: ['key', ...ATTEMPT_COLUMNS].map(name => `attempts.${name}`).join(', '),
    conditions: attemptConditions(dialect, filter, resolved),
    ranges: [...timeRanges(filter), ...attemptRange(page)],
    direction: directionOf(page),
    limit: page.limit + 1,
  }
}

/**
 * Selects requests whose only attempt has no row of its own. Null if no such attempt can pass the filter.
 * @param end key at which the page ends; undefined if it is not full yet.
 */
export function soleSearch(
  dialect: Dialect,
  filter: JournalFilter,
  page: PageRequest & { readonly end: number | undefined },
  resolved: Resolved = {},
): Search | null {
  const conditions = soleConditions(dialect, filter, resolved)
  if (conditions === null) return null
  return {
    table: 'requests',
    columns: LISTED,
    conditions,
    ranges: [
      ...timeRanges(filter),
      // These requests have no rows of attempts, so the cursor's position among such rows does not matter.
      ...keyRange('after', positionOf('attempts', page)?.key, page),
      ...keyRange('before', page.end, page),
    ],
    direction: directionOf(page),
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
export function missedSearch(
  dialect: Dialect,
  filter: JournalFilter,
  { key, ended, limit }: LivePosition & { readonly limit: number },
  resolved: Resolved = {},
): Search {
  return {
    table: 'requests',
    columns: LISTED,
    conditions: [
      ...requestConditions(dialect, filter, resolved),
      check('requests.key <> ?', key),
      check('requests.time + requests.duration_ms >= ?', ended),
    ],
    ranges: [
      ...timeRanges(filter),
      { text: '{}.key > ?', values: [firstKeyAt(ended - LONGEST_MISSED_MS)] },
    ],
    direction: 'DESC',
    limit,
  }
}

/** Older versions let callers choose request ids, so several rows may have one. This selects the newest. */
export function requestQuery(requestId: string, caller?: string): Sql {
  return {
    text: `SELECT * FROM requests JOIN request_details USING (key)
      WHERE request_id = ?${caller === undefined ? '' : ' AND caller = ?'} ORDER BY key DESC LIMIT 1`,
    values: [requestId, ...(caller === undefined ? [] : [caller])],
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

function directionOf({ before }: PageRequest): Search['direction'] {
  return before === undefined ? 'DESC' : 'ASC'
}

/** Restricts a query to rows after a key, or before it, in the order of the page. */
function keyRange(side: 'after' | 'before', key: number | undefined, page: PageRequest): Range[] {
  const sign = (side === 'after') === (page.before === undefined) ? '<' : '>'
  return key === undefined ? [] : [{ text: `{}.key ${sign} ?`, values: [key] }]
}

function attemptRange(page: PageRequest): Range[] {
  const from = positionOf('attempts', page)
  const sign = page.before === undefined ? '<' : '>'
  return from === null
    ? []
    : [
        {
          text: `({}.key, {}.position) ${sign} (?, ?)`,
          values: [from.key, from.position],
          byKey: { text: `{}.key ${sign}= ?`, values: [from.key] },
        },
      ]
}

/** Keys grow with time, so a span of time is a range of keys. */
function timeRanges({ since, until }: JournalFilter): Range[] {
  return [
    ...(since === undefined ? [] : [{ text: '{}.key >= ?', values: [firstKeyAt(since)] }]),
    ...(until === undefined ? [] : [{ text: '{}.key < ?', values: [firstKeyAt(until)] }]),
  ]
}
