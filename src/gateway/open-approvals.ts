import { dirname } from 'node:path'
import { connect } from '../journal/sqlite/connection.ts'
import { makeDirectory } from '../lib/make-directory.ts'
import { type ApprovalStore, SqlApprovals } from '../state/approvals.ts'
import type { AuditStore } from '../state/audit.ts'
import { openSqliteApprovals } from '../state/sqlite-approvals.ts'
import { openSqliteAudit } from '../state/sqlite-audit.ts'
import type { Settings } from './config.ts'
import { isPostgres, processName } from './journal-place.ts'

export interface OpenApprovals extends AsyncDisposable {
  readonly store: ApprovalStore
  readonly audit: AuditStore
}

/** Opens the approvals and the audit of the settings' journal beside a gateway that may run: only they may have several processes. */
export async function openApprovals({
  journal,
}: Pick<Settings, 'journal'>): Promise<OpenApprovals> {
  return isPostgres(journal) ? await openInPostgres(journal) : openInSqlite(journal)
}

function openInSqlite(file: string): OpenApprovals {
  if (file !== ':memory:') makeDirectory(dirname(file))
  const db = connect(file)
  const store = openSqliteApprovals(db)
  const audit = openSqliteAudit(db, processName())
  db.exec('PRAGMA busy_timeout = 0')
  return { store, audit, [Symbol.asyncDispose]: async () => db.close() }
}

async function openInPostgres(url: string): Promise<OpenApprovals> {
  const [{ Database }, { migrate }, { openPostgresAudit }] = await Promise.all([
    import('../journal/postgres/connection.ts'),
    import('../journal/postgres/schema.ts'),
    import('../state/postgres-audit.ts'),
  ])
  const database = new Database(url, { connections: 1, statementTimeoutMs: 5000 })
  await migrate(database)
  return {
    store: new SqlApprovals((text, values) => database.query<object>(text, values)),
    audit: openPostgresAudit(database, processName()),
    [Symbol.asyncDispose]: () => database.close(),
  }
}
