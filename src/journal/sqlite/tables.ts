import type { DatabaseSync, StatementSync } from 'node:sqlite'
import {
  ATTEMPT_COLUMNS,
  type Column,
  DETAIL_COLUMNS,
  type DetailColumns,
  type IntentColumns,
  REQUEST_COLUMNS,
  type RequestRows,
} from '../columns.ts'
import {
  CIRCUITS,
  type HistoryRows,
  type HistoryTable,
  historyColumns,
  historyValues,
  mergeHistory,
  QUOTAS,
} from '../history.ts'
import { firstKeyAt, KEYS_PER_MS } from '../keys.ts'
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
  type StatsRows,
} from '../stats/counters.ts'
import { prepareTexts } from './texts.ts'

/** Writes rows into the tables that queries read. */
export interface Tables {
  /** Inserts under this key or, if it is taken, under a free one. Returns the key. */
  insertRequest(key: number, rows: RequestRows): number
  /** Adds the words of the inserted requests to the full-text index. Call it at the end of the transaction. */
  addTexts(): void
  /** Call it at the start of the transaction. */
  forgetTexts(): void
  putIntent(row: IntentColumns): void
  /** Deletes the intent of a request: once that is recorded, there is nothing left to recover. */
  deleteIntent(rows: RequestRows): void
  addStats(rows: StatsRows): void
  addHistory(rows: HistoryRows): void
}

export function prepareTables(db: DatabaseSync): Tables {
  const insertRequest = prepareInsert(
    db,
    'requests',
    REQUEST_COLUMNS,
    'ON CONFLICT (key) DO NOTHING',
  )
  const insertDetails = prepareInsert(db, 'request_details', DETAIL_COLUMNS)
  const insertAttempt = prepareInsert(db, 'attempts', ATTEMPT_COLUMNS)
  const findFreeKey = prepareFreeKey(db)
  const addTexts = prepareTexts(db)
  let inserted: [key: number, details: DetailColumns][] = []
  const replaceIntent = db.prepare(`
    INSERT OR REPLACE INTO intents
    VALUES (:request_id, :time, :caller, :capability_id, :route, :correlation_id, :batch_id,
      :batch_step, :batch_item, :upstream, :effect, :key_hash)`)
  const removeIntent = db.prepare('DELETE FROM intents WHERE request_id = ? AND time = ?')

  return {
    insertRequest: (suggested, { request, details, attempts }) => {
      let key = suggested
      while (!insertRequest(key, request)) key = findFreeKey(request.time)
      insertDetails(key, details)
      inserted.push([key, details])
      for (const attempt of attempts) insertAttempt(key, attempt)
      return key
    },
    forgetTexts: () => {
      inserted = []
    },
    addTexts: () => addTexts(inserted),
    putIntent: row => void replaceIntent.run(row),
    deleteIntent: ({ request, details }) => {
      if (details.effect !== 'read') removeIntent.run(request.request_id, request.time)
    },
    addStats: prepareStats(db),
    addHistory: prepareHistory(db),
  }
}

function prepareStats(db: DatabaseSync): Tables['addStats'] {
  const addOutcome = prepareCounter(db, OUTCOMES)
  const addDurations = prepareCounter(db, DURATIONS)
  const addFact = prepareCounter(db, FACTS)
  return ({ outcomes, durations, facts = [] }) => {
    for (const row of outcomes) addOutcome.run(...outcomeValues(row))
    for (const row of durations) addDurations.run(...durationValues(row))
    for (const row of facts) addFact.run(...factValues(row))
  }
}

function prepareHistory(db: DatabaseSync): Tables['addHistory'] {
  const putQuota = prepareMerge(db, QUOTAS)
  const putCircuit = prepareMerge(db, CIRCUITS)
  return ({ quotas, circuits }) => {
    for (const row of quotas) putQuota.run(...historyValues(row, QUOTAS))
    for (const row of circuits) putCircuit.run(...historyValues(row, CIRCUITS))
  }
}

/** Inserts one keyed row; false if the key was taken. Binds by position: named parameters take twice as long. */
function prepareInsert<Name extends string>(
  db: DatabaseSync,
  table: string,
  columns: readonly Name[],
  onConflict = '',
): (key: number, row: Readonly<Record<Name, Column>>) => boolean {
  const statement = db.prepare(`
    INSERT INTO ${table} (key, ${columns.join(', ')})
    VALUES (?${', ?'.repeat(columns.length)}) ${onConflict}`)
  const values: Column[] = []
  return (key, row) => {
    values[0] = key
    columns.forEach((name, at) => {
      values[at + 1] = row[name]
    })
    return statement.run(...values).changes === 1
  }
}

function prepareCounter(db: DatabaseSync, table: CounterTable): StatementSync {
  const columns = columnsOf(table)
  return db.prepare(`
    INSERT INTO ${table.name} (${columns.join(', ')}) VALUES (?${', ?'.repeat(columns.length - 1)})
    ${addOnConflict(table, ['min', 'max'])}`)
}

function prepareMerge(db: DatabaseSync, table: HistoryTable): StatementSync {
  const columns = historyColumns(table)
  return db.prepare(`
    INSERT INTO ${table.name} (${columns.join(', ')}) VALUES (?${', ?'.repeat(columns.length - 1)})
    ${mergeHistory(table)}`)
}

/** Finds the key after the highest of that millisecond or, if that is full, of a later one. */
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
