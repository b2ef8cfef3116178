import { statSync } from 'node:fs'
import { dirname } from 'node:path'
import type { DatabaseSync } from 'node:sqlite'
import { type Clock, systemClock } from '../lib/clock.ts'
import { makeDirectory } from '../lib/make-directory.ts'
import { Feed } from './feed.ts'
import type { Journal, JournalReader } from './journal.ts'
import { createReader, type Select } from './reader.ts'
import { createRecorder } from './recorder.ts'
import type { Payloads } from './rows.ts'
import { connect, type Durability } from './sqlite/connection.ts'
import { DEFAULT_RETENTION, type Retention } from './sqlite/housekeeping.ts'
import { Inbox } from './sqlite/inbox.ts'
import { lockFile } from './sqlite/lock.ts'
import { ReadingThread } from './sqlite/reading-thread.ts'
import { recover } from './sqlite/recovery.ts'
import { migrate } from './sqlite/schema.ts'
import { createSelect } from './sqlite/select.ts'
import { createWriter, type WriteBatch } from './sqlite/writer.ts'
import { toLiveRow } from './views.ts'

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

/** A command beside a gateway that died may be filing what it left. */
const FILING_MS = 1000

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
  const { file, clock, payloads, durability, maxBufferBytes, onError } = options
  const feed = new Feed()
  const database = openDatabase(file, { durability, feed, waitMs: FILING_MS })
  const { db, write } = database
  const recorder = createRecorder({ clock, payloads, maxBufferBytes, feed, write, onError })
  const retention = { ...DEFAULT_RETENTION, ...options.retention }
  const reading = inMemory(file)
    ? readDirectly(db)
    : new ReadingThread({ file, retention, onError })
  const reader = createReader(async query => {
    if (database.inbox?.received.length) await recorder.file()
    return await reading.select(query)
  })

  let closing: Promise<void> | null = null
  const close = async () => {
    await recorder.close()
    await reading.close()
    database.close()
  }

  return {
    ...recorder,
    ...reader,
    stats: async filter => {
      await recorder.flushStats()
      return await reader.stats(filter)
    },
    close: () => (closing ??= close()),
  }
}

/**
 * Only reading, for commands beside a running gateway, which files its inbox within a second, or after it:
 * what a gateway that died has left there is filed here.
 */
export function openSqliteReader(file: string): JournalReader & { close(): void } {
  fileInbox(file)
  const db = connect(file, { readOnly: true })
  return { ...createReader(readDirectly(db).select), close: () => db.close() }
}

/** Needs the right to write; without it, reading works, and the next gateway files what is there. */
function fileInbox(file: string): void {
  if (!hasContent(inboxOf(file))) return
  try {
    openDatabase(file, { durability: DEFAULTS.durability, feed: new Feed(), waitMs: 0 }).close()
  } catch {
    // A gateway has the file, or it is not ours to write.
  }
}

function hasContent(file: string): boolean {
  return (statSync(file, { throwIfNoEntry: false })?.size ?? 0) > 0
}

interface OpenDatabase {
  readonly db: DatabaseSync
  readonly write: WriteBatch
  /** Null in memory, where a transaction costs little. */
  readonly inbox: Inbox | null
  close(): void
}

interface OpenOptions {
  readonly durability: Durability
  readonly feed: Feed
  /** How long another process may still have the file. */
  readonly waitMs: number
}

function openDatabase(file: string, { durability, feed, waitMs }: OpenOptions): OpenDatabase {
  if (!inMemory(file)) makeDirectory(dirname(file))
  const unlock = inMemory(file) ? () => {} : lockFile(file, waitMs)
  try {
    const db = connect(file, { durability })
    migrate(db, file)
    const inbox = inMemory(file) ? null : new Inbox({ file: inboxOf(file), db, durability })
    const write = createWriter(db, inbox, written => {
      if (feed.watched) for (const row of written) feed.publish(toLiveRow(row))
    })
    recover(db, write)
    // From now on a locked database is tried again from the event loop, and not waited for on it.
    db.exec('PRAGMA busy_timeout = 0')
    const close = () => {
      inbox?.close()
      db.close()
      unlock()
    }
    return { db, write, inbox, close }
  } catch (error) {
    unlock()
    throw error
  }
}

function inboxOf(file: string): string {
  return `${file}-inbox`
}

function inMemory(file: string): boolean {
  return file === ':memory:'
}

function readDirectly(db: DatabaseSync): { select: Select; close(): Promise<void> } {
  const select = createSelect(db)
  return { select: async query => select(query), close: async () => {} }
}
