import { mkdirSync } from 'node:fs'
import { dirname } from 'node:path'
import type { DatabaseSync } from 'node:sqlite'
import { type Clock, systemClock } from '../clock.ts'
import type { IntentRecord, Journal, JournalReader } from './journal.ts'
import { createReader, type Select } from './reader.ts'
import { type Payloads, type RequestRows, toIntentRow, toRequestRows } from './rows.ts'
import { connect, type Durability } from './sqlite/connection.ts'
import { DEFAULT_RETENTION, type Retention } from './sqlite/housekeeping.ts'
import { lockFile, type Unlock } from './sqlite/lock.ts'
import { ReadingThread } from './sqlite/reading-thread.ts'
import { recoverIntents } from './sqlite/recovery.ts'
import { migrate } from './sqlite/schema.ts'
import { createSelect } from './sqlite/select.ts'
import { createWriter, type JournalEntry, type WriteBatch } from './sqlite/writer.ts'
import { WriteBuffer } from './write-buffer.ts'

export interface SqliteJournalOptions {
  /** Made, with its directory, when it does not exist. */
  readonly file: string
  /** @default the system's */
  readonly clock?: Clock
  /** Told when writing begins to fail, when a record cannot be stored, and when housekeeping fails. */
  readonly onError: (error: unknown) => void
  /** @default 'off' */
  readonly payloads?: Payloads
  /** @default 'normal' */
  readonly durability?: Durability
  readonly retention?: Partial<Retention>
  /** Records held in memory while the database cannot be written. @default 64 MiB */
  readonly maxBufferBytes?: number
}

const DEFAULTS = {
  clock: systemClock,
  payloads: 'off',
  durability: 'normal',
  maxBufferBytes: 64 * 1024 * 1024,
} as const satisfies Partial<SqliteJournalOptions>

/**
 * The journal in one SQLite file, for one gateway; or, with `:memory:`, for as long as the process lives.
 * Throws when the file cannot be opened, was written by a newer version, or is in use by another gateway.
 */
export function openSqliteJournal(given: SqliteJournalOptions): Journal {
  const options = { ...DEFAULTS, ...given }
  const { file, clock, payloads, onError } = options
  const { db, write, unlock } = openDatabase(file, options.durability)
  const buffer = new WriteBuffer<JournalEntry>({
    clock,
    onError,
    write,
    maxBytes: options.maxBufferBytes,
  })
  const retention = { ...DEFAULT_RETENTION, ...options.retention }
  const reading = inMemory(file)
    ? readDirectly(db)
    : new ReadingThread({ file, retention, onError })

  let closing: Promise<void> | null = null
  const close = async () => {
    await buffer.close()
    await reading.close()
    db.close()
    unlock()
  }

  return {
    append: record => {
      try {
        return buffer.append(toRequestEntry(toRequestRows(record, payloads)))
      } catch (error) {
        // A record that has no JSON is a bug, and still no reason to fail the request.
        onError(error)
        return Promise.resolve()
      }
    },
    intend: record => buffer.intend(toIntentEntry(record)),
    ...createReader(reading.select),
    health: () => buffer.health(),
    close: () => (closing ??= close()),
  }
}

/** Only reading, for commands beside a running gateway or after it. */
export function openSqliteReader(file: string): JournalReader & { close(): void } {
  const db = connect(file, { readOnly: true })
  return { ...createReader(readDirectly(db).select), close: () => db.close() }
}

interface OpenDatabase {
  readonly db: DatabaseSync
  readonly write: WriteBatch
  readonly unlock: Unlock
}

function openDatabase(file: string, durability: Durability): OpenDatabase {
  if (!inMemory(file)) mkdirSync(dirname(file), { recursive: true })
  const unlock = inMemory(file) ? () => {} : lockFile(file)
  try {
    const db = connect(file, { durability })
    migrate(db, file)
    const write = createWriter(db)
    recoverIntents(db, write)
    // From now on a locked database is tried again from the event loop, and not waited for on it.
    db.exec('PRAGMA busy_timeout = 0')
    return { db, write, unlock }
  } catch (error) {
    unlock()
    throw error
  }
}

function inMemory(file: string): boolean {
  return file === ':memory:'
}

function readDirectly(db: DatabaseSync): { select: Select; close(): Promise<void> } {
  const select = createSelect(db)
  return { select: async query => select(query), close: async () => {} }
}

/** What a record takes in memory beside its JSON. */
const ROW_BYTES = 1000

function toRequestEntry(rows: RequestRows): JournalEntry {
  const { plan, error, meta, input, data } = rows.details
  const json = [plan, error, meta, input, data]
  const bytes = json.reduce((sum, text) => sum + (text?.length ?? 0), ROW_BYTES)
  return { kind: 'request', rows, bytes, expendable: rows.request.plain === 1 }
}

function toIntentEntry(record: IntentRecord): JournalEntry {
  return { kind: 'intent', row: toIntentRow(record), bytes: ROW_BYTES, expendable: false }
}
