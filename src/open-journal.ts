import { dirname } from 'node:path'
import type { Logger } from 'pino'
import { ulid } from 'ulid'
import { type Settings, SettingsError } from './config.ts'
import type { Journal } from './journal/journal.ts'
import { openPool } from './journal/postgres/connection.ts'
import { openPostgresJournal } from './journal/postgres.ts'
import { connect } from './journal/sqlite/connection.ts'
import { openSqliteJournal } from './journal/sqlite.ts'
import { makeDirectory } from './make-directory.ts'
import { type IdempotencyStore, SqliteIdempotency } from './state/idempotency.ts'
import { PostgresIdempotency } from './state/postgres-idempotency.ts'

/** What survives the process: the record, and the answers that Idempotency-Keys stand for. */
export interface DurableState {
  readonly journal: Journal
  readonly idempotency: IdempotencyStore
}

const POSTGRES_URL = /^postgres(ql)?:\/\//

/** Opens both in a SQLite file or a PostgreSQL database, as `journal` says. */
export async function openDurableState(
  settings: Settings,
  logger: Pick<Logger, 'warn'>,
): Promise<DurableState> {
  const onError = (error: unknown) => logger.warn({ err: error }, 'the journal cannot be written')
  const common = { payloads: settings.journal_payloads, onError }
  const { journal: place, journal_max_bytes: max_bytes } = settings
  const days = {
    days: settings.journal_days,
    failure_days: settings.journal_failure_days,
  }
  const owner = ulid()
  if (POSTGRES_URL.test(place)) {
    if (max_bytes > 0)
      throw new SettingsError(
        'journal_max_bytes is for SQLite: PostgreSQL does not give room back by itself. Use journal_days.',
      )
    const journal = await openPostgresJournal({ ...common, url: place, owner, retention: days })
    const sql = openPool(place, { connections: 4, statementTimeoutMs: 5000 })
    return { journal, idempotency: new PostgresIdempotency(sql, owner) }
  }
  if (place !== ':memory:') makeDirectory(dirname(place))
  const journal = openSqliteJournal({
    ...common,
    file: place,
    durability: settings.journal_durability,
    retention: { ...days, max_bytes: max_bytes > 0 ? max_bytes : null },
  })
  return { journal, idempotency: new SqliteIdempotency(connect(place), owner) }
}
