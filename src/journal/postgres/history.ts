import type { HistoryEntry } from '../entries.ts'
import {
  CIRCUITS,
  type HistoryTable,
  historyColumns,
  inKeyOrder,
  mergeHistory,
  QUOTAS,
} from '../history.ts'
import type { Queries } from './connection.ts'

/** One statement an entry: a statement must not change a row twice, and two entries may be about the same minute. */
export async function addHistory(tx: Queries, entries: readonly HistoryEntry[]): Promise<void> {
  for (const { rows } of entries) {
    await put(tx, QUOTAS, rows.quotas)
    await put(tx, CIRCUITS, rows.circuits)
  }
}

async function put<Row extends object>(
  tx: Queries,
  table: HistoryTable,
  rows: readonly Row[],
): Promise<void> {
  if (rows.length === 0) return
  const columns = historyColumns(table).join(', ')
  await tx.query(
    `INSERT INTO ${table.name} (${columns})
     SELECT ${columns} FROM json_populate_recordset(null::${table.name}, $1::text::json)
     ${mergeHistory(table)}`,
    [JSON.stringify(inKeyOrder(rows, table))],
  )
}
