import type { DatabaseSync, StatementSync } from 'node:sqlite'
import { type ApprovalStore, SqlApprovals } from './approvals.ts'
import { whenFree } from './sqlite-busy.ts'

/** PostgreSQL has the same table: src/journal/postgres/schema.ts. */
const TABLE = `
  CREATE TABLE IF NOT EXISTS approvals (
    id TEXT PRIMARY KEY,
    caller TEXT NOT NULL, capability TEXT NOT NULL, fingerprint TEXT NOT NULL, key TEXT NOT NULL,
    status TEXT NOT NULL, created INTEGER NOT NULL, expires INTEGER NOT NULL,
    request_id TEXT NOT NULL, reason TEXT, input TEXT NOT NULL, plan TEXT NOT NULL,
    decided_by TEXT, decided INTEGER, note TEXT, repeatable INTEGER NOT NULL DEFAULT 0, used_by TEXT
  );
  -- Two requests that ask at once get one approval.
  CREATE UNIQUE INDEX IF NOT EXISTS approvals_waiting ON approvals (caller, capability, fingerprint, key)
    WHERE status = 'waiting';
  CREATE INDEX IF NOT EXISTS approvals_by_call ON approvals (caller, capability, fingerprint, key, id);
  CREATE INDEX IF NOT EXISTS approvals_by_status ON approvals (status, id);
  CREATE INDEX IF NOT EXISTS approvals_by_expiry ON approvals (expires);
`

/** Approvals in the journal's file. The connection must not wait for locks itself: that would block the event loop. */
export function openSqliteApprovals(db: DatabaseSync): ApprovalStore {
  db.exec(TABLE)
  const prepared = new Map<string, StatementSync>()
  return new SqlApprovals((text, values) => {
    const statement = prepared.get(text) ?? db.prepare(text.replaceAll('$', '?'))
    prepared.set(text, statement)
    return whenFree(() => statement.all(...(values as (string | number | null)[])))
  })
}
