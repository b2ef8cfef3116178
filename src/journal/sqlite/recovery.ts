import type { DatabaseSync } from 'node:sqlite'
import type { IntentColumns } from '../columns.ts'
import { FILING, toRequestEntry } from '../entries.ts'
import { toInterruptedRows } from '../rows.ts'
import type { WriteBatch } from './writer.ts'

/**
 * Files what a dead gateway had in its inbox, and turns what it had in flight into requests whose write
 * outcome is unknown. To be called under the file's lock and before the first intent of this process;
 * recording the request removes its intent.
 */
export function recover(db: DatabaseSync, write: WriteBatch): void {
  write([FILING])
  const left = db.prepare('SELECT * FROM intents').all() as unknown as IntentColumns[]
  const lost = left.map(intent => toRequestEntry(toInterruptedRows(intent)))
  if (lost.length > 0) write([...lost, FILING])
}
