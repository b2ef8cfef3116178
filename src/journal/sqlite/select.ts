import type { DatabaseSync, StatementSync } from 'node:sqlite'
import type { Column } from '../columns.ts'
import { type Query, type Sql, toSql } from '../query.ts'

export type SyncSelect = (query: Query | Sql) => readonly unknown[]

/** Rows of one value are counted no further than this: fewer are fast to look through. */
const COUNT_LIMIT = 10_000

/**
 * Runs queries with statements that are kept: there are only as many texts as combinations of filters.
 *
 * With more than one filter SQLite would choose an index without knowing how often each value occurs, and
 * could look through all successes for those of a caller that has none. So the rarest value is found
 * first, by counting in the indexes.
 */
export function createSelect(db: DatabaseSync): SyncSelect {
  const statements = new Map<string, StatementSync>()
  const run = ({ text, values }: Sql) => {
    const statement = statements.get(text) ?? db.prepare(text)
    statements.set(text, statement)
    return statement.all(...values)
  }
  const count = (table: string, column: string, value: Column): number => {
    const text = `SELECT count(*) AS n FROM (SELECT 1 FROM ${table} WHERE ${column} = ? LIMIT ${COUNT_LIMIT})`
    return Number(run({ text, values: [value] })[0]?.n)
  }

  return query => {
    if ('text' in query) return run(query)
    if (query.equal.length < 2) return run(toSql(query))
    const counts = query.equal.map(([column, value]) => count(query.table, column, value))
    const rarest = counts.indexOf(Math.min(...counts))
    return run(toSql(query, query.equal[rarest]?.[0]))
  }
}
