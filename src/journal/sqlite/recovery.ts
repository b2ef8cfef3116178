import type { DatabaseSync } from 'node:sqlite'
import { toRequestEntry } from '../entries.ts'
import { type IntentColumns, toInterruptedRows } from '../rows.ts'
import type { WriteBatch } from './writer.ts'

/**
 * Turns what a dead gateway had in flight into requests whose write outcome is unknown. To be called
 * under the file's lock and before the first intent of this process; recording the request removes its intent.
 */
export function recoverIntents(db: DatabaseSync, write: WriteBatch): number {
  const left = db.prepare('SELECT * FROM intents').all() as unknown as IntentColumns[]
  if (left.length === 0) return 0
  write(left.map(intent => toRequestEntry(toInterruptedRows(intent))))
  return left.length
}
