import type { DatabaseSync, StatementSync } from 'node:sqlite'
import type { Answer } from '../model/envelope.ts'
import {
  type Claim,
  type Claimed,
  claimStored,
  type IdempotencyStore,
  KEY_KEPT_MS,
  type StoredKey,
} from './idempotency.ts'

/** Lives in the journal's file, so that an answer and its record survive together. */
export class SqliteIdempotency implements IdempotencyStore {
  readonly #db: DatabaseSync
  /** Distinguishes running requests of this process from those that a dead one left behind. */
  readonly #owner: string
  readonly #select: StatementSync
  readonly #upsert: StatementSync
  readonly #complete: StatementSync
  readonly #release: StatementSync
  readonly #expire: StatementSync

  constructor(db: DatabaseSync, owner: string) {
    db.exec(`
      CREATE TABLE IF NOT EXISTS idempotency (
        caller TEXT NOT NULL, capability TEXT NOT NULL, key TEXT NOT NULL,
        fingerprint TEXT NOT NULL, owner TEXT NOT NULL, time INTEGER NOT NULL, answer TEXT,
        PRIMARY KEY (caller, capability, key)
      ) WITHOUT ROWID;
      CREATE INDEX IF NOT EXISTS idempotency_time ON idempotency (time);
    `)
    this.#db = db
    this.#owner = owner
    this.#select = db.prepare(
      'SELECT fingerprint, owner, time, answer FROM idempotency WHERE caller = ? AND capability = ? AND key = ?',
    )
    this.#upsert = db.prepare(
      'INSERT OR REPLACE INTO idempotency (caller, capability, key, fingerprint, owner, time) VALUES (?, ?, ?, ?, ?, ?)',
    )
    this.#complete = db.prepare(
      'UPDATE idempotency SET answer = ? WHERE caller = ? AND capability = ? AND key = ?',
    )
    this.#release = db.prepare(
      'DELETE FROM idempotency WHERE caller = ? AND capability = ? AND key = ?',
    )
    this.#expire = db.prepare('DELETE FROM idempotency WHERE time < ?')
  }

  claim(claim: Claim): Claimed {
    const { caller, capability, key, fingerprint, time } = claim
    this.#expire.run(time - KEY_KEPT_MS)
    const row = this.#select.get(caller, capability, key) as StoredKey | undefined
    const claimed = row && claimStored(row, claim, row.owner === this.#owner)
    if (claimed && claimed.kind !== 'interrupted') return claimed
    this.#upsert.run(caller, capability, key, fingerprint, this.#owner, claimed?.time ?? time)
    return claimed ?? { kind: 'new' }
  }

  complete({ caller, capability, key }: Claim, answer: Answer): void {
    this.#complete.run(JSON.stringify(answer), caller, capability, key)
  }

  release({ caller, capability, key }: Claim): void {
    this.#release.run(caller, capability, key)
  }

  close(): void {
    this.#db.close()
  }
}
