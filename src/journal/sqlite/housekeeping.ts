import type { DatabaseSync } from 'node:sqlite'
import { setTimeout as delay } from 'node:timers/promises'
import { firstKeyAt } from '../keys.ts'

/** How long requests are kept. Failures and fallbacks are what people come back for, so they stay longer. */
export interface Retention {
  /** Days that plain successes are kept. @default 7 */
  readonly days: number
  /** Days that everything else is kept. @default 30 */
  readonly failure_days: number
  /** Beyond this size of the file the oldest go early, plain successes first. @default null */
  readonly max_bytes: number | null
}

export const DEFAULT_RETENTION: Retention = { days: 7, failure_days: 30, max_bytes: null }

/** Past this the log is emptied even though that makes writers wait for some milliseconds. */
const LOG_LIMIT_PAGES = 16_384

/**
 * Moves the write-ahead log into the database. A passive checkpoint disturbs no writer, but under
 * constant load never catches up with them, so a log that has become long is also restarted.
 */
export function checkpoint(db: DatabaseSync): void {
  const state = db.prepare('PRAGMA wal_checkpoint(PASSIVE)').get()
  if (Number(state?.log) > LOG_LIMIT_PAGES) db.prepare('PRAGMA wal_checkpoint(RESTART)').get()
}

/** Requests deleted in one transaction, and the time left to the gateway, which needs the same lock. */
const BATCH = 100
const PAUSE_MS = 10

const DAY_MS = 24 * 60 * 60 * 1000

/** Deletes what is past its time, then the oldest while the file is too big. Returns how many requests went. */
export async function sweep(db: DatabaseSync, retention: Retention, now: number): Promise<number> {
  const { days, failure_days, max_bytes } = retention
  const deleteBatch = prepareDelete(db)
  let deleted = 0

  const deleteWhile = async (plainOnly: boolean, before: number, wanted: () => boolean) => {
    let after = -1
    while (wanted()) {
      const keys = deleteBatch(plainOnly, after, before)
      deleted += keys.length
      const last = keys.at(-1)
      if (last === undefined) return
      after = last
      await delay(PAUSE_MS)
    }
  }

  await deleteWhile(true, firstKeyAt(now - days * DAY_MS), () => true)
  await deleteWhile(false, firstKeyAt(now - failure_days * DAY_MS), () => true)
  if (max_bytes !== null) {
    const tooBig = () => usedBytes(db) > max_bytes
    await deleteWhile(true, firstKeyAt(now), tooBig)
    await deleteWhile(false, firstKeyAt(now), tooBig)
  }
  return deleted
}

/** One transaction that deletes the oldest requests between two keys, with all that belongs to them. */
function prepareDelete(db: DatabaseSync) {
  const select = db.prepare(`
    SELECT key FROM requests
    WHERE key > ? AND key < ? AND plain >= ?
    ORDER BY key LIMIT ${BATCH}`)
  const deletes = ['attempts', 'request_details', 'requests'].map(table =>
    db.prepare(`DELETE FROM ${table} WHERE key = ?`),
  )
  return (plainOnly: boolean, after: number, before: number): number[] => {
    const keys = select.all(after, before, plainOnly ? 1 : 0).map(row => Number(row.key))
    db.exec('BEGIN IMMEDIATE')
    try {
      for (const key of keys) {
        for (const statement of deletes) statement.run(key)
      }
      db.exec('COMMIT')
    } catch (error) {
      if (db.isTransaction) db.exec('ROLLBACK')
      throw error
    }
    return keys
  }
}

/** Freed pages stay in the file and are used again, so they do not count. */
function usedBytes(db: DatabaseSync): number {
  const pragma = (name: string) => Number(db.prepare(`PRAGMA ${name}`).get()?.[name])
  return (pragma('page_count') - pragma('freelist_count')) * pragma('page_size')
}
