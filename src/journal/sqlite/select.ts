import type { DatabaseSync, StatementSync } from 'node:sqlite'
import { BoundedMap } from '../../lib/bounded-map.ts'
import type { Sql } from '../find/search.ts'

export type SyncSelect = (query: Sql) => readonly unknown[]

/** Each combination of filters has a text of its own. */
const MOST_STATEMENTS = 200

/** Runs queries with cached statements. */
export function createSelect(db: DatabaseSync): SyncSelect {
  const statements = new BoundedMap<string, StatementSync>(MOST_STATEMENTS)
  return ({ text, values }) => {
    const statement = statements.get(text) ?? db.prepare(text)
    statements.set(text, statement)
    return statement.all(...values)
  }
}
