import { setTimeout as delay } from 'node:timers/promises'
import { CUT_OFF } from '../cut-off.ts'
import { HISTORY_TABLES } from '../history.ts'
import { expiredKeys, type Retention } from '../retention.ts'
import { COUNTER_TABLES, SPANS } from '../stats/counters.ts'
import type { Database, Queries } from './connection.ts'

const BATCH = 1000
const PAUSE_MS = 20

/** Deletes expired rows in short transactions. Several gateways may try at once: each row is deleted by one of them. */
export async function sweep(database: Database, retention: Retention, now: number): Promise<void> {
  const expired = expiredKeys(retention, now)
  await deleteRequests(database, expired.plain, 1)
  await deleteRequests(database, expired.others, 0)
  await database.query(DELETE_STATS_IDS)
  for (const { name } of HISTORY_TABLES) {
    await database.query(`DELETE FROM ${name} WHERE bucket < $1`, [expired.othersTime])
  }
  for (const { ms, keptMs } of SPANS) {
    for (const { name } of COUNTER_TABLES) {
      await database.query(`DELETE FROM ${name} WHERE span = $1 AND bucket < $2`, [
        ms,
        now - keptMs,
      ])
    }
  }
}

/** No gateway retries the same counters for that long. */
const DELETE_STATS_IDS = "DELETE FROM stats_written WHERE time < now() - interval '1 day'"

const DELETE_BATCH = deletionOf(`
  SELECT key FROM requests WHERE key < $1 AND plain >= $2
  ORDER BY key LIMIT ${BATCH} FOR UPDATE SKIP LOCKED`)

/** The records that toInterruptedRows makes. */
const DELETE_UNKNOWN = deletionOf(`
  SELECT key FROM requests
  WHERE request_id = ANY($1::text[]) AND ${CUT_OFF}`)

/** Deletes the records that another gateway made of writes in flight, whose own records turn up later. */
export async function forgetUnknown(
  database: Pick<Queries, 'query'>,
  requestIds: readonly string[],
): Promise<void> {
  await database.query(DELETE_UNKNOWN, [requestIds])
}

/** @param keys selects the keys of requests */
function deletionOf(keys: string): string {
  return `
  WITH old AS (${keys}),
  deleted_details AS (DELETE FROM request_details WHERE key IN (SELECT key FROM old)),
  deleted_texts AS (DELETE FROM request_texts WHERE key IN (SELECT key FROM old)),
  deleted_attempts AS (DELETE FROM attempts WHERE key IN (SELECT key FROM old)),
  deleted_requests AS (DELETE FROM requests WHERE key IN (SELECT key FROM old) RETURNING 1)
  SELECT count(*) AS deleted FROM deleted_requests`
}

/** @param plain 1 deletes plain successes only, 0 all requests. */
async function deleteRequests(database: Database, before: number, plain: 0 | 1): Promise<void> {
  for (;;) {
    const [row] = await database.query<{ deleted: number }>(DELETE_BATCH, [before, plain])
    if ((row?.deleted ?? 0) < BATCH) return
    await delay(PAUSE_MS)
  }
}
