import { assembleJournal } from '../../journal/assemble.ts'
import type { IntentColumns } from '../../journal/columns.ts'
import type { JournalEntry } from '../../journal/entries.ts'
import { Feed } from '../../journal/feed.ts'
import type { Journal } from '../../journal/journal.ts'
import { DEFAULTS, type JournalOptions } from '../../journal/options.ts'
import type { Query, Sql } from '../../journal/query.ts'
import { createReader } from '../../journal/reader.ts'
import { createRecorder } from '../../journal/recorder.ts'
import type { LiveRow } from '../../journal/row-schemas.ts'
import { toInterruptedRows } from '../../journal/rows.ts'
import { Spill } from '../../journal/spill.ts'
import type { SqliteHost } from '../../journal/sqlite.ts'
import type { Channel } from '../../lib/channel.ts'
import { messageOf } from '../../lib/message-of.ts'

/** An entry that the database rejects, by its place in the batch. */
interface Refused {
  readonly at: number
  readonly message: string
}

/** The journal's file, as the primary process serves it to the workers. */
export class JournalServer {
  readonly #host: SqliteHost
  readonly #watching = new Set<Channel>()
  #stopWatching: (() => void) | null = null

  constructor(host: SqliteHost) {
    this.#host = host
  }

  /** Serves a worker. @returns a function to call when the worker has ended, however that happened. */
  serve(channel: Channel): () => void {
    const intents = new Map<string, IntentColumns>()
    channel.handle('journal.write', (batch: readonly JournalEntry[]): readonly Refused[] => {
      const refusals = this.#host.write(batch)
      noteIntents(intents, batch)
      return refusals.map(({ entry, error }) => ({
        at: batch.indexOf(entry),
        message: messageOf(error),
      }))
    })
    channel.handle('journal.select', (query: Query | Sql) => this.#host.select(query))
    channel.handle('journal.watch', (on: boolean) => this.#watch(channel, on))
    return () => {
      this.#watch(channel, false)
      // As a start after a crash does for a gateway: nobody knows how these writes ended.
      for (const intent of intents.values()) this.#host.appendRows(toInterruptedRows(intent))
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
 * The journal of a worker. It prepares, gathers and counts the records itself, and its primary process writes them: SQLite has
 * one writer, and one process knows which writes are in flight.
 */
export function openWorkerJournal(channel: Channel, given: WorkerJournalOptions): Journal {
  const options = { ...DEFAULTS, ...given }
  const write = async (batch: readonly JournalEntry[]) => {
    const refused = (await channel.ask('journal.write', batch)) as readonly Refused[]
    return refused.map(({ at, message }) => ({
      entry: batch[at] as JournalEntry,
      error: new Error(message),
    }))
  }
  const spill = options.file === ':memory:' ? null : new Spill(`${options.file}-spill`)
  const recorder = createRecorder({ ...options, feed: new Feed(), write, spill })
  const reader = createReader(
    async query => (await channel.ask('journal.select', query)) as readonly unknown[],
  )
  const live = new LiveRows(channel)
  return assembleJournal({
    recorder: { ...recorder, watch: listener => live.watch(listener) },
    reader,
    close: () => recorder.close(),
  })
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
