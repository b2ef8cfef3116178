import { ulid } from 'ulid'
import type { Database, Queries } from '../journal/postgres/connection.ts'
import { mayLive } from '../journal/postgres/gateways.ts'
import type { Answer } from '../model/envelope.ts'
import { type Claim, type Claimed, type IdempotencyStore, KEPT_MS } from './idempotency.ts'
import { keepTrying } from './keep-trying.ts'

interface Row {
  readonly fingerprint: string
  readonly owner: string
  readonly time: number
  readonly answer: string | null
  readonly alive: boolean
}

const ITS_ROW = 'caller = $1 AND capability = $2 AND key = $3'
/** While what is tried again was done all along, somebody else may have claimed the key. */
const ITS_CLAIM = `${ITS_ROW} AND claim = $4`

const UNCLAIM = `DELETE FROM idempotency WHERE ${ITS_CLAIM}`
const UNDO: Partial<Record<Claimed['kind'], string>> = {
  new: UNCLAIM,
  // What a dead gateway has left in flight is still to be found out about.
  interrupted: `UPDATE idempotency SET owner = '' WHERE ${ITS_CLAIM}`,
}

/** Keys that every gateway of one journal knows. Lives beside the journal, so that both survive together. */
export class PostgresIdempotency implements IdempotencyStore {
  readonly #database: Database
  /** The gateway's name in the journal, which knows who is alive. */
  readonly #owner: string
  readonly #ids = new WeakMap<Claim, string>()

  constructor(database: Database, owner: string) {
    this.#database = database
    this.#owner = owner
  }

  /** Whoever puts the row there has claimed it; the others find it, one after another. */
  async claim(claim: Claim): Promise<Claimed> {
    const id = ulid()
    const made: { undo?: string | undefined } = {}
    try {
      const claimed = await this.#database.transaction(async tx => {
        const found = await this.#look(tx, claim, id)
        made.undo = UNDO[found.kind]
        return found
      })
      this.#ids.set(claim, id)
      return claimed
    } catch (error) {
      // The commit may have been done all the same, and nobody would ever settle this claim.
      const { undo } = made
      if (undo) void keepTrying(() => this.#undo(claim, id, undo))
      throw error
    }
  }

  async #undo(claim: Claim, id: string, undo: string): Promise<void> {
    await this.#database.transaction(async tx => {
      await lock(tx, claim)
      await tx.query(undo, [...nameOf(claim), id])
    })
  }

  async #look(tx: Queries, claim: Claim, id: string): Promise<Claimed> {
    const { fingerprint, time } = claim
    const name = nameOf(claim)
    await lock(tx, claim)
    await tx.query('DELETE FROM idempotency WHERE time < $1', [time - KEPT_MS])
    const inserted = await tx.query(
      `INSERT INTO idempotency (caller, capability, key, fingerprint, owner, time, claim)
       VALUES ($1, $2, $3, $4, $5, $6, $7)
       ON CONFLICT DO NOTHING RETURNING 1`,
      [...name, fingerprint, this.#owner, time, id],
    )
    if (inserted.length > 0) return { kind: 'new' }
    const [row] = await tx.query<Row>(
      `SELECT fingerprint, owner, time, answer, ${mayLive('$4')} AS alive
       FROM idempotency WHERE ${ITS_ROW} FOR UPDATE`,
      [...name, this.#owner],
    )
    if (!row || row.fingerprint !== fingerprint) return { kind: 'mismatch' }
    if (row.answer !== null) return { kind: 'done', answer: JSON.parse(row.answer) as Answer }
    if (row.owner === this.#owner || row.alive) return { kind: 'running' }
    const taken = [...name, this.#owner, id]
    await tx.query(`UPDATE idempotency SET owner = $4, claim = $5 WHERE ${ITS_ROW}`, taken)
    // The time of an interrupted request stays: its object was made after it, not after the repeat.
    return { kind: 'interrupted', time: row.time }
  }

  async complete(claim: Claim, answer: Answer): Promise<void> {
    const values = [...this.#claimed(claim), JSON.stringify(answer)]
    const text = `UPDATE idempotency SET answer = $5 WHERE ${ITS_CLAIM}`
    await keepTrying(() => this.#database.query(text, values))
  }

  async release(claim: Claim): Promise<void> {
    await keepTrying(() => this.#database.query(UNCLAIM, this.#claimed(claim)))
  }

  #claimed(claim: Claim): readonly unknown[] {
    return [...nameOf(claim), this.#ids.get(claim)]
  }

  async close(): Promise<void> {
    await this.#database.close()
  }
}

/** Until the end of the transaction. Whoever undoes a claim waits for the transaction that may yet make it. */
async function lock(tx: Queries, claim: Claim): Promise<void> {
  await tx.query('SELECT pg_advisory_xact_lock(hashtextextended($1, 0))', [nameOf(claim).join(' ')])
}

function nameOf({ caller, capability, key }: Claim): readonly string[] {
  return [caller, capability, key]
}
