import { assembleJournal } from '../../journal/assemble.ts'
import type { IntentColumns } from '../../journal/columns.ts'
import { isRequest, isStats, type JournalEntry, type RequestEntry } from '../../journal/entries.ts'
import { Feed } from '../../journal/feed.ts'
import { SQLITE } from '../../journal/find/dialect.ts'
import type { Sql } from '../../journal/find/search.ts'
import type { Journal } from '../../journal/journal.ts'
import { DEFAULTS, type JournalOptions } from '../../journal/options.ts'
import { createReader } from '../../journal/reader.ts'
import { createRecorder, type RecorderOptions } from '../../journal/recorder.ts'
import type { LiveRow } from '../../journal/row-schemas.ts'
import { toInterruptedRows } from '../../journal/rows.ts'
import { Spill } from '../../journal/spill.ts'
import { placeOf, WorkerInbox } from '../../journal/sqlite/worker-inbox.ts'
import type { SqliteHost } from '../../journal/sqlite.ts'
import type { Channel } from '../../lib/channel.ts'
import { messageOf } from '../../lib/message-of.ts'
import type { OutageLog } from '../../lib/outage.ts'
import { Filing } from './filing.ts'

/** An entry that the database rejects, by its place in the batch. */
interface Refused {
  readonly at: number
  readonly message: string
}

type JournalLog = OutageLog & Pick<JournalOptions, 'onError'>

/** A worker reports requests that it has stored this long after the first of them. */
const FILE_AFTER_MS = 100

/** The journal's file, as the primary process serves it to the workers. */
export class JournalServer {
  readonly #host: SqliteHost
  readonly #onError: JournalOptions['onError']
  readonly #filing: Filing
  readonly #watching = new Set<Channel>()
  readonly #ends = new Set<Promise<void>>()
  #refused = 0
  #stopWatching: (() => void) | null = null

  constructor(host: SqliteHost, { onError, ...outage }: JournalLog) {
    this.#host = host
    this.#onError = onError
    this.#filing = new Filing(host.inboxes, outage)
  }

  /** Requests from inboxes that the database has rejected. */
  get refused(): number {
    return this.#refused
  }

  /** Serves a worker. @returns a function to call when the worker has ended, however that happened. */
  serve(channel: Channel): () => void {
    const intents = new Map<string, IntentColumns>()
    const inbox = this.#host.inboxes.open((rows, refusals) => {
      for (const { request } of rows) intents.delete(request.request_id)
      for (const { error } of refusals) this.#onError(error)
      if (refusals.length > 0) channel.tell('journal.refused', refusals.length)
      this.#refused += refusals.length
    })
    channel.handle('journal.open', () => inbox)
    channel.handle('journal.received', () => void this.#filing.file())
    channel.handle('journal.write', (batch: readonly JournalEntry[]) => this.#write(batch, intents))
    channel.handle('journal.select', async (query: Sql) => {
      await this.#filing.file()
      return await this.#host.select(query)
    })
    channel.handle('journal.watch', (on: boolean) => this.#watch(channel, on))
    return () => {
      this.#watch(channel, false)
      const end = this.#end(inbox, intents).finally(() => this.#ends.delete(end))
      this.#ends.add(end)
    }
  }

  /** Call this after the last worker has ended. The next start files the requests that cannot be filed now. */
  async close(): Promise<void> {
    this.#filing.close()
    await Promise.all(this.#ends)
    await this.#host.inboxes.close()
  }

  async #write(
    batch: readonly JournalEntry[],
    intents: Map<string, IntentColumns>,
  ): Promise<readonly Refused[]> {
    // Counters come once a second, and their worker waits with its other records: none gets far ahead of this process.
    if (batch.some(isStats)) await this.#filing.file()
    const refusals = this.#host.write(batch)
    noteIntents(intents, batch)
    return refusals.map(({ entry, error }) => ({
      at: batch.indexOf(entry),
      message: messageOf(error),
    }))
  }

  async #end(inbox: string, intents: ReadonlyMap<string, IntentColumns>): Promise<void> {
    if (!(await this.#filing.finish())) return
    this.#host.inboxes.remove(inbox)
    // As a start after a crash does for a gateway: nobody knows how these writes ended.
    const spilled = intents.size > 0 ? this.#host.spilled() : null
    for (const [id, intent] of intents) {
      if (!spilled?.has(id)) this.#host.appendRows(toInterruptedRows(intent))
    }
  }

  #watch(channel: Channel, on: boolean): void {
    if (on) this.#watching.add(channel)
    else this.#watching.delete(channel)
    if (this.#watching.size > 0) {
      this.#stopWatching ??= this.#host.journal.watch(live => this.#show(live))
    } else {
      this.#stopWatching?.()
      this.#stopWatching = null
    }
  }

  #show(live: LiveRow): void {
    for (const channel of this.#watching) channel.tell('journal.live', live)
  }
}

/** Keeps the writes that are in flight: those whose intent is written and whose record is not. */
function noteIntents(intents: Map<string, IntentColumns>, batch: readonly JournalEntry[]): void {
  for (const entry of batch) {
    if (entry.kind === 'intent') intents.set(String(entry.row.request_id), entry.row)
    if (entry.kind === 'request') intents.delete(entry.rows.request.request_id)
  }
}

export interface WorkerJournalOptions extends JournalOptions {
  readonly file: string
}

/**
 * The journal of a worker. It prepares, gathers, counts and stores the records of its requests itself, and its primary process files
 * them: SQLite has one writer, and one process knows which writes are in flight. The primary process writes everything else at once.
 */
export async function openWorkerJournal(
  channel: Channel,
  given: WorkerJournalOptions,
): Promise<Journal> {
  const options = { ...DEFAULTS, ...given }
  const { file, durability } = options
  const name = (await channel.ask('journal.open')) as string
  const inbox = new WorkerInbox({ place: placeOf(file, name), durability })
  const write = createWrite(channel, inbox)
  const spill = new Spill(`${file}-spill`)
  const recorder = createRecorder({ ...options, feed: new Feed(), write, spill })
  const reader = createReader(
    async query => (await channel.ask('journal.select', query)) as readonly unknown[],
    SQLITE,
  )
  const live = new LiveRows(channel)
  let refused = 0
  channel.handle('journal.refused', (count: number) => (refused += count))
  let isClosed = false
  const health = () => {
    const own = recorder.health()
    // At the end, the primary process adds its own count to the losses of each worker.
    return { ...own, dropped: own.dropped + (isClosed ? 0 : refused) }
  }
  const close = async () => {
    await recorder.close()
    inbox.close()
    isClosed = true
  }
  const watch = (listener: (live: LiveRow) => void) => live.watch(listener)
  return assembleJournal({ recorder: { ...recorder, watch, health }, reader, close })
}

function createWrite(channel: Channel, inbox: WorkerInbox): RecorderOptions['write'] {
  let reporting: NodeJS.Timeout | null = null
  const reportSoon = () => {
    reporting ??= setTimeout(() => {
      reporting = null
      channel.tell('journal.received')
    }, FILE_AFTER_MS).unref()
  }
  return async batch => {
    if (batch.every(isRequest) && hasReceived(inbox, batch)) {
      reportSoon()
      return []
    }
    const refused = (await channel.ask('journal.write', batch)) as readonly Refused[]
    return refused.map(({ at, message }) => ({
      entry: batch[at] as JournalEntry,
      error: new Error(message),
    }))
  }
}

/** If the inbox cannot be written, the primary process still may be able to write the tables. */
function hasReceived(inbox: WorkerInbox, batch: readonly RequestEntry[]): boolean {
  try {
    inbox.receive(batch.map(({ rows }) => rows))
    return true
  } catch {
    return false
  }
}

/** The requests of all workers, as the primary process writes them. */
class LiveRows {
  readonly #channel: Channel
  readonly #listeners = new Set<(live: LiveRow) => void>()

  constructor(channel: Channel) {
    this.#channel = channel
    channel.handle('journal.live', (live: LiveRow) => {
      for (const listener of this.#listeners) listener(live)
    })
  }

  watch(listener: (live: LiveRow) => void): () => void {
    if (this.#listeners.size === 0) this.#channel.tell('journal.watch', true)
    this.#listeners.add(listener)
    return () => {
      if (this.#listeners.delete(listener) && this.#listeners.size === 0)
        this.#channel.tell('journal.watch', false)
    }
  }
}
