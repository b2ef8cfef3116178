import type { DatabaseSync } from 'node:sqlite'
import { firstKeyAt, KEYS_PER_MS, suggestKey } from '../keys.ts'
import {
  ATTEMPT_COLUMNS,
  type Column,
  DETAIL_COLUMNS,
  type IntentColumns,
  REQUEST_COLUMNS,
  type RequestRows,
} from '../rows.ts'
import type { Entry, Refusal } from '../write-buffer.ts'

/** What the write buffer of this journal holds. */
export type JournalEntry = Entry &
  (
    | { readonly kind: 'request'; readonly rows: RequestRows }
    | { readonly kind: 'intent'; readonly row: IntentColumns }
  )

export type WriteBatch = (batch: readonly JournalEntry[]) => readonly Refusal<JournalEntry>[]

/** Writes batches, each in one transaction, with statements that are prepared once. */
export function createWriter(db: DatabaseSync): WriteBatch {
  const writeEntry = prepareEntry(db)
  const begin = db.prepare('BEGIN IMMEDIATE')
  const commit = db.prepare('COMMIT')

  return batch => {
    const refusals: Refusal<JournalEntry>[] = []
    begin.run()
    try {
      for (const entry of batch) {
        try {
          writeEntry(entry)
        } catch (error) {
          if (!isRefusal(error)) throw error
          refusals.push({ entry, error })
        }
      }
      commit.run()
    } catch (error) {
      // Some errors (a full disk) have rolled back already.
      if (db.isTransaction) db.exec('ROLLBACK')
      throw error
    }
    return refusals
  }
}

function prepareEntry(db: DatabaseSync): (entry: JournalEntry) => void {
  const insertRequest = prepareInsert(
    db,
    'requests',
    REQUEST_COLUMNS,
    'ON CONFLICT (key) DO NOTHING',
  )
  const insertDetails = prepareInsert(db, 'request_details', DETAIL_COLUMNS)
  const insertAttempt = prepareInsert(db, 'attempts', ATTEMPT_COLUMNS)
  const findFreeKey = prepareFreeKey(db)
  const replaceIntent = db.prepare(`
    INSERT OR REPLACE INTO intents VALUES (:request_id, :time, :caller, :capability_id, :route)`)
  const deleteIntent = db.prepare('DELETE FROM intents WHERE request_id = ? AND time = ?')

  return entry => {
    if (entry.kind === 'intent') {
      replaceIntent.run(entry.row)
      return
    }
    const { request, details, attempts } = entry.rows
    let key = suggestKey(request.time)
    while (!insertRequest(key, request)) key = findFreeKey(request.time)
    insertDetails(key, details)
    for (const attempt of attempts) insertAttempt(key, attempt)
    if (details.effect !== 'read') deleteIntent.run(request.request_id, request.time)
  }
}

/** An insert of one keyed row; tells whether it went in. Values by position: names take twice the time to bind. */
function prepareInsert<Name extends string>(
  db: DatabaseSync,
  table: string,
  columns: readonly Name[],
  onConflict = '',
): (key: number, row: Readonly<Record<Name, Column>>) => boolean {
  const statement = db.prepare(`
    INSERT INTO ${table} (key, ${columns.join(', ')})
    VALUES (?${', ?'.repeat(columns.length)}) ${onConflict}`)
  return (key, row) => statement.run(key, ...columns.map(name => row[name])).changes === 1
}

/** The key after the highest of that millisecond, or of the first one after it that has room. */
function prepareFreeKey(db: DatabaseSync): (time: number) => number {
  const selectHighest = db.prepare(
    'SELECT max(key) AS key FROM requests WHERE key >= ? AND key < ?',
  )
  return time => {
    for (let first = firstKeyAt(time); ; first += KEYS_PER_MS) {
      const highest = selectHighest.get(first, first + KEYS_PER_MS)?.key
      if (typeof highest !== 'number') return first
      if (highest + 1 < first + KEYS_PER_MS) return highest + 1
    }
  }
}

/** Primary result codes that blame the row (too big, constraint, datatype) and not the database. */
const REFUSALS: ReadonlySet<number> = new Set([18, 19, 20])

/** Errors of node:sqlite itself (a value it cannot bind) have no result code. */
function isRefusal(error: unknown): boolean {
  if (!(error instanceof Error)) return false
  if (!('errcode' in error)) return true
  return REFUSALS.has(Number(error.errcode) & 0xff)
}
