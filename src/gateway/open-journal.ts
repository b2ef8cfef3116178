import { hostname } from 'node:os'
import { dirname } from 'node:path'
import type { Logger } from 'pino'
import { ulid } from 'ulid'
import type { Journal } from '../journal/journal.ts'
import type { Durability } from '../journal/options.ts'
import type { PostgresJournalOptions } from '../journal/postgres.ts'
import { connect } from '../journal/sqlite/connection.ts'
import { openSqliteJournal } from '../journal/sqlite.ts'
import { makeDirectory } from '../lib/make-directory.ts'
import { SettingsError } from '../model/settings-error.ts'
import { type ApprovalStore, SqlApprovals } from '../state/approvals.ts'
import type { AuditStore } from '../state/audit.ts'
import type { IdempotencyStore } from '../state/idempotency.ts'
import { openSqliteApprovals } from '../state/sqlite-approvals.ts'
import { openSqliteAudit } from '../state/sqlite-audit.ts'
import { SqliteIdempotency } from '../state/sqlite-idempotency.ts'
import { type Settings } from './config.ts'

/** The stores that survive the process. */
export interface DurableState {
  readonly journal: Journal
  readonly idempotency: IdempotencyStore
  readonly approvals: ApprovalStore
  readonly audit: AuditStore
}

const POSTGRES_URL = /^postgres(ql)?:\/\//

/** Whether the setting `journal` names a PostgreSQL database. */
export function isPostgres(journal: string): boolean {
  return POSTGRES_URL.test(journal)
}

/** @throws {SettingsError} for a setting that this kind of journal does not support. */
export function assertJournalFits(settings: Pick<Settings, 'journal' | 'journal_max_bytes'>): void {
  if (!isPostgres(settings.journal) || settings.journal_max_bytes === 0) return
  throw new SettingsError(
    'journal_max_bytes is for SQLite: PostgreSQL does not shrink its files by itself. Use journal_days.',
  )
}

/** Opens them in the SQLite file or the PostgreSQL database that `journal` names. */
export async function openDurableState(
  settings: Settings,
  secrets: () => readonly string[],
  logger: Pick<Logger, 'warn'>,
): Promise<DurableState> {
  const onError = (error: unknown) => logger.warn({ err: error }, 'the journal cannot be written')
  const durability = settings.journal_durability
  const common = { payloads: settings.journal_payloads, durability, secrets, onError }
  const { journal: place, journal_max_bytes: max_bytes } = settings
  const days = {
    days: settings.journal_days,
    failure_days: settings.journal_failure_days,
  }
  const owner = ulid()
  assertJournalFits(settings)
  if (isPostgres(place)) {
    return await openInPostgres({
      ...common,
      url: place,
      owner,
      retention: days,
      spillFile: settings.journal_spill,
    })
  }
  if (place !== ':memory:') makeDirectory(dirname(place))
  const journal = openSqliteJournal({
    ...common,
    file: place,
    retention: { ...days, max_bytes: max_bytes > 0 ? max_bytes : null },
  })
  const keys = connect(place, { durability })
  const idempotency = new SqliteIdempotency(keys, owner)
  const approvals = openSqliteApprovals(keys)
  const audit = openSqliteAudit(keys, processName())
  // From now on the store waits for locks itself; SQLite must not block the event loop.
  keys.exec('PRAGMA busy_timeout = 0')
  return { journal, idempotency, approvals, audit }
}

/** Loads the PostgreSQL client only when it is used. */
async function openInPostgres(
  options: PostgresJournalOptions & { readonly owner: string; readonly durability: Durability },
): Promise<DurableState> {
  const [{ openPostgresJournal }, { Database }, { PostgresIdempotency }, { openPostgresAudit }] =
    await Promise.all([
      import('../journal/postgres.ts'),
      import('../journal/postgres/connection.ts'),
      import('../state/postgres-idempotency.ts'),
      import('../state/postgres-audit.ts'),
    ])
  const journal = await openPostgresJournal(options)
  const { url, owner, durability } = options
  const database = new Database(url, { connections: 4, statementTimeoutMs: 5000, durability })
  return {
    journal,
    idempotency: new PostgresIdempotency(database, owner),
    approvals: new SqlApprovals((text, values) => database.query<object>(text, values)),
    audit: openPostgresAudit(database, processName()),
  }
}

/** Names this process in the records of the audit. */
export function processName(): string {
  return `${hostname()}/${process.pid}`
}
