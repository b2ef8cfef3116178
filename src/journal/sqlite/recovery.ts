import type { DatabaseSync } from 'node:sqlite'
import type { IntentColumns } from '../columns.ts'
import { FILING, toRequestEntry } from '../entries.ts'
import { toInterruptedRows } from '../rows.ts'
import type { WriteBatch } from './writer.ts'

/**
 * Files the inbox of a dead gateway, and records each write that it had in flight as a request whose write outcome
 * is unknown; that deletes the intent. Call this under the file's lock, before the first intent of this process.
 * @param spilled requests whose records are in a spill file, so that their outcome is known
 */
export function recover(
  db: DatabaseSync,
  write: WriteBatch,
  spilled: ReadonlySet<string> = new Set(),
): void {
  write([FILING])
  const left = db.prepare('SELECT * FROM intents').all() as unknown as IntentColumns[]
  const unknown = left.filter(({ request_id }) => !spilled.has(request_id))
  const lost = unknown.map(intent => toRequestEntry(toInterruptedRows(intent)))
  if (lost.length > 0) write([...lost, FILING])
}
