import type { DatabaseSync, StatementSync } from 'node:sqlite'
import type { Column } from '../columns.ts'
import { type Query, type Sql, toSql } from '../query.ts'

export type SyncSelect = (query: Query | Sql) => readonly unknown[]

/** Counting stops here: it only has to find the rare values, whose rows are quick to search. */
const COUNT_LIMIT = 10_000

/**
 * Runs queries with cached statements: there are only as many texts as combinations of filters.
 *
 * With several filters SQLite would choose an index without knowing how often each value occurs, and could search
 * all successes for those of a caller that has none. So this counts in the indexes first, to find the rarest value.
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
