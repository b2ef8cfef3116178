/**
 * Filters by a class of HTTP statuses: the database lists the statuses of the class that it has, which are few, and each
 * has its rows in an index.
 */
import type { Dialect } from './dialect.ts'
import type { Sql } from './search.ts'
import { ofHttpStatuses, ofUpstreamStatuses } from './sources.ts'
import { statusRange } from './status-range.ts'

/** Steps from each status to the next in the index. */
export function statusesQuery(
  dialect: Dialect,
  name: 'http_status' | 'upstream_status',
  filter: string,
): Sql {
  const {
    table,
    index,
    column,
    where = 'true',
  } = name === 'http_status' ? ofHttpStatuses([]) : ofUpstreamStatuses([])
  const [from, to] = statusRange(filter)
  const next = (after: string) =>
    `SELECT min(${column}) FROM ${table} ${dialect.indexed(index)}
      WHERE ${column} > ${after} AND ${column} <= ${to} AND ${where}`
  return {
    text: `
      WITH RECURSIVE found(status) AS (
        ${next(`${from - 1}`)}
        UNION ALL
        SELECT (${next('found.status')}) FROM found WHERE found.status IS NOT NULL
      )
      SELECT status FROM found WHERE status IS NOT NULL`,
    values: [],
  }
}
