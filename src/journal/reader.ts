import type { AttemptColumns, DetailColumns, Keyed, RequestColumns, Written } from './columns.ts'
import type { Dialect } from './find/dialect.ts'
import { createFinder, type Finder, type Select } from './find/finder.ts'
import { circuitsQuery, quotasQuery, toHistory } from './history.ts'
import type { JournalFilter, JournalReader, PageRequest, StatsFilter } from './journal.ts'
import {
  attemptsSearch,
  missedSearch,
  requestQuery,
  requestsSearch,
  soleSearch,
  toPage,
} from './query.ts'
import { decodeLiveId } from './row-cursor.ts'
import type { Stats } from './row-schemas.ts'
import { type FactTotal, factsQuery, type TimelineRow, timelineQuery } from './stats/facts.ts'
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

/** Reads from any database: `select` runs the queries, and this turns their rows into answers. */
export function createReader(select: Select, dialect: Dialect): JournalReader {
  const finder = createFinder(select, dialect)
  const { find, resolve } = finder
  return {
    requests: async (filter, page) => {
      const resolved = isImpossible(filter) ? null : await resolve('requests', filter)
      if (resolved === null) return toPage([], page, toRequestRow)
      const rows = (await find(requestsSearch(dialect, filter, page, resolved))) as Written[]
      return toPage(rows, page, toRequestRow)
    },
    attempts: async (filter, page) => {
      const rows = isImpossible(filter) ? [] : await findAttempts(finder, dialect, filter, page)
      return toPage(rows, page, toAttemptRow)
    },
    request: async (requestId, caller) => {
      const rows = await select(requestQuery(requestId, caller))
      const [row] = rows as (RequestColumns & DetailColumns)[]
      return row === undefined ? null : toRequestDetail(row)
    },
    missed: async (filter, id, limit) => {
      const position = decodeLiveId(id)
      const resolved = isImpossible(filter) ? null : await resolve('requests', filter)
      if (resolved === null) return []
      const rows = await find(missedSearch(dialect, filter, { ...position, limit }, resolved))
      return (rows as Written[]).toReversed().map(toLiveRow)
    },
    stats: filter => readStats(select, filter),
    upstreamHistory: async filter => {
      const [quotas, circuits] = await Promise.all([
        select(quotasQuery(filter)),
        select(circuitsQuery(filter)),
      ])
      return toHistory(filter, { quotas, circuits })
    },
  }
}

async function readStats(select: Select, filter: StatsFilter): Promise<Stats> {
  const [counts, codes, durations, facts, outcomes] = await Promise.all([
    select(countsQuery(filter)) as Promise<readonly CountedRow[]>,
    select(codesQuery(filter)) as Promise<readonly CodeRow[]>,
    select(durationsQuery(filter)) as Promise<readonly TimedRow[]>,
    select(factsQuery(filter)) as Promise<readonly FactTotal[]>,
    select(timelineQuery(filter)) as Promise<readonly TimelineRow[]>,
  ])
  return toStats(filter, { counts, codes, durations, facts, outcomes })
}

/** Finds the attempts that have a row, then those of `SOLE` requests that belong on the same page. */
async function findAttempts(
  { resolve, find }: Finder,
  dialect: Dialect,
  filter: JournalFilter,
  page: PageRequest,
): Promise<readonly Keyed<AttemptColumns>[]> {
  const ofAttempts = await resolve('attempts', filter)
  const kept = (
    ofAttempts ? await find(attemptsSearch(dialect, filter, page, ofAttempts)) : []
  ) as Keyed<AttemptColumns>[]
  const end = kept.length > page.limit ? kept.at(-1)?.key : undefined
  const ofRequests = await resolve('requests', filter)
  const search = ofRequests && soleSearch(dialect, filter, { ...page, end }, ofRequests)
  const sole = search ? ((await find(search)) as Written[]) : []
  return inOrder([...kept, ...sole.map(toSoleAttempt)], page)
}

/** Merges the two kinds of attempts, each of which is already in the order of the list. */
function inOrder(rows: readonly Keyed<AttemptColumns>[], { limit, before }: PageRequest) {
  const direction = before === undefined ? -1 : 1
  const compare = (a: Keyed<AttemptColumns>, b: Keyed<AttemptColumns>) =>
    direction * (a.key - b.key || a.position - b.position)
  return rows.toSorted(compare).slice(0, limit + 1)
}

/**
 * A success never has a code: without this check the database would search all successes for one. And no text in
 * PostgreSQL can hold U+0000 or half a surrogate pair, so nothing equals a text with one.
 */
function isImpossible(filter: JournalFilter): boolean {
  if (filter.ok === true && filter.code !== undefined) return true
  return Object.values(filter).some(
    value => typeof value === 'string' && (value.includes('\0') || !value.isWellFormed()),
  )
}
