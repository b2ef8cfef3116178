import { setTimeout as delay } from 'node:timers/promises'
import { firstKeyAt } from '../keys.ts'
import { SPANS } from '../stats/counters.ts'
import type { Database } from './connection.ts'

export interface RetentionDays {
  readonly days: number
  readonly failure_days: number
}

const DAY_MS = 24 * 60 * 60 * 1000
const BATCH = 1000
const PAUSE_MS = 20

/** Deletes what is past its time, in short transactions. Of several gateways that try at once, one does it. */
export async function sweep(database: Database, kept: RetentionDays, now: number): Promise<void> {
  await deleteRequests(database, firstKeyAt(now - kept.days * DAY_MS), 1)
  await deleteRequests(database, firstKeyAt(now - kept.failure_days * DAY_MS), 0)
  await database.query(FORGET_WRITTEN)
  for (const { ms, keptMs } of SPANS) {
    for (const table of ['stats_outcomes', 'stats_durations']) {
      await database.query(`DELETE FROM ${table} WHERE span = $1 AND bucket < $2`, [
        ms,
        now - keptMs,
      ])
    }
  }
}

/** Nobody tries again for so long. */
const FORGET_WRITTEN = "DELETE FROM stats_written WHERE time < now() - interval '1 day'"

const DELETE_BATCH = `
  WITH old AS (
    SELECT key FROM requests WHERE key < $1 AND plain >= $2
    ORDER BY key LIMIT ${BATCH} FOR UPDATE SKIP LOCKED
  ),
  details AS (DELETE FROM request_details WHERE key IN (SELECT key FROM old)),
  tried AS (DELETE FROM attempts WHERE key IN (SELECT key FROM old)),
  gone AS (DELETE FROM requests WHERE key IN (SELECT key FROM old) RETURNING 1)
  SELECT count(*) AS deleted FROM gone`

/** @param plain 1 for plain successes only, 0 for all. */
async function deleteRequests(database: Database, before: number, plain: 0 | 1): Promise<void> {
  for (;;) {
    const [row] = await database.query<{ deleted: number }>(DELETE_BATCH, [before, plain])
    if ((row?.deleted ?? 0) < BATCH) return
    await delay(PAUSE_MS)
  }
}
