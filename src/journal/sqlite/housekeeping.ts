import type { DatabaseSync } from 'node:sqlite'
import { setTimeout as delay } from 'node:timers/promises'
import { HISTORY_TABLES } from '../history.ts'
import { firstKeyAt } from '../keys.ts'
import { DEFAULT_RETENTION, expiredKeys, type Retention } from '../retention.ts'
import { COUNTER_TABLES, SPANS } from '../stats/counters.ts'

export interface FileRetention extends Retention {
  /** If the file is larger, the oldest requests are deleted early, plain successes first. @default null */
  readonly max_bytes: number | null
}

export const DEFAULT_FILE_RETENTION: FileRetention = { ...DEFAULT_RETENTION, max_bytes: null }

/**
 * A checkpoint runs once the write-ahead log has this many pages. While it runs, the disk makes writers wait, so
 * several short checkpoints are better than a long one: at 3,000 requests a second the longest wait was 13 ms
 * with this size, and 63 ms with one checkpoint a second.
 */
const WORTHWHILE_PAGES = 1000

/** A log of this size is restarted; writers wait a moment for that. */
const LOG_LIMIT_PAGES = 4096

/**
 * Moves the write-ahead log into the database once it has grown. A passive checkpoint takes no lock that writers
 * need, but never quite catches up with writers that do not pause, and SQLite restarts a log only when all of it
 * has moved. So a long log is moved twice, which leaves very little to move under the write lock.
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

/** Requests deleted in one transaction, and the pause after it: the gateway needs the same lock. */
const BATCH = 100
const PAUSE_MS = 10

/** Deletes expired rows, then the oldest requests while the file is too big. Returns the number of deleted requests. */
export async function sweep(
  db: DatabaseSync,
  retention: FileRetention,
  now: number,
): Promise<number> {
  const { max_bytes } = retention
  const expired = expiredKeys(retention, now)
  const deleteBatch = prepareDelete(db)
  let deleted = 0

  const deleteWhile = async (plainOnly: boolean, before: number, isDue: () => boolean) => {
    let after = -1
    while (isDue()) {
      const keys = deleteBatch(plainOnly, after, before)
      deleted += keys.length
      const last = keys.at(-1)
      if (last === undefined) return
      after = last
      await delay(PAUSE_MS)
    }
  }

  await deleteCounters(db, now)
  for (const { name } of HISTORY_TABLES) {
    db.prepare(`DELETE FROM ${name} WHERE bucket < ?`).run(expired.othersTime)
  }
  await deleteWhile(true, expired.plain, () => true)
  await deleteWhile(false, expired.others, () => true)
  if (max_bytes !== null) {
    const tooBig = () => usedBytes(db) > max_bytes
    await deleteWhile(true, firstKeyAt(now), tooBig)
    await deleteWhile(false, firstKeyAt(now), tooBig)
  }
  return deleted
}

/** Deletes the oldest requests between two keys and everything that belongs to them, in one transaction. */
function prepareDelete(db: DatabaseSync) {
  const select = db.prepare(`
    SELECT key FROM requests
    WHERE key > ? AND key < ? AND plain >= ?
    ORDER BY key LIMIT ${BATCH}`)
  const deletes = [
    'attempts WHERE key',
    'request_details WHERE key',
    'request_words WHERE rowid',
    'requests WHERE key',
  ].map(place => db.prepare(`DELETE FROM ${place} = ?`))
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

/** Deletes expired counters in small transactions. */
async function deleteCounters(db: DatabaseSync, now: number): Promise<void> {
  for (const { name, keys } of COUNTER_TABLES) {
    const remove = db.prepare(`
      DELETE FROM ${name} WHERE (${keys.join(', ')}) IN (
        SELECT ${keys.join(', ')} FROM ${name} WHERE span = ? AND bucket < ? LIMIT ${BATCH})`)
    for (const { ms, keptMs } of SPANS) {
      while (Number(remove.run(ms, now - keptMs).changes) > 0) await delay(PAUSE_MS)
    }
  }
}

/** Without free pages: they stay in the file, and SQLite uses them again. */
function usedBytes(db: DatabaseSync): number {
  const pragma = (name: string) => Number(db.prepare(`PRAGMA ${name}`).get()?.[name])
  return (pragma('page_count') - pragma('freelist_count')) * pragma('page_size')
}
