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

/** Keys that every gateway of one journal knows. Lives beside the journal, so that both survive together. */
export class PostgresIdempotency implements IdempotencyStore {
  readonly #sql: Database
  /** The gateway's name in the journal, which knows who is alive. */
  readonly #owner: string

  constructor(sql: Database, owner: string) {
    this.#sql = sql
    this.#owner = owner
  }

  /** Whoever puts the row there has claimed it; the others find it, one after another. */
  async claim(claim: Claim): Promise<Claimed> {
    const { caller, capability, key, fingerprint, time } = claim
    return await this.#sql.begin(async tx => {
      await tx`DELETE FROM idempotency WHERE time < ${time - KEPT_MS}`
      const inserted = await tx`
        INSERT INTO idempotency (caller, capability, key, fingerprint, owner, time)
        VALUES (${caller}, ${capability}, ${key}, ${fingerprint}, ${this.#owner}, ${time})
        ON CONFLICT DO NOTHING RETURNING 1`
      if (inserted.length > 0) return { kind: 'new' }
      const [row] = await tx<Row[]>`
        SELECT fingerprint, owner, time, answer, EXISTS (
          SELECT FROM gateways WHERE id = owner AND beat > now() - interval '30 seconds') AS alive
        FROM idempotency WHERE caller = ${caller} AND capability = ${capability} AND key = ${key}
        FOR UPDATE`
      if (!row || row.fingerprint !== fingerprint) return { kind: 'mismatch' }
      if (row.answer !== null) return { kind: 'done', answer: JSON.parse(row.answer) as Answer }
      if (row.owner === this.#owner || row.alive) return { kind: 'running' }
      await tx`
        UPDATE idempotency SET owner = ${this.#owner}
        WHERE caller = ${caller} AND capability = ${capability} AND key = ${key}`
      // The time of an interrupted request stays: its object was made after it, not after the repeat.
      return { kind: 'interrupted', time: row.time }
    })
  }

  async complete({ caller, capability, key }: Claim, answer: Answer): Promise<void> {
    await this.#keepTrying(
      () => this.#sql`
        UPDATE idempotency SET answer = ${JSON.stringify(answer)}
        WHERE caller = ${caller} AND capability = ${capability} AND key = ${key}`,
    )
  }

  async release({ caller, capability, key }: Claim): Promise<void> {
    await this.#keepTrying(
      () => this.#sql`
        DELETE FROM idempotency
        WHERE caller = ${caller} AND capability = ${capability} AND key = ${key}`,
    )
  }

  async close(): Promise<void> {
    await this.#sql.end({ timeout: 1 })
  }

  /** The caller is answered after the first try: what was done is done, whether or not it can be noted now. */
  async #keepTrying(write: () => PromiseLike<unknown>): Promise<void> {
    try {
      await write()
    } catch {
      void this.#tryAgain(write, TRIES)
    }
  }

  async #tryAgain(write: () => PromiseLike<unknown>, tries: number): Promise<void> {
    for (let n = 0; n < tries; n++) {
      await new Promise(resolve => setTimeout(resolve, PAUSE_MS).unref())
      try {
        await write()
        return
      } catch {
        // The next one may succeed.
      }
    }
  }
}
