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
import { isBusy, whenFree } from './sqlite-busy.ts'
import { writeEventually } from './write-eventually.ts'

/** Matches only a claim of this owner: a worker must not settle a key that another one has claimed since. */
const ITS_CLAIM = 'caller = ? AND capability = ? AND key = ? AND owner = ?'

/**
 * Lives in the journal's file, so that an answer and its record survive together. The connection must not wait for locks
 * itself (`busy_timeout`), because that would block the event loop: this class waits instead.
 */
export class SqliteIdempotency implements IdempotencyStore {
  readonly #db: DatabaseSync
  /** Distinguishes running requests of this process or worker from those that a dead one left behind. */
  readonly #owner: string
  readonly #lives: (owner: string) => boolean
  readonly #select: StatementSync
  readonly #upsert: StatementSync
  readonly #complete: StatementSync
  readonly #release: StatementSync
  readonly #disown: StatementSync
  readonly #expire: StatementSync

  /** @param lives whether an owner may still be running its requests. @default only this one does */
  constructor(db: DatabaseSync, owner: string, lives = (one: string) => one === owner) {
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
    this.#lives = lives
    this.#select = db.prepare(
      'SELECT fingerprint, owner, time, answer FROM idempotency WHERE caller = ? AND capability = ? AND key = ?',
    )
    this.#upsert = db.prepare(
      'INSERT OR REPLACE INTO idempotency (caller, capability, key, fingerprint, owner, time) VALUES (?, ?, ?, ?, ?, ?)',
    )
    this.#complete = db.prepare(`UPDATE idempotency SET answer = ? WHERE ${ITS_CLAIM}`)
    this.#release = db.prepare(`DELETE FROM idempotency WHERE ${ITS_CLAIM}`)
    this.#disown = db.prepare(`UPDATE idempotency SET owner = '' WHERE ${ITS_CLAIM}`)
    this.#expire = db.prepare('DELETE FROM idempotency WHERE time < ?')
  }

  /** Nobody else uses the file while this process lives. */
  holds(): boolean {
    return true
  }

  /** Returns no promise unless another connection holds the lock. */
  claim(claim: Claim): Claimed | Promise<Claimed> {
    try {
      return this.#claimNow(claim)
    } catch (error) {
      if (!isBusy(error)) throw error
      return whenFree(() => this.#claimNow(claim))
    }
  }

  async complete(claim: Claim, answer: Answer): Promise<void> {
    const text = JSON.stringify(answer)
    await writeEventually(async () => this.#complete.run(text, ...this.#valuesOf(claim)))
  }

  async release(claim: Claim): Promise<void> {
    await writeEventually(async () => this.#release.run(...this.#valuesOf(claim)))
  }

  async undo(claim: Claim, { kind }: Claimed): Promise<void> {
    if (kind === 'new') await this.release(claim)
    // The next claim must still find out what became of the interrupted request.
    if (kind === 'interrupted')
      await writeEventually(async () => this.#disown.run(...this.#valuesOf(claim)))
  }

  #valuesOf({ caller, capability, key }: Claim) {
    return [caller, capability, key, this.#owner] as const
  }

  close(): void {
    this.#db.close()
  }

  #claimNow(claim: Claim): Claimed {
    const { caller, capability, key, fingerprint, time } = claim
    this.#expire.run(time - KEY_KEPT_MS)
    const row = this.#select.get(caller, capability, key) as StoredKey | undefined
    const claimed = row && claimStored(row, claim, this.#lives(row.owner))
    if (claimed && claimed.kind !== 'interrupted') return claimed
    this.#upsert.run(caller, capability, key, fingerprint, this.#owner, claimed?.time ?? time)
    return claimed ?? { kind: 'new' }
  }
}
