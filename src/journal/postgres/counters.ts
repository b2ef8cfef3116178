import type { Column } from '../columns.ts'
import type { StatsEntry } from '../entries.ts'
import {
  addOnConflict,
  type CounterTable,
  columnsOf,
  DURATIONS,
  durationValues,
  FACTS,
  factValues,
  OUTCOMES,
  outcomeValues,
} from '../stats/counters.ts'
import type { Queries } from './connection.ts'

/** Adds each entry once: the buffer retries those whose COMMIT reply was lost. */
export async function addStats(tx: Queries, entries: readonly StatsEntry[]): Promise<void> {
  if (entries.length === 0) return
  const added = await tx.query<{ id: string }>(
    'INSERT INTO stats_written (id) SELECT unnest($1::text[]) ON CONFLICT DO NOTHING RETURNING id',
    [entries.map(({ id }) => id)],
  )
  const ids = new Set(added.map(({ id }) => id))
  const all = entries.filter(({ id }) => ids.has(id)).map(({ rows }) => rows)
  await addCounters(
    tx,
    OUTCOMES,
    all.flatMap(({ outcomes }) => outcomes.map(outcomeValues)),
  )
  await addCounters(
    tx,
    DURATIONS,
    all.flatMap(({ durations }) => durations.map(durationValues)),
  )
  await addCounters(
    tx,
    FACTS,
    all.flatMap(({ facts = [] }) => facts.map(factValues)),
  )
}

/** Adds rows in the order of their keys, so that gateways that add to the same counters cannot deadlock. */
async function addCounters(
  tx: Queries,
  table: CounterTable,
  rows: readonly (readonly Column[])[],
): Promise<void> {
  if (rows.length === 0) return
  const keyOf = (row: readonly Column[]) => row.slice(0, table.keys.length).join(' ')
  const keyed = rows.map(row => ({ key: keyOf(row), row }))
  const sorted = keyed.toSorted((a, b) => (a.key < b.key ? -1 : 1))
  const names = columnsOf(table)
  const columns = names.join(', ')
  for (const batch of withoutRepeats(sorted)) {
    const objects = batch.map(({ row }) =>
      Object.fromEntries(names.map((name, at) => [name, row[at]])),
    )
    await tx.query(
      `INSERT INTO ${table.name} (${columns})
       SELECT ${columns} FROM json_populate_recordset(null::${table.name}, $1::text::json)
       ${addOnConflict(table, ['least', 'greatest'])}`,
      [JSON.stringify(objects)],
    )
  }
}

/** One statement must not change a row twice, but a batch can hold two entries with the same counter. */
function withoutRepeats<T extends { readonly key: string }>(sorted: readonly T[]): T[][] {
  const batches: T[][] = []
  let repeat = 0
  sorted.forEach((row, at) => {
    repeat = sorted[at - 1]?.key === row.key ? repeat + 1 : 0
    ;(batches[repeat] ??= []).push(row)
  })
  return batches
}
