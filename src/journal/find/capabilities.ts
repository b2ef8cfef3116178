/**
 * Filters that stand for several capabilities: the database lists the names that it has, and the condition is about
 * those that match. There are few names, and each has its rows in an index.
 */
import { matchesId } from '../../model/card-pattern.ts'
import type { Dialect } from './dialect.ts'
import type { Condition, Search, Sql } from './search.ts'
import { ofCapabilities } from './sources.ts'

/** The filter `capability` for requests that reached none. No capability has this name. */
export const NO_CAPABILITY = '(none)'

/** A capability with the upstreams of its oldest and its newest request. */
export interface NamedCapability {
  readonly name: string
  readonly oldest: string | null
  readonly newest: string | null
}

/** Steps from each name to the next in the index, so it reads no more entries than there are names. */
export function namesQuery(table: Search['table']): Sql {
  const upstreamOf = (end: 'min' | 'max') => `
    (SELECT upstream FROM request_details WHERE key =
      (SELECT ${end}(key) FROM ${table} WHERE capability_id = names.name))`
  return {
    text: `
      WITH RECURSIVE names(name) AS (
        SELECT min(capability_id) FROM ${table}
        UNION ALL
        SELECT (SELECT min(capability_id) FROM ${table} WHERE capability_id > names.name)
        FROM names WHERE names.name IS NOT NULL
      )
      SELECT name, ${upstreamOf('min')} AS oldest, ${upstreamOf('max')} AS newest
      FROM names WHERE name IS NOT NULL`,
    values: [],
  }
}

export function matchingNames(names: readonly NamedCapability[], pattern: string): string[] {
  const parts = pattern.split('*')
  return names.filter(({ name }) => matchesId(parts, name)).map(({ name }) => name)
}

export function namesOfUpstream(names: readonly NamedCapability[], upstream: string): string[] {
  return names
    .filter(({ oldest, newest }) => oldest === upstream || newest === upstream)
    .map(({ name }) => name)
}

/** A row's capability is one of these. */
export function oneOf(
  table: Search['table'],
  dialect: Dialect,
  values: readonly string[],
): Condition {
  return {
    text: `${table}.capability_id IN ${dialect.texts}`,
    values: [JSON.stringify(values)],
    sources: [ofCapabilities(table, values)],
    exact: true,
  }
}
