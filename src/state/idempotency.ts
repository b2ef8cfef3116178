import type { DatabaseSync, StatementSync } from 'node:sqlite'
import type { Answer } from '../model/envelope.ts'

/** What an Idempotency-Key stands for: it belongs to one caller and one capability, and is bound to one input. */
export interface Claim {
  readonly caller: string
  readonly capability: string
  readonly key: string
  /** Equal for equal inputs. */
  readonly fingerprint: string
  /** Epoch milliseconds. */
  readonly time: number
}

export type Claimed =
  /** Nobody has used it: send, then complete or release. */
  | { readonly kind: 'new' }
  | { readonly kind: 'done'; readonly answer: Answer }
  | { readonly kind: 'running' }
  | { readonly kind: 'mismatch' }
  /** A gateway died with this request in flight; `time` is when it began. Claimed anew. */
  | { readonly kind: 'interrupted'; readonly time: number }

/** Remembers what was answered under an Idempotency-Key, across restarts. */
export interface IdempotencyStore {
  /** Rejects when it cannot be told whether the key was used. */
  claim(claim: Claim): Claimed | Promise<Claimed>
  /** Keeps the answer: the same request gets it again. */
  complete(claim: Claim, answer: Answer): void | Promise<void>
  /** Nothing was applied: the same request may be sent again. */
  release(claim: Claim): void | Promise<void>
  close(): void | Promise<void>
}

export const KEPT_MS = 24 * 60 * 60 * 1000

interface Row {
  readonly fingerprint: string
  readonly owner: string
  readonly time: number
  readonly answer: string | null
}

/** Lives in the journal's file, so that an answer and its record survive together. */
export class SqliteIdempotency implements IdempotencyStore {
  readonly #db: DatabaseSync
  /** Tells this process's running requests from those that a dead one left behind. */
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
    this.#expire.run(time - KEPT_MS)
    const row = this.#select.get(caller, capability, key) as Row | undefined
    if (row && row.fingerprint !== fingerprint) return { kind: 'mismatch' }
    if (row?.answer != null) return { kind: 'done', answer: JSON.parse(row.answer) as Answer }
    if (row?.owner === this.#owner) return { kind: 'running' }
    // The time of an interrupted request stays: its object was made after it, not after the repeat.
    this.#upsert.run(caller, capability, key, fingerprint, this.#owner, row?.time ?? time)
    return row ? { kind: 'interrupted', time: row.time } : { kind: 'new' }
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
