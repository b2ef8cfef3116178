import { ulid } from 'ulid'
import { type IntentColumns, JSON_COLUMNS, type RequestRows } from './columns.ts'
import type { HistoryRows } from './history.ts'
import type { IntentRecord } from './journal.ts'
import { toIntentRow } from './rows.ts'
import type { StatsRows } from './stats/counters.ts'
import type { Entry } from './write-buffer-options.ts'

/** The entries of a journal's write buffer, for any database. */
export type JournalEntry = Entry &
  (
    | { readonly kind: 'request'; readonly rows: RequestRows }
    | { readonly kind: 'intent'; readonly row: IntentColumns }
    /** By its id the database knows counters that it has added already. */
    | { readonly kind: 'stats'; readonly id: string; readonly rows: StatsRows }
    | { readonly kind: 'history'; readonly rows: HistoryRows }
    | { readonly kind: 'filing' }
  )

export type RequestEntry = Extract<JournalEntry, { kind: 'request' }>
export type StatsEntry = Extract<JournalEntry, { kind: 'stats' }>
export type HistoryEntry = Extract<JournalEntry, { kind: 'history' }>

export function isRequest(entry: JournalEntry): entry is RequestEntry {
  return entry.kind === 'request'
}

export function isStats(entry: JournalEntry): entry is StatsEntry {
  return entry.kind === 'stats'
}

export function isHistory(entry: JournalEntry): entry is HistoryEntry {
  return entry.kind === 'history'
}

/** Memory that a record takes beside its JSON. */
const ROW_BYTES = 1000

export function toRequestEntry(rows: RequestRows): JournalEntry {
  const { details } = rows
  const bytes = JSON_COLUMNS.reduce((sum, name) => sum + (details[name]?.length ?? 0), ROW_BYTES)
  return { kind: 'request', rows, bytes, expendable: rows.request.plain !== 0 }
}

export function toIntentEntry(record: IntentRecord): JournalEntry {
  return { kind: 'intent', row: toIntentRow(record), bytes: ROW_BYTES, expendable: false }
}

export function toStatsEntry(rows: StatsRows): JournalEntry {
  const count = rows.outcomes.length + rows.durations.length
  return { kind: 'stats', id: ulid(), rows, bytes: count * ROW_BYTES, expendable: false }
}

export function toHistoryEntry(rows: HistoryRows): JournalEntry {
  const count = rows.quotas.length + rows.circuits.length
  return { kind: 'history', rows, bytes: count * ROW_BYTES, expendable: false }
}

/** Records nothing: makes the writer move recorded requests into the tables that queries read. */
export const FILING: JournalEntry = { kind: 'filing', bytes: 0, expendable: false }
