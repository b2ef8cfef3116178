import type { JournalFilter } from '../journal.ts'
import { matchingNames, type NamedCapability, namesOfUpstream, namesQuery } from './capabilities.ts'
import type { Resolved } from './conditions.ts'
import type { Dialect } from './dialect.ts'
import type { Condition, Search, Sql } from './search.ts'
import { isClass } from './status-range.ts'
import { statusesQuery } from './statuses.ts'
import { toCountSql, toMergedSql, toSql } from './to-sql.ts'

/** Runs a query on the thread or server that has the database. A row is an object of its columns. */
export type Select = (query: Sql) => Promise<readonly unknown[]>

export interface Finder {
  /** Looks up the capabilities that a filter stands for. Null if it stands for none, so that no row can pass. */
  readonly resolve: (table: Search['table'], filter: JournalFilter) => Promise<Resolved | null>
  readonly find: (search: Search) => Promise<readonly unknown[]>
}

/** Counting stops here: it has to find the rare values, whose rows are quick to check. */
const COUNT_LIMIT = 10_000

/** Ranges that are read at once, at most: each adds to the time of all rows. */
const MOST_RANGES = 40

export function createFinder(select: Select, dialect: Dialect): Finder {
  /**
   * With several filters a database would choose an index without knowing how often their values occur together, or
   * read the list in its order until it finds enough. So this counts first, and reads the rows of the rarest. If all
   * are common, their indexes are read together: values that never meet would take a look at each row of one.
   */
  const toPlan = async (search: Search, indexed: readonly Condition[]): Promise<Sql> => {
    const [counts] = await select(toCountSql(dialect, search, indexed, COUNT_LIMIT))
    const numbers = indexed.map((_, at) => Number((counts as Record<string, number>)[`n${at}`]))
    const least = Math.min(...numbers)
    if (least === COUNT_LIMIT && isMergeable(dialect, search)) {
      return toMergedSql(dialect, search)
    }
    return toSql(dialect, search, indexed[numbers.indexOf(least)])
  }
  return {
    resolve: createResolver(select, dialect),
    find: async search => {
      const indexed = search.conditions.filter(({ sources }) => sources.length > 0)
      const plan =
        indexed.length < 2 ? toSql(dialect, search, indexed[0]) : await toPlan(search, indexed)
      return await select(plan)
    },
  }
}

function createResolver(select: Select, dialect: Dialect): Finder['resolve'] {
  const statusesOf = async (name: 'http_status' | 'upstream_status', asked: string) => {
    const rows = (await select(statusesQuery(dialect, name, asked))) as { status: number }[]
    return { [name]: rows.map(({ status }) => status) }
  }
  const resolveStatuses = async ({ http_status, upstream_status }: JournalFilter) => ({
    ...(isClass(http_status) && (await statusesOf('http_status', http_status))),
    ...(isClass(upstream_status) && (await statusesOf('upstream_status', upstream_status))),
  })
  const namesIn = async (table: Search['table']) =>
    (await select(namesQuery(table))) as NamedCapability[]
  return async (table, filter) => {
    const { capability, upstream, q } = filter
    const pattern = capability?.includes('*') ? capability : undefined
    const statuses = await resolveStatuses(filter)
    // The text is about requests in either list: reads that check on a write have other names.
    const asked =
      q === undefined ? [] : matchingNames(await namesIn('requests'), `*${q.toLowerCase()}*`)
    const found = { ...statuses, ...(q !== undefined && { q: asked }) }
    if (pattern === undefined && upstream === undefined) return found
    const names = await namesIn(table)
    return orNull({
      ...found,
      ...(pattern !== undefined && { capability: matchingNames(names, pattern) }),
      ...(upstream !== undefined && { upstream: namesOfUpstream(names, upstream) }),
    })
  }
}

/** Whether indexes alone decide which rows pass. */
export function isMergeable(dialect: Dialect, { table, conditions }: Search): boolean {
  const ranges = conditions.flatMap(({ sources }) => sources.flatMap(({ values }) => values))
  return (
    conditions.every(({ exact, sources }) => exact && dialect.merges(table, sources)) &&
    // A set of attempts has the places of both lists.
    conditions.some(({ sources }) => sources.every(source => source.table === table)) &&
    ranges.length <= MOST_RANGES
  )
}

function orNull(resolved: Resolved): Resolved | null {
  return resolved.capability?.length === 0 || resolved.upstream?.length === 0 ? null : resolved
}
