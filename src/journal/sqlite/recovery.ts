import type { DatabaseSync } from 'node:sqlite'
import type { IntentColumns } from '../columns.ts'
import { FILING, toRequestEntry } from '../entries.ts'
import { toInterruptedRows } from '../rows.ts'
import type { WriteBatch } from './writer.ts'

/**
 * Files the inbox of a dead gateway, and records each write that it had in flight as a request whose write outcome
 * is unknown; that deletes the intent. Call this under the file's lock, before the first intent of this process.
 */
export function recover(db: DatabaseSync, write: WriteBatch): void {
  write([FILING])
  const left = db.prepare('SELECT * FROM intents').all() as unknown as IntentColumns[]
  const lost = left.map(intent => toRequestEntry(toInterruptedRows(intent)))
  if (lost.length > 0) write([...lost, FILING])
}
