import { statSync } from 'node:fs'
import { dirname } from 'node:path'
import type { DatabaseSync } from 'node:sqlite'
import { makeDirectory } from '../lib/make-directory.ts'
import type { OutageLog } from '../lib/outage.ts'
import { createPrivateFile } from '../lib/private-file.ts'
import { assembleJournal } from './assemble.ts'
import { Feed } from './feed.ts'
import { SQLITE } from './find/dialect.ts'
import type { Select } from './find/finder.ts'
import type { Journal, JournalReader } from './journal.ts'
import { DEFAULTS, type Durability, type JournalOptions } from './options.ts'
import { createReader } from './reader.ts'
import { createRecorder, type Recorder } from './recorder.ts'
import { Spill } from './spill.ts'
import { assertJournalFile } from './sqlite/assert-file.ts'
import { connect } from './sqlite/connection.ts'
import { DEFAULT_FILE_RETENTION, type FileRetention } from './sqlite/housekeeping.ts'
import { Inbox } from './sqlite/inbox.ts'
import { lockFile } from './sqlite/lock.ts'
import { ReadingThread } from './sqlite/reading-thread.ts'
import { recover } from './sqlite/recovery.ts'
import { assertKnownSchema, migrate, SCHEMA_VERSION } from './sqlite/schema.ts'
import { createSelect } from './sqlite/select.ts'
import { namesOfLeft, WorkerInboxes } from './sqlite/worker-inboxes.ts'
import { createWriter, type WriteBatch } from './sqlite/writer.ts'

export interface SqliteJournalOptions extends JournalOptions {
  /** Created, with its directory, if it does not exist. */
  readonly file: string
  readonly retention?: Partial<FileRetention>
  /** Called when housekeeping begins to fail, and when it works again. @default onAway and onBack */
  readonly housekeeping?: OutageLog
}

/** A command that reads the journal of a dead gateway may be filing its inbox, see `fileInbox`. */
const FILING_MS = 1000

/**
 * The journal in one SQLite file, for one gateway; with `:memory:`, for as long as the process lives.
 * Throws if the file cannot be opened, was written by a newer version, or is in use by another gateway.
 */
export function openSqliteJournal(given: SqliteJournalOptions): Journal {
  return openSqliteHost(given).journal
}

/** A journal with the parts by which other processes use it through the one that holds the file. */
export interface SqliteHost {
  readonly journal: Journal
  readonly write: WriteBatch
  readonly select: Select
  /** Records what a process had in flight when it died. */
  readonly appendRows: Recorder['appendRows']
  readonly inboxes: WorkerInboxes
  /** The requests whose records wait in a spill file. */
  readonly spilled: () => ReadonlySet<string>
}

export function openSqliteHost(given: SqliteJournalOptions): SqliteHost {
  const options = { ...DEFAULTS, ...given }
  const { file, durability, onError, onAway = onError, onBack = () => {} } = options
  const outage = options.housekeeping ?? { onAway, onBack }
  const feed = new Feed()
  const spill = spillOf(file)
  const database = openDatabase(file, { durability, feed, waitMs: FILING_MS })
  const recorder = createRecorder({ ...options, feed, write: database.write, spill })
  const retention = { ...DEFAULT_FILE_RETENTION, ...options.retention }
  const reading = inMemory(file)
    ? readDirectly(database.db)
    : new ReadingThread({ file, retention, onError, outage })
  const select: Select = async query => {
    if (database.inbox?.received.length) await recorder.file()
    return await reading.select(query)
  }
  const reader = createReader(select, SQLITE)
  const restoring = recorder.restore(async id => (await reader.request(id)) !== null)
  const close = async () => {
    await restoring
    await recorder.close()
    await reading.close()
    database.close()
  }
  const journal = assembleJournal({ recorder, reader, close })
  const { write, inboxes } = database
  return {
    journal,
    write,
    select,
    inboxes,
    appendRows: rows => recorder.appendRows(rows),
    spilled: () => spill?.requestIds() ?? new Set(),
  }
}

/**
 * Reads a journal without recording, for commands. They run beside a gateway, which files its inbox within a second,
 * or after one has died: then this files the inbox that it left. It also migrates a file of an older version.
 */
export function openSqliteReader(file: string): JournalReader & { close(): void } {
  bringUpToDate(file)
  const db = connect(file, { readOnly: true })
  return { ...createReader(readDirectly(db).select, SQLITE), close: () => db.close() }
}

/** Needs the right to write. Without it, reading a current file works all the same. */
function bringUpToDate(file: string): void {
  try {
    if (!hasContent(inboxOf(file)) && namesOfLeft(file).length === 0 && !isOlder(file)) return
    openDatabase(file, { durability: DEFAULTS.durability, feed: new Feed(), waitMs: 0 }).close()
  } catch {
    // A gateway uses the file, or we may not write to it.
  }
}

function isOlder(file: string): boolean {
  const db = connect(file, { readOnly: true })
  try {
    return assertKnownSchema(db, file) < SCHEMA_VERSION
  } finally {
    db.close()
  }
}

function hasContent(file: string): boolean {
  return (statSync(file, { throwIfNoEntry: false })?.size ?? 0) > 0
}

interface OpenDatabase {
  readonly db: DatabaseSync
  readonly write: WriteBatch
  /** Null for a database in memory, where transactions are cheap. */
  readonly inbox: Inbox | null
  readonly inboxes: WorkerInboxes
  close(): void
}

interface OpenOptions {
  readonly durability: Durability
  readonly feed: Feed
  /** How long to wait while another process uses the file. */
  readonly waitMs: number
}

function openDatabase(file: string, { durability, feed, waitMs }: OpenOptions): OpenDatabase {
  if (!inMemory(file)) {
    assertJournalFile(file)
    makeDirectory(dirname(file))
    createPrivateFile(file)
  }
  const unlock = inMemory(file) ? () => {} : lockFile(file, waitMs)
  try {
    const db = connect(file, { durability })
    migrate(db, file)
    const inbox = inMemory(file) ? null : new Inbox({ file: inboxOf(file), db, durability })
    const write = createWriter(db, inbox, feed)
    const inboxes = new WorkerInboxes(file, db, write)
    if (!inMemory(file)) inboxes.fileLeft(waitMs)
    recover(db, write, spillOf(file)?.requestIds())
    // From now on the write buffer retries when the database is locked; SQLite must not block the event loop.
    db.exec('PRAGMA busy_timeout = 0')
    const close = () => {
      inbox?.close()
      db.close()
      unlock()
    }
    return { db, write, inbox, inboxes, close }
  } catch (error) {
    unlock()
    throw error
  }
}

function inboxOf(file: string): string {
  return `${file}-inbox`
}

function spillOf(file: string): Spill | null {
  return inMemory(file) ? null : new Spill(`${file}-spill`)
}

function inMemory(file: string): boolean {
  return file === ':memory:'
}

function readDirectly(db: DatabaseSync): { select: Select; close(): Promise<void> } {
  const select = createSelect(db)
  return { select: async query => select(query), close: async () => {} }
}
