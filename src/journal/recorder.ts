import type { Clock } from '../lib/clock.ts'
import type { RequestRows } from './columns.ts'
import {
  FILING,
  type JournalEntry,
  toIntentEntry,
  toRequestEntry,
  toStatsEntry,
} from './entries.ts'
import type { Feed } from './feed.ts'
import type { Journal } from './journal.ts'
import { type Payloads, toRequestRows } from './rows.ts'
import { StatsCollector } from './stats/collector.ts'
import { WriteBuffer, type WriteBufferOptions } from './write-buffer.ts'

export interface RecorderOptions {
  readonly clock: Clock
  readonly payloads: Payloads
  readonly maxBufferBytes: number
  readonly feed: Feed
  readonly write: WriteBufferOptions<JournalEntry>['write']
  readonly onError: (error: unknown) => void
}

/** The writing half of a journal. */
export interface Recorder
  extends Pick<Journal, 'append' | 'expect' | 'intend' | 'watch' | 'health' | 'close'> {
  /** For rows that no request of this gateway made: what a dead one had in flight. */
  appendRows(rows: RequestRows): void
  /** Resolves when queries find what was recorded so far, or when that has to wait for the database. */
  file(): Promise<void>
  /** The same, for what was counted. */
  flushStats(): Promise<void>
}

/** Counters are written this long after the first change: a crash loses no more of them. */
const STATS_EVERY_MS = 1000

/** Records, counts and announces requests, for any database: only `write` knows which. */
export function createRecorder(options: RecorderOptions): Recorder {
  const { clock, payloads, feed, write, onError } = options
  const buffer = new WriteBuffer<JournalEntry>({
    clock,
    onError,
    write,
    maxBytes: options.maxBufferBytes,
  })
  const stats = new StatsCollector()
  let timer: NodeJS.Timeout | null = null

  const flushStats = async () => {
    if (!stats.isEmpty) await buffer.append(toStatsEntry(stats.take()))
  }
  /** While the database cannot be written, counting goes on in memory, where it takes next to nothing. */
  const flushLater = () => {
    timer ??= setTimeout(() => {
      timer = null
      if (buffer.health().ok) void flushStats()
      else flushLater()
    }, STATS_EVERY_MS).unref()
  }

  return {
    append: record => {
      try {
        stats.add(record)
        flushLater()
        return buffer.append(toRequestEntry(toRequestRows(record, payloads)))
      } catch (error) {
        // A record that has no JSON is a bug, and still no reason to fail the request.
        onError(error)
        return Promise.resolve()
      }
    },
    expect: () => buffer.expect(),
    intend: record => buffer.intend(toIntentEntry(record)),
    watch: listener => feed.watch(listener),
    health: () => buffer.health(),
    appendRows: rows => void buffer.append(toRequestEntry(rows)),
    file: () => buffer.append(FILING),
    flushStats,
    close: async () => {
      if (timer) clearTimeout(timer)
      void flushStats()
      await buffer.close()
    },
  }
}
