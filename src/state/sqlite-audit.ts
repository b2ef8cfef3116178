import type { DatabaseSync, StatementSync } from 'node:sqlite'
import { type AuditDatabase, type AuditStore, SqlAudit, type Steps } from './audit.ts'
import { GENESIS } from './audit-chain.ts'
import { whenFree } from './sqlite-busy.ts'

const NOW = "CAST(unixepoch('subsec') * 1000 AS INTEGER)"

/**
 * PostgreSQL has the same tables: src/journal/postgres/schema.ts. The triggers record each decision on an approval together
 * with the decision itself, so that no crash comes between them.
 */
const TABLES = `
  CREATE TABLE IF NOT EXISTS audit (
    seq INTEGER PRIMARY KEY,
    time INTEGER NOT NULL, action TEXT NOT NULL, actor TEXT NOT NULL, subject TEXT NOT NULL, reason TEXT,
    details TEXT NOT NULL, gateway TEXT NOT NULL, previous_hash TEXT NOT NULL, hash TEXT NOT NULL
  );
  CREATE INDEX IF NOT EXISTS audit_by_time ON audit (time);
  CREATE INDEX IF NOT EXISTS audit_by_subject ON audit (subject, seq);
  CREATE TABLE IF NOT EXISTS audit_head (seq INTEGER NOT NULL, hash TEXT NOT NULL);
  INSERT INTO audit_head SELECT 0, '${GENESIS.hash}' WHERE NOT EXISTS (SELECT 1 FROM audit_head);
  CREATE TABLE IF NOT EXISTS audit_waiting (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    time INTEGER NOT NULL, action TEXT NOT NULL, actor TEXT, subject TEXT NOT NULL, reason TEXT, details TEXT NOT NULL
  );
  CREATE TRIGGER IF NOT EXISTS approvals_asked AFTER INSERT ON approvals BEGIN
    INSERT INTO audit_waiting (time, action, actor, subject, reason, details)
    VALUES (NEW.created, 'approval.asked', NEW.caller, NEW.id, NEW.reason, json_object(
      'capability_id', NEW.capability, 'request_id', NEW.request_id, 'call', NEW.fingerprint));
  END;
  CREATE TRIGGER IF NOT EXISTS approvals_decided AFTER UPDATE OF status ON approvals
    WHEN OLD.status = 'waiting' AND NEW.status IN ('approved', 'refused') BEGIN
    INSERT INTO audit_waiting (time, action, actor, subject, reason, details)
    VALUES (NEW.decided, 'approval.' || NEW.status, NEW.decided_by, NEW.id, NEW.note, json_object(
      'capability_id', NEW.capability, 'caller', NEW.caller, 'call', NEW.fingerprint,
      'repeatable', json(CASE NEW.repeatable WHEN 1 THEN 'true' ELSE 'false' END), 'expires', NEW.expires));
  END;
  CREATE TRIGGER IF NOT EXISTS approvals_used AFTER UPDATE OF used_by ON approvals
    WHEN NEW.used_by IS NOT OLD.used_by BEGIN
    INSERT INTO audit_waiting (time, action, actor, subject, reason, details)
    VALUES (${NOW}, CASE WHEN NEW.used_by IS NULL THEN 'approval.returned' ELSE 'approval.used' END, NEW.caller, NEW.id,
      CASE WHEN NEW.used_by IS NULL THEN 'The call changed nothing.' END, json_object(
      'capability_id', NEW.capability, 'request_id', coalesce(NEW.used_by, OLD.used_by)));
  END;
  CREATE TRIGGER IF NOT EXISTS approvals_expired AFTER UPDATE OF status ON approvals
    WHEN NEW.status = 'expired' AND OLD.status <> 'expired' BEGIN
    INSERT INTO audit_waiting (time, action, actor, subject, reason, details)
    VALUES (${NOW}, 'approval.expired', NULL, NEW.id, NULL, json_object(
      'capability_id', NEW.capability, 'caller', NEW.caller, 'was', OLD.status, 'expires', NEW.expires));
  END;
`

/**
 * The audit in the journal's file, whose table of approvals must exist. The connection must not wait for locks itself: that
 * would block the event loop.
 */
export function openSqliteAudit(db: DatabaseSync, gateway: string): AuditStore {
  db.exec(TABLES)
  return new SqlAudit(new SqliteDatabase(db), gateway)
}

class SqliteDatabase implements AuditDatabase {
  readonly #db: DatabaseSync
  readonly #prepared = new Map<string, StatementSync>()

  constructor(db: DatabaseSync) {
    this.#db = db
  }

  query(text: string, values: readonly unknown[]): Promise<readonly object[]> {
    return whenFree(() => this.#run(text, values))
  }

  transaction<T>(steps: () => Steps<T>): Promise<T> {
    return whenFree(() => this.#runAll(steps()))
  }

  /** Without a pause: other users of the connection must not get into the transaction. */
  #runAll<T>(steps: Steps<T>): T {
    this.#db.exec('BEGIN IMMEDIATE')
    try {
      let step = steps.next()
      while (!step.done) step = steps.next(this.#run(...step.value))
      this.#db.exec('COMMIT')
      return step.value
    } catch (error) {
      if (this.#db.isTransaction) this.#db.exec('ROLLBACK')
      throw error
    }
  }

  #run(text: string, values: readonly unknown[]): readonly object[] {
    const statement = this.#prepared.get(text) ?? this.#db.prepare(text.replaceAll('$', '?'))
    this.#prepared.set(text, statement)
    return statement.all(...(values as (string | number | null)[]))
  }
}
