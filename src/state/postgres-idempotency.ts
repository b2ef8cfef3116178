import { ulid } from 'ulid'
import type { Database, Queries } from '../journal/postgres/connection.ts'
import { mayLive } from '../journal/postgres/gateways.ts'
import type { Answer } from '../model/envelope.ts'
import {
  type Claim,
  type Claimed,
  claimStored,
  type IdempotencyStore,
  KEY_KEPT_MS,
  type StoredKey,
} from './idempotency.ts'
import type { SignsOfLife } from './signs-of-life.ts'
import { writeEventually } from './write-eventually.ts'

const ITS_ROW = 'caller = $1 AND capability = $2 AND key = $3'
/** Matches only the row of this claim: if a write is retried that had succeeded, someone else may have claimed the key. */
const ITS_CLAIM = `${ITS_ROW} AND claim = $4`

const UNCLAIM = `DELETE FROM idempotency WHERE ${ITS_CLAIM}`
/** How to undo a claim that may have been committed without our knowledge. */
const UNDO: Partial<Record<Claimed['kind'], string>> = {
  new: UNCLAIM,
  // The next gateway to claim the key must find out how the dead gateway's request ended.
  interrupted: `UPDATE idempotency SET owner = '' WHERE ${ITS_CLAIM}`,
}

/** Idempotency-Keys for all gateways of one journal. Lives in its database, so that both survive together. */
export class PostgresIdempotency implements IdempotencyStore {
  readonly #database: Database
  /** The gateway's id in the journal, which knows which gateways are alive. */
  readonly #owner: string
  readonly #life: SignsOfLife
  readonly #made = new WeakMap<Claim, { readonly id: string; readonly time: number }>()

  constructor(database: Database, owner: string, life: SignsOfLife) {
    this.#database = database
    this.#owner = owner
    this.#life = life
  }

  /** The gateway that inserts the row has the claim. Others wait for its transaction and find the row. */
  async claim(claim: Claim): Promise<Claimed> {
    const [id, time] = [ulid(), Date.now()]
    const made: { undo?: string | undefined } = {}
    try {
      const claimed = await this.#database.transaction(async tx => {
        const found = await this.#claimIn(tx, claim, id)
        made.undo = UNDO[found.kind]
        return found
      })
      this.#made.set(claim, { id, time })
      return claimed
    } catch (error) {
      // The COMMIT may have succeeded in spite of the error. Nobody would ever settle that claim, so undo it.
      const { undo } = made
      if (undo) void writeEventually(() => this.#undo(claim, id, undo))
      throw error
    }
  }

  async #undo(claim: Claim, id: string, undo: string): Promise<void> {
    await this.#database.transaction(async tx => {
      await lock(tx, claim)
      await tx.query(undo, [...nameOf(claim), id])
    })
  }

  async #claimIn(tx: Queries, claim: Claim, id: string): Promise<Claimed> {
    const { fingerprint, time } = claim
    const name = nameOf(claim)
    await lock(tx, claim)
    await tx.query('DELETE FROM idempotency WHERE time < $1', [time - KEY_KEPT_MS])
    const inserted = await tx.query(
      `INSERT INTO idempotency (caller, capability, key, fingerprint, owner, time, claim)
       VALUES ($1, $2, $3, $4, $5, $6, $7)
       ON CONFLICT DO NOTHING RETURNING 1`,
      [...name, fingerprint, this.#owner, time, id],
    )
    if (inserted.length > 0) return { kind: 'new' }
    const [row] = await tx.query<StoredKey & { readonly alive: boolean }>(
      `SELECT fingerprint, owner, time, answer, ${mayLive('$4')} AS alive
       FROM idempotency WHERE ${ITS_ROW} FOR UPDATE`,
      [...name, this.#owner],
    )
    // Another gateway has released the key meanwhile, or it has expired.
    if (!row) return await this.#claimIn(tx, claim, id)
    const claimed = claimStored(row, claim, row.owner === this.#owner || row.alive)
    if (claimed.kind === 'interrupted') {
      const values = [...name, this.#owner, id]
      await tx.query(`UPDATE idempotency SET owner = $4, claim = $5 WHERE ${ITS_ROW}`, values)
    }
    return claimed
  }

  holds(claim: Claim): boolean {
    const made = this.#made.get(claim)
    return made !== undefined && this.#life.lastedSince(made.time)
  }

  async complete(claim: Claim, answer: Answer): Promise<void> {
    const values = [...this.#valuesOf(claim), JSON.stringify(answer)]
    const text = `UPDATE idempotency SET answer = $5 WHERE ${ITS_CLAIM}`
    await writeEventually(() => this.#database.query(text, values))
  }

  async release(claim: Claim): Promise<void> {
    await writeEventually(() => this.#database.query(UNCLAIM, this.#valuesOf(claim)))
  }

  async undo(claim: Claim, { kind }: Claimed): Promise<void> {
    const { [kind]: text } = UNDO
    if (text) await writeEventually(() => this.#database.query(text, this.#valuesOf(claim)))
  }

  #valuesOf(claim: Claim): readonly unknown[] {
    return [...nameOf(claim), this.#made.get(claim)?.id]
  }

  async close(): Promise<void> {
    await this.#database.close()
  }
}

/** Locks the key until the end of the transaction: undoing a claim must wait for the transaction that makes it. */
async function lock(tx: Queries, claim: Claim): Promise<void> {
  await tx.query('SELECT pg_advisory_xact_lock(hashtextextended($1, 0))', [nameOf(claim).join(' ')])
}

function nameOf({ caller, capability, key }: Claim): readonly string[] {
  return [caller, capability, key]
}
