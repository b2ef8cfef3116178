import { dirname } from 'node:path'
import type { Logger } from 'pino'
import { ulid } from 'ulid'
import type { Journal } from '../journal/journal.ts'
import { DEFAULTS, type Durability } from '../journal/options.ts'
import { SILENCE_MS } from '../journal/postgres/gateways.ts'
import type { PostgresJournalOptions } from '../journal/postgres.ts'
import { connect } from '../journal/sqlite/connection.ts'
import { openSqliteJournal, type SqliteJournalOptions } from '../journal/sqlite.ts'
import { makeDirectory } from '../lib/make-directory.ts'
import { SettingsError } from '../model/settings-error.ts'
import { type ApprovalStore, SqlApprovals } from '../state/approvals.ts'
import type { AuditStore } from '../state/audit.ts'
import type { IdempotencyStore } from '../state/idempotency.ts'
import { SignsOfLife } from '../state/signs-of-life.ts'
import { openSqliteApprovals } from '../state/sqlite-approvals.ts'
import { openSqliteAudit } from '../state/sqlite-audit.ts'
import { SqliteIdempotency } from '../state/sqlite-idempotency.ts'
import { type Settings } from './config.ts'
import { isPostgres, processName } from './journal-place.ts'
import { openApprovals } from './open-approvals.ts'
import { logJournal, outagesOf } from './outages.ts'
import { WorkerIdempotency } from './workers/idempotency.ts'
import { openWorkerJournal, type WorkerJournalOptions } from './workers/journal.ts'
import type { WorkerLink } from './workers/link.ts'

/** The stores that survive the process. */
export interface DurableState {
  readonly journal: Journal
  readonly idempotency: IdempotencyStore
  readonly approvals: ApprovalStore
  readonly audit: AuditStore
}

/** @throws {SettingsError} for a setting that this kind of journal does not support. */
export function assertJournalFits(settings: Pick<Settings, 'journal' | 'journal_max_bytes'>): void {
  if (!isPostgres(settings.journal) || settings.journal_max_bytes === 0) return
  throw new SettingsError(
    'journal_max_bytes is for SQLite: PostgreSQL does not shrink its files by itself. Use journal_days.',
  )
}

type FileOptions = SqliteJournalOptions & { readonly durability: Durability }

/** Opens them in the SQLite file or the PostgreSQL database that `journal` names. */
export async function openDurableState(
  settings: Settings,
  secrets: () => readonly string[],
  logger: Pick<Logger, 'warn'>,
  link: WorkerLink | null = null,
): Promise<DurableState> {
  const durability = settings.journal_durability
  const outages = outagesOf(logger, link)
  const log = logJournal(logger, outages)
  const common = { payloads: settings.journal_payloads, durability, secrets, ...log }
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
      isMigrated: link !== null && !link.first,
    })
  }
  if (link !== null) {
    const maxBufferBytes = Math.floor(DEFAULTS.maxBufferBytes / link.of)
    return await openInWorker(link, { ...common, file: place, maxBufferBytes })
  }
  const retention = { ...days, max_bytes: max_bytes > 0 ? max_bytes : null }
  const housekeeping = outages('journal')
  return openInFile({ ...common, file: place, retention, housekeeping }, owner)
}

function openInFile(options: FileOptions, owner: string): DurableState {
  const { file, durability } = options
  if (file !== ':memory:') makeDirectory(dirname(file))
  const journal = openSqliteJournal(options)
  const keys = connect(file, { durability })
  const idempotency = new SqliteIdempotency(keys, owner)
  const approvals = openSqliteApprovals(keys)
  const audit = openSqliteAudit(keys, processName())
  // From now on the store waits for locks itself; SQLite must not block the event loop.
  keys.exec('PRAGMA busy_timeout = 0')
  return { journal, idempotency, approvals, audit }
}

/** The primary process has the file. Approvals and audit may have several processes. */
async function openInWorker(
  { channel }: WorkerLink,
  options: WorkerJournalOptions,
): Promise<DurableState> {
  const { store, audit, ...open } = await openApprovals({ journal: options.file })
  const idempotency = new WorkerIdempotency(channel, async () => await open[Symbol.asyncDispose]())
  const journal = await openWorkerJournal(channel, options)
  return { journal, idempotency, approvals: store, audit }
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
  const life = new SignsOfLife(SILENCE_MS)
  const onBeat = (sent: number) => life.confirm(sent)
  const journal = await openPostgresJournal({ ...options, onBeat })
  const { url, owner, durability } = options
  const database = new Database(url, { connections: 4, statementTimeoutMs: 5000, durability })
  return {
    journal,
    idempotency: new PostgresIdempotency(database, owner, life),
    approvals: new SqlApprovals((text, values) => database.query<object>(text, values)),
    audit: openPostgresAudit(database, processName()),
  }
}
