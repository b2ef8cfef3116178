import type { AttemptColumns, DetailColumns, Keyed, RequestColumns, Written } from './columns.ts'
import type { JournalFilter, JournalReader, PageRequest } from './journal.ts'
import {
  attemptsQuery,
  missedQuery,
  type Query,
  requestQuery,
  requestsQuery,
  type Sql,
  soleQuery,
  toPage,
} from './query.ts'
import { decodeLiveId } from './row-cursor.ts'
import {
  type CodeRow,
  type CountedRow,
  codesQuery,
  countsQuery,
  durationsQuery,
  type TimedRow,
  toStats,
} from './stats/read.ts'
import { toAttemptRow, toLiveRow, toRequestDetail, toRequestRow, toSoleAttempt } from './views.ts'

/** Runs a query on the thread or server that has the database. A row is an object of its columns. */
export type Select = (query: Query | Sql) => Promise<readonly unknown[]>

/** Reads from any database: `select` runs the queries, and this turns their rows into answers. */
export function createReader(select: Select): JournalReader {
  return {
    requests: async (filter, page) => {
      if (isImpossible(filter)) return toPage([], page, toRequestRow)
      const rows = (await select(requestsQuery(filter, page))) as Written[]
      return toPage(rows, page, toRequestRow)
    },
    attempts: async (filter, page) => {
      if (isImpossible(filter)) return toPage([], page, toAttemptRow)
      const kept = (await select(attemptsQuery(filter, page))) as Keyed<AttemptColumns>[]
      const full = kept.length > page.limit
      const query = soleQuery(filter, page, full ? kept.at(-1)?.key : undefined)
      const sole = query === null ? [] : ((await select(query)) as Written[])
      return toPage(inOrder([...kept, ...sole.map(toSoleAttempt)], page), page, toAttemptRow)
    },
    request: async (requestId, caller) => {
      const rows = await select(requestQuery(requestId, caller))
      const [row] = rows as (RequestColumns & DetailColumns)[]
      return row === undefined ? null : toRequestDetail(row)
    },
    missed: async (filter, id, limit) => {
      const position = decodeLiveId(id)
      if (isImpossible(filter)) return []
      const rows = await select(missedQuery(filter, position, limit))
      return (rows as Written[]).toReversed().map(toLiveRow)
    },
    stats: async filter => {
      const [counts, codes, durations] = await Promise.all([
        select(countsQuery(filter)) as Promise<readonly CountedRow[]>,
        select(codesQuery(filter)) as Promise<readonly CodeRow[]>,
        select(durationsQuery(filter)) as Promise<readonly TimedRow[]>,
      ])
      return toStats(filter, { counts, codes, durations })
    },
  }
}

/** Merges the two kinds of attempts, each of which is already in the order of the list. */
function inOrder(rows: readonly Keyed<AttemptColumns>[], { limit, before }: PageRequest) {
  const direction = before === undefined ? -1 : 1
  const compare = (a: Keyed<AttemptColumns>, b: Keyed<AttemptColumns>) =>
    direction * (a.key - b.key || a.position - b.position)
  return rows.toSorted(compare).slice(0, limit + 1)
}

/** A success never has a code. Without this check the database would search all successes for one. */
function isImpossible({ ok, code }: JournalFilter): boolean {
  return ok === true && code !== undefined
}
