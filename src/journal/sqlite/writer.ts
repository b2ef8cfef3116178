import type { DatabaseSync } from 'node:sqlite'
import { suggestKey } from '../keys.ts'
import type { IntentColumns, RequestRows } from '../rows.ts'
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
  const insertRequest = db.prepare(`
    INSERT INTO requests VALUES
      (:key, :request_id, :time, :caller, :capability_id, :ok, :code, :route_used, :reason,
       :http_status, :duration_ms, :attempts, :write_outcome, :plain)
    ON CONFLICT (key) DO NOTHING`)
  const insertDetails = db.prepare(`
    INSERT INTO request_details VALUES
      (:key, :upstream, :effect, :plan, :error, :meta, :input, :data)`)
  const insertAttempt = db.prepare(`
    INSERT INTO attempts VALUES
      (:key, :position, :request_id, :time, :capability_id, :caller, :route, :status, :code, :reason,
       :duration_ms, :upstream_status)`)
  const insertIntent = db.prepare(`
    INSERT OR REPLACE INTO intents VALUES (:request_id, :time, :caller, :capability_id, :route)`)
  const deleteIntent = db.prepare('DELETE FROM intents WHERE request_id = ? AND time = ?')

  return entry => {
    if (entry.kind === 'intent') {
      insertIntent.run(entry.row)
      return
    }
    const { request, details, attempts } = entry.rows
    let key = suggestKey(request.time)
    while (insertRequest.run({ key, ...request }).changes === 0) key++
    insertDetails.run({ key, ...details })
    for (const attempt of attempts) insertAttempt.run({ key, ...attempt })
    if (details.effect !== 'read') deleteIntent.run(request.request_id, request.time)
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
