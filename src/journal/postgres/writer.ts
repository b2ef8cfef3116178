import type { Column, Keyed, RequestRows, Written } from '../columns.ts'
import { wasCutOff } from '../cut-off.ts'
import { isHistory, isRequest, isStats, type JournalEntry, type RequestEntry } from '../entries.ts'
import { firstKeyAt, KEYS_PER_MS } from '../keys.ts'
import type { Refusal } from '../write-buffer-options.ts'
import type { Database, Queries } from './connection.ts'
import { addStats } from './counters.ts'
import { addHistory } from './history.ts'
import { forgetUnknown } from './housekeeping.ts'
import { toTexts } from './texts.ts'

type Row = Readonly<Record<string, Column>>

export interface WriterOptions {
  /** The id of this gateway, which marks its writes in flight. */
  readonly owner: string
  readonly onCommit: (written: readonly Written[]) => void
  /** Notifies other gateways; runs in the transaction. */
  readonly notify: (tx: Queries, keys: readonly number[]) => Promise<unknown>
}

export type WriteBatch = (
  batch: readonly JournalEntry[],
) => Promise<readonly Refusal<JournalEntry>[]>

/**
 * Writes each batch in one transaction, with one statement for each table; all rows of a table are one JSON value.
 * If the database rejects a row, the entries are written one by one to find out which.
 */
export function createWriter(database: Database, options: WriterOptions): WriteBatch {
  const keys = new KeyChooser()
  /** The buffer retries a write that took too long, even if the database did it. */
  const done = new WeakSet<JournalEntry>()

  const writeAll = async (batch: readonly JournalEntry[]): Promise<void> => {
    const remaining = batch.filter(entry => !done.has(entry))
    const written = await database.transaction(
      async tx => await writeBatch(tx, remaining, keys, options),
    )
    for (const entry of remaining) done.add(entry)
    options.onCommit(written)
  }

  return async batch => {
    try {
      await writeAll(batch)
      return []
    } catch (error) {
      if (!blamesRow(error)) throw error
    }
    const refusals: Refusal<JournalEntry>[] = []
    for (const entry of batch) {
      try {
        await writeAll([entry])
      } catch (error) {
        if (!blamesRow(error)) throw error
        refusals.push({ entry, error })
      }
    }
    return refusals
  }
}

async function writeBatch(
  tx: Queries,
  batch: readonly JournalEntry[],
  keys: KeyChooser,
  { owner, notify }: WriterOptions,
): Promise<readonly Written[]> {
  const intents = batch.flatMap(entry => (entry.kind === 'intent' ? [entry.row] : []))
  await insert(
    tx,
    'intents',
    intents.map(row => ({ ...row, owner })),
    ON_SAME_INTENT,
  )
  const placed = await placeRequests(tx, batch.filter(isRequest), keys)
  const rows = placed.map(({ key, entry }) => ({ key, rows: entry.rows }))
  await Promise.all([
    insert(tx, 'request_details', rows.map(toDetails)),
    insert(tx, 'attempts', rows.flatMap(toAttempts)),
    insert(tx, 'request_texts', rows.flatMap(toTextRows)),
    deleteIntents(tx, batch.filter(isRequest)),
    notify(
      tx,
      rows.map(({ key }) => key),
    ),
  ])
  await addStats(tx, batch.filter(isStats))
  await addHistory(tx, batch.filter(isHistory))
  return rows.map(({ key, rows: { request, details } }) => ({
    key,
    ...request,
    meta: details.meta,
    answer_from: details.answer_from,
  }))
}

/** An intent can be there already if the reply of its COMMIT was lost. */
const ON_SAME_INTENT = 'ON CONFLICT (request_id, time) DO UPDATE SET owner = excluded.owner'

/**
 * Inserts each request under a key that no other has. Leaves out requests that the database has already, which
 * happens after a COMMIT whose reply was lost.
 */
async function placeRequests(tx: Queries, entries: readonly RequestEntry[], keys: KeyChooser) {
  const placed: { readonly key: number; readonly entry: RequestEntry }[] = []
  let left = entries
  while (left.length > 0) {
    const tried = new Map(left.map(entry => [keys.of(entry), entry]))
    const rows = [...tried].map(([key, entry]) => ({ key, ...entry.rows.request }))
    const inserted = new Set(await insert(tx, 'requests', rows, 'ON CONFLICT (key) DO NOTHING'))
    const there = await keysThere(
      tx,
      [...tried].filter(([key]) => !inserted.has(key)),
    )
    for (const [key, entry] of tried) if (inserted.has(key)) placed.push({ key, entry })
    // Two requests of one batch may have chosen the same key; the map has only the later one.
    const settled = new Set(
      [...tried].filter(([key]) => inserted.has(key) || there.has(key)).map(([, entry]) => entry),
    )
    left = left.filter(entry => !settled.has(entry))
    for (const entry of left) keys.chooseAnother(entry)
  }
  return placed
}

/** The keys under which the database has the very same request. */
async function keysThere(
  tx: Queries,
  taken: readonly (readonly [number, RequestEntry])[],
): Promise<ReadonlySet<number>> {
  if (taken.length === 0) return new Set()
  const rows = await tx.query<{ key: number; request_id: string; time: number }>(
    'SELECT key, request_id, time FROM requests WHERE key = ANY($1::bigint[])',
    [taken.map(([key]) => key)],
  )
  const ofKey = new Map(taken)
  return new Set(
    rows.flatMap(({ key, request_id, time }) => {
      const request = ofKey.get(key)?.rows.request
      return request?.request_id === request_id && request.time === time ? [key] : []
    }),
  )
}

/** Chooses the keys of requests, and remembers them from one try to the next. */
class KeyChooser {
  readonly #keys = new WeakMap<RequestEntry, { key: number; tries: number }>()

  of(entry: RequestEntry): number {
    return this.#keys.get(entry)?.key ?? this.#choose(entry, 0)
  }

  chooseAnother(entry: RequestEntry): void {
    this.#choose(entry, (this.#keys.get(entry)?.tries ?? 0) + 1)
  }

  /** At random, since other gateways choose keys too. After a few tries, in a later millisecond. */
  #choose(entry: RequestEntry, tries: number): number {
    const later = Math.max(0, tries - 3)
    const first = firstKeyAt(entry.rows.request.time + later)
    const key = first + Math.floor(Math.random() * KEYS_PER_MS)
    this.#keys.set(entry, { key, tries })
    return key
  }
}

/** Inserts rows in the order of their keys, so that gateways cannot deadlock. Returns the inserted keys. */
async function insert(
  tx: Queries,
  table: string,
  rows: readonly Row[],
  onConflict = '',
): Promise<number[]> {
  const [first] = rows
  if (!first) return []
  const columns = Object.keys(first).join(', ')
  const sorted = rows.toSorted((a, b) => Number(a.key ?? a.time) - Number(b.key ?? b.time))
  const returning = 'key' in first ? 'RETURNING key' : ''
  const inserted = await tx.query<{ key: number }>(
    `INSERT INTO ${table} (${columns})
     SELECT ${columns} FROM json_populate_recordset(null::${table}, $1::text::json)
     ${onConflict} ${returning}`,
    [JSON.stringify(sorted)],
  )
  return inserted.map(({ key }) => key)
}

/**
 * Deletes the intents of writes that have ended. Where there is none, another gateway may have taken this one for dead, and may
 * have recorded the write with an unknown outcome.
 */
async function deleteIntents(tx: Queries, entries: readonly RequestEntry[]): Promise<void> {
  const writes = entries.filter(({ rows: { details } }) => details.effect !== 'read')
  if (writes.length === 0) return
  const done = writes.map(({ rows: { request } }) => ({
    request_id: request.request_id,
    time: request.time,
  }))
  const deleted = await tx.query<{ request_id: string }>(
    `DELETE FROM intents USING json_to_recordset($1::text::json) AS done (request_id text, time bigint)
     WHERE intents.request_id = done.request_id AND intents.time = done.time
     RETURNING intents.request_id`,
    [JSON.stringify(done)],
  )
  const there = new Set(deleted.map(({ request_id }) => request_id))
  const ids = writes.filter(wasSent).map(({ rows: { request } }) => request.request_id)
  const missing = ids.filter(id => !there.has(id))
  if (missing.length > 0) await forgetUnknown(tx, missing)
}

/** Refused calls and repeats of an answer have no intent. The records of `toInterruptedRows` are those to forget. */
function wasSent({ rows: { request } }: RequestEntry): boolean {
  return request.attempts > 0 && !wasCutOff(request)
}

function toDetails({ key, rows }: Keyed<{ readonly rows: RequestRows }>): Row {
  return { key, ...rows.details }
}

function toTextRows({ key, rows }: Keyed<{ readonly rows: RequestRows }>): readonly Row[] {
  return toTexts(key, rows.details)
}

function toAttempts({ key, rows }: Keyed<{ readonly rows: RequestRows }>): Row[] {
  return rows.attempts.map(attempt => ({ key, ...attempt }))
}

/** Classes of errors that blame the data (22) or a constraint (23), and not the server. */
function blamesRow(error: unknown): boolean {
  const { code } = (error ?? {}) as { code?: unknown }
  return typeof code === 'string' && /^(22|23)/.test(code)
}
