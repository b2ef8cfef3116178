import type { DatabaseSync } from 'node:sqlite'
import type { ListedColumns } from '../columns.ts'
import { isRequest, type JournalEntry, type RequestEntry, toRequestEntry } from '../entries.ts'
import { suggestKey } from '../keys.ts'
import type { Refusal } from '../write-buffer.ts'
import type { Inbox, Received } from './inbox.ts'
import { prepareTables, type Tables } from './tables.ts'

/** A request that was written, with the key it was given. */
export type Written = ListedColumns & { readonly key: number }

export type WriteBatch = (batch: readonly JournalEntry[]) => readonly Refusal<JournalEntry>[]

/** As many as are filed together: about what a full transaction takes, which holds up the event loop. */
const MOST_RECEIVED = 128
/** So many at once share the pages that a transaction writes, and the inbox would be a detour. */
const MANY = 16

/**
 * Writes batches, each at once: few requests into the inbox, all else in a transaction, with statements
 * that are prepared once. What is in the inbox is filed by the next transaction: a query begins with one, and the
 * counters have one, which follow every request within a second.
 * @param onRecorded told which requests are recorded.
 */
export function createWriter(
  db: DatabaseSync,
  inbox: Inbox | null,
  onRecorded: (written: readonly Written[]) => void = () => {},
): WriteBatch {
  const tables = prepareTables(db)
  const inTransaction = prepareTransaction(db)

  const receive = (entries: readonly RequestEntry[]): readonly Written[] => {
    const received = entries.map(({ rows }) => ({ key: suggestKey(rows.request.time), rows }))
    inbox?.receive(received)
    return received.map(toWritten)
  }

  const writeAll = (batch: readonly JournalEntry[], refusals: Refusal<JournalEntry>[]) => {
    const received = inbox?.received ?? []
    const written: Written[] = []
    const writeEntry = (entry: JournalEntry, key?: number) => {
      try {
        const row = writeRows(tables, entry, key)
        if (row && key === undefined) written.push(row)
      } catch (error) {
        if (!isRefusal(error)) throw error
        refusals.push({ entry, error })
      }
    }
    inTransaction(() => {
      for (const { key, rows } of received) writeEntry(toRequestEntry(rows), key)
      if (received.length > 0) inbox?.markFiled()
      for (const entry of batch) writeEntry(entry)
    })
    if (received.length > 0) inbox?.empty()
    return written
  }

  return batch => {
    const refusals: Refusal<JournalEntry>[] = []
    const few =
      inbox && batch.length < MANY && inbox.received.length + batch.length <= MOST_RECEIVED
    const written = few && batch.every(isRequest) ? receive(batch) : writeAll(batch, refusals)
    onRecorded(written)
    return refusals
  }
}

/** Gives what it has recorded, if it is a request. Without a key it gets one. */
function writeRows(tables: Tables, entry: JournalEntry, given?: number): Written | null {
  if (entry.kind === 'intent') tables.putIntent(entry.row)
  if (entry.kind === 'stats') tables.addStats(entry.rows)
  if (entry.kind !== 'request') return null
  const { rows } = entry
  const key = tables.insertRequest(given ?? suggestKey(rows.request.time), rows)
  tables.forgetIntent(rows)
  return toWritten({ key, rows })
}

function toWritten({ key, rows: { request, details } }: Received): Written {
  return { key, ...request, meta: details.meta }
}

function prepareTransaction(db: DatabaseSync): (work: () => void) => void {
  const begin = db.prepare('BEGIN IMMEDIATE')
  const commit = db.prepare('COMMIT')
  return work => {
    begin.run()
    try {
      work()
      commit.run()
    } catch (error) {
      // Some errors (a full disk) have rolled back already.
      if (db.isTransaction) db.exec('ROLLBACK')
      throw error
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
