import { setTimeout as delay } from 'node:timers/promises'
import { within } from '../../lib/within.ts'
import type { IntentColumns } from '../columns.ts'
import type { Database } from './connection.ts'

export interface GatewaysOptions {
  readonly database: Database
  readonly id: string
  readonly beatEveryMs: number
  readonly onError: (error: unknown) => void
  /** The database has confirmed a beat. @param sent when it was sent; epoch milliseconds */
  readonly onBeat: (sent: number) => void
  /** Called with the intents of gateways that have died. */
  readonly recover: (intents: readonly IntentColumns[]) => void
}

/** The end of a gateway waits no longer for a database that hangs. */
const LEAVE_MS = 1_000

/** A gateway counts as dead after it has missed this many beats. */
const MISSED_BEATS = 6

/**
 * The gateways that share a journal. Each one updates its beat again and again. One that has stopped counts as dead,
 * and another gateway takes over the intents of its writes in flight.
 */
export class Gateways {
  readonly #options: GatewaysOptions
  readonly #closing = new AbortController()
  readonly #beating: Promise<void>
  /** Own beats since the last failure. After an outage of the database all gateways seem dead until they beat again. */
  #beats = 0
  /** Intents that this gateway is taking over. */
  #taken: readonly IntentColumns[] = []

  constructor(options: GatewaysOptions) {
    this.#options = options
    this.#beating = this.#beatOn()
  }

  async close(): Promise<void> {
    const { database, id } = this.#options
    this.#closing.abort()
    await this.#beating
    const leaving = database.query('DELETE FROM gateways WHERE id = $1', [id])
    await within(leaving, LEAVE_MS, 'PostgreSQL does not answer').catch(() => {})
  }

  async #beatOn(): Promise<void> {
    const { signal } = this.#closing
    while (!signal.aborted) {
      try {
        const sent = Date.now()
        await this.#beat()
        this.#options.onBeat(sent)
        if (++this.#beats > MISSED_BEATS) await this.#takeOver()
      } catch (error) {
        if (this.#beats > 0) this.#options.onError(error)
        this.#beats = 0
      }
      await delay(this.#options.beatEveryMs, undefined, { signal, ref: false }).catch(() => {})
    }
  }

  async #beat(): Promise<void> {
    const { database, id } = this.#options
    await database.query(BEAT, [id])
  }

  /** Takes over in one statement, so that only one gateway gets an intent. */
  async #takeOver(): Promise<void> {
    const { database, id, beatEveryMs, recover } = this.#options
    const silence = `${MISSED_BEATS * beatEveryMs} milliseconds`
    await this.#recoverDoubtful()
    await database.transaction(async tx => {
      this.#taken = await tx.query<IntentColumns>(TAKE_OVER, [id, silence])
    })
    recover(this.#taken)
    this.#taken = []
    await database.query('DELETE FROM gateways WHERE beat < now() - 10 * $1::interval', [silence])
  }

  /** If the COMMIT's reply was lost we may already own these intents. Check: no other gateway will recover them. */
  async #recoverDoubtful(): Promise<void> {
    if (this.#taken.length === 0) return
    const { database, id, recover } = this.#options
    const ours = await database.query<{ request_id: string; time: number }>(
      'SELECT request_id, time FROM intents WHERE owner = $1 AND request_id = ANY($2::text[])',
      [id, this.#taken.map(({ request_id }) => request_id)],
    )
    const isOurs = (intent: IntentColumns) =>
      ours.some(({ request_id, time }) => request_id === intent.request_id && time === intent.time)
    recover(this.#taken.filter(isOurs))
    this.#taken = []
  }
}

/** Twice the pause between two beats. A longer gap means that the database was unreachable, probably for all gateways. */
const GAP = "interval '10 seconds'"

const BEAT = `
  INSERT INTO gateways (id, beat) VALUES ($1, now())
  ON CONFLICT (id) DO UPDATE SET
    beat = now(),
    since = CASE WHEN gateways.beat < now() - ${GAP} THEN now() ELSE gateways.since END`

/** A gateway without a beat for this long counts as dead. */
export const SILENCE_MS = 30_000
const SILENCE = `interval '${SILENCE_MS} milliseconds'`

/**
 * SQL condition: the gateway in the column `owner` may be alive. After an outage all gateways seem dead, so the
 * asking gateway cannot judge before it has beaten for a while itself. A gateway that has shut down has no row.
 * @param me placeholder of the asking gateway's id.
 */
export function mayLive(me: string): string {
  return `EXISTS (
    SELECT FROM gateways WHERE id = owner AND (beat > now() - ${SILENCE} OR NOT EXISTS (
      SELECT FROM gateways WHERE id = ${me} AND beat > now() - ${GAP} AND since < now() - ${SILENCE})))`
}

const TAKE_OVER = `
  UPDATE intents SET owner = $1
  WHERE owner <> $1 AND NOT EXISTS (
    SELECT FROM gateways WHERE gateways.id = intents.owner AND beat > now() - $2::interval)
  RETURNING *`
