import type { DatabaseSync } from 'node:sqlite'
import { setTimeout as delay } from 'node:timers/promises'
import { firstKeyAt } from '../keys.ts'
import { DURATIONS, OUTCOMES, SPANS } from '../stats/counters.ts'

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

/**
 * Pages in the write-ahead log that are worth a checkpoint. While one runs, the disk makes writers wait,
 * so several short ones are better than a long one: at 3,000 requests a second the longest wait was 13 ms
 * with this size, and 63 ms with one checkpoint a second.
 */
const WORTHWHILE_PAGES = 1000

/** Past this the log begins anew, for which writers have to wait a moment. */
const LOG_LIMIT_PAGES = 4096

/**
 * Moves the write-ahead log into the database when it has grown. A passive checkpoint takes no lock that
 * writers need, but never quite catches up with writers that do not pause, and only a log that is wholly
 * moved begins anew. So a long one is moved twice, until next to nothing is left for the write lock.
 */
export function checkpoint(db: DatabaseSync): void {
  const { log, moved } = runCheckpoint(db, 'NOOP')
  if (log - moved < WORTHWHILE_PAGES) return
  if (runCheckpoint(db, 'PASSIVE').log < LOG_LIMIT_PAGES) return
  runCheckpoint(db, 'PASSIVE')
  runCheckpoint(db, 'RESTART')
}

function runCheckpoint(db: DatabaseSync, mode: 'NOOP' | 'PASSIVE' | 'RESTART') {
  const state = db.prepare(`PRAGMA wal_checkpoint(${mode})`).get()
  return { log: Number(state?.log), moved: Number(state?.checkpointed) }
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

  await deleteCounters(db, now)
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

/** In pieces, each of which is a transaction of its own. */
async function deleteCounters(db: DatabaseSync, now: number): Promise<void> {
  for (const { name, keys } of [OUTCOMES, DURATIONS]) {
    const remove = db.prepare(`
      DELETE FROM ${name} WHERE (${keys.join(', ')}) IN (
        SELECT ${keys.join(', ')} FROM ${name} WHERE span = ? AND bucket < ? LIMIT ${BATCH})`)
    for (const { ms, keptMs } of SPANS) {
      while (Number(remove.run(ms, now - keptMs).changes) > 0) await delay(PAUSE_MS)
    }
  }
}

/** Freed pages stay in the file and are used again, so they do not count. */
function usedBytes(db: DatabaseSync): number {
  const pragma = (name: string) => Number(db.prepare(`PRAGMA ${name}`).get()?.[name])
  return (pragma('page_count') - pragma('freelist_count')) * pragma('page_size')
}
