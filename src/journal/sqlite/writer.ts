import type { DatabaseSync, StatementSync } from 'node:sqlite'
import type { JournalEntry } from '../entries.ts'
import { firstKeyAt, KEYS_PER_MS, suggestKey } from '../keys.ts'
import {
  ATTEMPT_COLUMNS,
  type Column,
  DETAIL_COLUMNS,
  type ListedColumns,
  REQUEST_COLUMNS,
} from '../rows.ts'
import {
  addOnConflict,
  columnsOf,
  type CounterTable,
  DURATIONS,
  durationValues,
  OUTCOMES,
  outcomeValues,
} from '../stats/counters.ts'
import type { Refusal } from '../write-buffer.ts'

/** A request that was written, with the key it was given. */
export type Written = ListedColumns & { readonly key: number }

export type WriteBatch = (batch: readonly JournalEntry[]) => readonly Refusal<JournalEntry>[]

/**
 * Writes batches, each in one transaction, with statements that are prepared once.
 * @param onCommit told which requests a transaction has written.
 */
export function createWriter(
  db: DatabaseSync,
  onCommit: (written: readonly Written[]) => void = () => {},
): WriteBatch {
  const writeEntry = prepareEntry(db)
  const begin = db.prepare('BEGIN IMMEDIATE')
  const commit = db.prepare('COMMIT')

  return batch => {
    const refusals: Refusal<JournalEntry>[] = []
    const written: Written[] = []
    begin.run()
    try {
      for (const entry of batch) {
        try {
          const key = writeEntry(entry)
          if (entry.kind === 'request') {
            const { request, details } = entry.rows
            written.push({ key, ...request, meta: details.meta })
          }
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
    onCommit(written)
    return refusals
  }
}

/** Gives the key of a request. */
function prepareEntry(db: DatabaseSync): (entry: JournalEntry) => number {
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

  const addOutcome = prepareCounter(db, OUTCOMES)
  const addDurations = prepareCounter(db, DURATIONS)

  return entry => {
    if (entry.kind === 'intent') {
      replaceIntent.run(entry.row)
      return 0
    }
    if (entry.kind === 'stats') {
      for (const row of entry.rows.outcomes) addOutcome.run(...outcomeValues(row))
      for (const row of entry.rows.durations) addDurations.run(...durationValues(row))
      return 0
    }
    const { request, details, attempts } = entry.rows
    let key = suggestKey(request.time)
    while (!insertRequest(key, request)) key = findFreeKey(request.time)
    insertDetails(key, details)
    for (const attempt of attempts) insertAttempt(key, attempt)
    if (details.effect !== 'read') deleteIntent.run(request.request_id, request.time)
    return key
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

function prepareCounter(db: DatabaseSync, table: CounterTable): StatementSync {
  const columns = columnsOf(table)
  return db.prepare(`
    INSERT INTO ${table.name} (${columns.join(', ')}) VALUES (?${', ?'.repeat(columns.length - 1)})
    ${addOnConflict(table, ['min', 'max'])}`)
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
