import type { Database } from '../journal/postgres/connection.ts'
import { type AuditDatabase, type AuditStore, SqlAudit, type Steps } from './audit.ts'

/** Gateways take turns: the next number and hash depend on the last ones. */
const LOCK = 'SELECT seq FROM audit_head FOR UPDATE'

/** The audit in the journal's PostgreSQL database. */
export function openPostgresAudit(database: Database, gateway: string): AuditStore {
  return new SqlAudit(new PostgresDatabase(database), gateway)
}

class PostgresDatabase implements AuditDatabase {
  readonly #database: Database

  constructor(database: Database) {
    this.#database = database
  }

  query(text: string, values: readonly unknown[]): Promise<readonly object[]> {
    return this.#database.query<object>(text, values)
  }

  transaction<T>(steps: () => Steps<T>): Promise<T> {
    return this.#database.transaction(async tx => {
      await tx.query(LOCK)
      const running = steps()
      let step = running.next()
      while (!step.done) step = running.next(await tx.query<object>(...step.value))
      return step.value
    })
  }
}
