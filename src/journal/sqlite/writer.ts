import type { DatabaseSync } from 'node:sqlite'
import type { Written } from '../columns.ts'
import { isRequest, type JournalEntry, type RequestEntry, toRequestEntry } from '../entries.ts'
import type { Feed } from '../feed.ts'
import { suggestKey } from '../keys.ts'
import type { Refusal } from '../write-buffer-options.ts'
import type { Inbox, Received } from './inbox.ts'
import { prepareTables, type Tables } from './tables.ts'

/** @param alsoWrite writes more in the same transaction, which files the requests of the batch at once */
export type WriteBatch = (
  batch: readonly JournalEntry[],
  alsoWrite?: () => void,
) => readonly Refusal<JournalEntry>[]

/** Requests in the inbox at most. Filing as many takes about as long as a full transaction, and blocks the event loop. */
const MOST_RECEIVED = 128
/** From this batch size on, the requests share the pages that a transaction writes, so the inbox saves nothing. */
const MANY = 16

/**
 * Writes batches with statements that are prepared once. A small batch of requests goes to the inbox, everything
 * else into a transaction, which also files the inbox. The inbox never waits long: a query begins with such a
 * transaction, and so do the counters, which are written within a second of each request.
 * @param audience gets the requests of each batch, while somebody watches.
 */
export function createWriter(
  db: DatabaseSync,
  inbox: Inbox | null,
  audience: Audience = NOBODY,
): WriteBatch {
  const writeAll = prepareWriteAll(db, inbox)
  return (batch, alsoWrite) => {
    const refusals: Refusal<JournalEntry>[] = []
    const written =
      !alsoWrite && inbox && fitsInbox(batch, inbox)
        ? receive(batch, inbox)
        : writeAll(batch, refusals, alsoWrite)
    if (audience.watched) audience.publish(written.map(toWritten))
    return refusals
  }
}

type Audience = Pick<Feed, 'watched' | 'publish'>

const NOBODY: Audience = { watched: false, publish: () => {} }

function fitsInbox(
  batch: readonly JournalEntry[],
  { received }: Inbox,
): batch is readonly RequestEntry[] {
  const few = batch.length < MANY && received.length + batch.length <= MOST_RECEIVED
  return few && batch.every(isRequest)
}

function receive(entries: readonly RequestEntry[], inbox: Inbox): readonly Received[] {
  const received = entries.map(({ rows }) => ({ key: suggestKey(rows.request.time), rows }))
  inbox.receive(received)
  return received
}

/** Writes the inbox and a batch in one transaction. Returns the requests of the batch, and adds to `refusals`. */
function prepareWriteAll(db: DatabaseSync, inbox: Inbox | null) {
  const tables = prepareTables(db)
  const inTransaction = prepareTransaction(db)
  return (
    batch: readonly JournalEntry[],
    refusals: Refusal<JournalEntry>[],
    alsoWrite?: () => void,
  ) => {
    const received = inbox?.received ?? []
    const written: Received[] = []
    const writeEntry = (entry: JournalEntry, key?: number) => {
      try {
        const recorded = writeRows(tables, entry, key)
        if (recorded && key === undefined) written.push(recorded)
      } catch (error) {
        if (!isRefusal(error)) throw error
        refusals.push({ entry, error })
      }
    }
    inTransaction(() => {
      // A transaction that failed leaves its texts behind.
      tables.forgetTexts()
      for (const { key, rows } of received) writeEntry(toRequestEntry(rows), key)
      if (received.length > 0) inbox?.markFiled()
      for (const entry of batch) writeEntry(entry)
      tables.addTexts()
      alsoWrite?.()
    })
    if (received.length > 0) inbox?.empty()
    return written
  }
}

/** @param given key that a received request already has. @returns what was recorded, if it is a request. */
function writeRows(tables: Tables, entry: JournalEntry, given?: number): Received | null {
  if (entry.kind === 'intent') tables.putIntent(entry.row)
  if (entry.kind === 'stats') tables.addStats(entry.rows)
  if (entry.kind === 'history') tables.addHistory(entry.rows)
  if (entry.kind !== 'request') return null
  const { rows } = entry
  const key = tables.insertRequest(given ?? suggestKey(rows.request.time), rows)
  tables.deleteIntent(rows)
  return { key, rows }
}

function toWritten({ key, rows: { request, details } }: Received): Written {
  return { key, ...request, meta: details.meta, answer_from: details.answer_from }
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
      // After some errors, e.g. a full disk, SQLite has rolled back already.
      if (db.isTransaction) db.exec('ROLLBACK')
      throw error
    }
  }
}

/** Primary result codes that blame the row (too big, constraint, datatype) and not the database. */
const REFUSALS: ReadonlySet<number> = new Set([18, 19, 20])

/** An error without a result code comes from node:sqlite itself, e.g. for a value that it cannot bind. */
function isRefusal(error: unknown): boolean {
  if (!(error instanceof Error)) return false
  if (!('errcode' in error)) return true
  return REFUSALS.has(Number(error.errcode) & 0xff)
}
