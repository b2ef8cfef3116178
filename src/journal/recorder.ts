import type { RequestRows } from './columns.ts'
import {
  FILING,
  type JournalEntry,
  toHistoryEntry,
  toIntentEntry,
  toRequestEntry,
  toStatsEntry,
} from './entries.ts'
import type { Feed } from './feed.ts'
import type { Journal, RequestRecord } from './journal.ts'
import type { JournalOptions } from './options.ts'
import { toRequestRows } from './rows.ts'
import type { Spill } from './spill.ts'
import { StatsCollector } from './stats/collector.ts'
import { WriteBuffer } from './write-buffer.ts'
import type { WriteBufferOptions } from './write-buffer-options.ts'

export interface RecorderOptions
  extends Required<Omit<JournalOptions, 'onAway' | 'onBack'>>,
    Pick<JournalOptions, 'onAway' | 'onBack'> {
  readonly feed: Feed
  readonly write: WriteBufferOptions<JournalEntry>['write']
  /** Null for a journal in memory. */
  readonly spill: Spill | null
}

/** The writing half of a journal. */
export interface Recorder
  extends Pick<
    Journal,
    'append' | 'announce' | 'running' | 'intend' | 'noteUpstreams' | 'watch' | 'health' | 'close'
  > {
  /** Records what another gateway had in flight when it died. */
  appendRows(rows: RequestRows): void
  /** Writes what an earlier gateway has spilled. */
  restore(has: (requestId: string) => Promise<boolean>): Promise<void>
  /** Resolves when queries can find everything recorded so far, or when that has to wait for the database. */
  file(): Promise<void>
  /** The same for the counters of the stats. */
  flushStats(): Promise<void>
}

/** Records requests and counts them, for any database: only `write` knows which one. */
export function createRecorder(options: RecorderOptions): Recorder {
  const { payloads, feed, onError, spill, secrets } = options
  const buffer = openBuffer(options)
  const stats = new StatsRecorder(buffer)
  const withOwn = joinLists()
  return {
    append: (record, own = []) => {
      try {
        stats.add(record)
        const rows = toRequestRows(record, payloads, withOwn(own, secrets()))
        return buffer.append(toRequestEntry(rows))
      } catch (error) {
        // A record that cannot be turned into JSON is a bug, but no reason to fail the request.
        onError(error)
        return Promise.resolve()
      }
    },
    announce: () => buffer.announce(),
    running: () => buffer.announced,
    intend: record => buffer.intend(toIntentEntry(record)),
    noteUpstreams: async rows => await buffer.append(toHistoryEntry(rows)),
    watch: listener => feed.watch(listener),
    health: () => buffer.health(),
    appendRows: rows => void buffer.append(toRequestEntry(rows)),
    restore: async has => {
      await spill?.restore(entry => buffer.restore(entry), has).catch(onError)
    },
    file: async () => await buffer.append(FILING),
    flushStats: () => stats.flush(),
    close: async () => {
      stats.close()
      await buffer.close()
    },
  }
}

/** Joins two lists. Gives the same list for the same two as last time: searches prepare each list of secrets once. */
function joinLists(): (one: readonly string[], other: readonly string[]) => readonly string[] {
  let last: readonly (readonly string[])[] = []
  let all: readonly string[] = []
  return (one, other) => {
    if (last[0] === one && last[1] === other) return all
    last = [one, other]
    all = [...one, ...other]
    return all
  }
}

/** The counters are written this long after the first change, so a crash loses at most one second of them. */
const STATS_EVERY_MS = 1000

/** Counts requests in memory and writes the counters from time to time. */
class StatsRecorder {
  readonly #buffer: WriteBuffer<JournalEntry>
  readonly #collector = new StatsCollector()
  #timer: NodeJS.Timeout | null = null

  constructor(buffer: WriteBuffer<JournalEntry>) {
    this.#buffer = buffer
  }

  add(record: RequestRecord): void {
    this.#collector.add(record)
    this.#flushLater()
  }

  async flush(): Promise<void> {
    if (!this.#collector.isEmpty) await this.#buffer.append(toStatsEntry(this.#collector.take()))
  }

  close(): void {
    if (this.#timer) clearTimeout(this.#timer)
    void this.flush()
  }

  /** While the database cannot be written, the counters stay in memory, where they take very little room. */
  #flushLater(): void {
    this.#timer ??= setTimeout(() => {
      this.#timer = null
      if (this.#buffer.health().ok) void this.flush()
      else this.#flushLater()
    }, STATS_EVERY_MS).unref()
  }
}

function openBuffer({ write, maxBufferBytes, spill, ...options }: RecorderOptions) {
  const { clock, onError, onAway, onBack } = options
  return new WriteBuffer({
    clock,
    onError,
    onAway,
    onBack,
    write,
    maxBytes: maxBufferBytes,
    ...(spill && { spill: (left: readonly JournalEntry[]) => spill.save(left) }),
  })
}
