import { setTimeout as delay } from 'node:timers/promises'
import type { Answer } from '../envelope.ts'
import type { Database } from '../journal/postgres/connection.ts'
import { type Claim, type Claimed, type IdempotencyStore, KEPT_MS } from './idempotency.ts'

interface Row {
  readonly fingerprint: string
  readonly owner: string
  readonly time: number
  readonly answer: string | null
  readonly alive: boolean
}

/** How often an answer that cannot be kept is tried again, and the pause between. */
const TRIES = 60
const PAUSE_MS = 1000

const ITS_ROW = 'caller = $1 AND capability = $2 AND key = $3'

/** Keys that every gateway of one journal knows. Lives beside the journal, so that both survive together. */
export class PostgresIdempotency implements IdempotencyStore {
  readonly #database: Database
  /** The gateway's name in the journal, which knows who is alive. */
  readonly #owner: string

  constructor(database: Database, owner: string) {
    this.#database = database
    this.#owner = owner
  }

  /** Whoever puts the row there has claimed it; the others find it, one after another. */
  async claim(claim: Claim): Promise<Claimed> {
    const { caller, capability, key, fingerprint, time } = claim
    const id = [caller, capability, key]
    return await this.#database.transaction(async tx => {
      await tx.query('DELETE FROM idempotency WHERE time < $1', [time - KEPT_MS])
      const inserted = await tx.query(
        `INSERT INTO idempotency (caller, capability, key, fingerprint, owner, time)
         VALUES ($1, $2, $3, $4, $5, $6)
         ON CONFLICT DO NOTHING RETURNING 1`,
        [...id, fingerprint, this.#owner, time],
      )
      if (inserted.length > 0) return { kind: 'new' }
      const [row] = await tx.query<Row>(
        `SELECT fingerprint, owner, time, answer, EXISTS (
           SELECT FROM gateways WHERE id = owner AND beat > now() - interval '30 seconds') AS alive
         FROM idempotency WHERE ${ITS_ROW} FOR UPDATE`,
        id,
      )
      if (!row || row.fingerprint !== fingerprint) return { kind: 'mismatch' }
      if (row.answer !== null) return { kind: 'done', answer: JSON.parse(row.answer) as Answer }
      if (row.owner === this.#owner || row.alive) return { kind: 'running' }
      await tx.query(`UPDATE idempotency SET owner = $4 WHERE ${ITS_ROW}`, [...id, this.#owner])
      // The time of an interrupted request stays: its object was made after it, not after the repeat.
      return { kind: 'interrupted', time: row.time }
    })
  }

  async complete({ caller, capability, key }: Claim, answer: Answer): Promise<void> {
    const values = [caller, capability, key, JSON.stringify(answer)]
    await this.#keepTrying(`UPDATE idempotency SET answer = $4 WHERE ${ITS_ROW}`, values)
  }

  async release({ caller, capability, key }: Claim): Promise<void> {
    const values = [caller, capability, key]
    await this.#keepTrying(`DELETE FROM idempotency WHERE ${ITS_ROW}`, values)
  }

  async close(): Promise<void> {
    await this.#database.close()
  }

  /** The caller is answered after the first try: what was done is done, whether or not it can be noted now. */
  async #keepTrying(text: string, values: readonly string[]): Promise<void> {
    try {
      await this.#database.query(text, values)
    } catch {
      void this.#tryAgain(text, values)
    }
  }

  async #tryAgain(text: string, values: readonly string[]): Promise<void> {
    for (let n = 0; n < TRIES; n++) {
      await delay(PAUSE_MS, undefined, { ref: false })
      try {
        await this.#database.query(text, values)
        return
      } catch {
        // The next one may succeed.
      }
    }
  }
}
