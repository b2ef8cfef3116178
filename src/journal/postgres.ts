import { ulid } from 'ulid'
import { type Clock, systemClock } from '../lib/clock.ts'
import type { JournalEntry } from './entries.ts'
import { JournalError } from './error.ts'
import { Feed } from './feed.ts'
import type { Journal } from './journal.ts'
import { Database, describeAddress } from './postgres/connection.ts'
import { Gateways } from './postgres/gateways.ts'
import { type RetentionDays, sweep } from './postgres/housekeeping.ts'
import { migrate, rehearseMigration } from './postgres/schema.ts'
import { createWriter, type Written } from './postgres/writer.ts'
import { LISTED, toSql } from './query.ts'
import { createReader, type Select } from './reader.ts'
import { createRecorder } from './recorder.ts'
import { type Payloads, toInterruptedRows } from './rows.ts'
import { toLiveRow } from './views.ts'

export interface PostgresJournalOptions {
  /** `postgres://user:password@host:port/database`. */
  readonly url: string
  /** Of this gateway among those that share the journal. @default a new one */
  readonly owner?: string
  /** @default the system's */
  readonly clock?: Clock
  readonly onError: (error: unknown) => void
  /** @default 'off' */
  readonly payloads?: Payloads
  readonly retention?: Partial<RetentionDays>
  /** Records held in memory while the database cannot be written. @default 64 MiB */
  readonly maxBufferBytes?: number
  /** How often this gateway says that it is alive. @default 5000 */
  readonly beatEveryMs?: number
}

const DEFAULTS = {
  clock: systemClock,
  payloads: 'off',
  maxBufferBytes: 64 * 1024 * 1024,
  beatEveryMs: 5000,
} as const satisfies Partial<PostgresJournalOptions>

const DEFAULT_RETENTION: RetentionDays = { days: 7, failure_days: 30 }

/** A write that takes longer counts as failed: the buffer keeps it and nobody waits. */
const WRITE_TIMEOUT_MS = 2000
const READ_TIMEOUT_MS = 10_000
const SWEEP_EVERY_MS = 10 * 60 * 1000

/** What gateways tell each other: who wrote which keys. */
const CHANNEL = 'signalbox_requests'

/**
 * The journal in a PostgreSQL database, for any number of gateways.
 * Rejects when the database cannot be reached or was written by a newer version.
 */
export async function openPostgresJournal(given: PostgresJournalOptions): Promise<Journal> {
  const options = { ...DEFAULTS, owner: ulid(), ...given }
  const pools = await openPools(options.url)
  const feed = new Feed()
  const recorder = createRecorder({
    ...options,
    feed,
    write: createPatientWriter(pools.writing, options.owner, feed),
  })
  const gateways = new Gateways({
    database: pools.reading,
    id: options.owner,
    beatEveryMs: options.beatEveryMs,
    onError: options.onError,
    recover: intents => intents.forEach(intent => recorder.appendRows(toInterruptedRows(intent))),
  })
  await listen(pools.reading, options.owner, feed, options.onError)
  const reader = createReader(selectFrom(pools.reading))
  const sweeping = keepSweeping(pools.reading, options)

  let closing: Promise<void> | null = null
  const close = async () => {
    clearInterval(sweeping)
    await recorder.close()
    await gateways.close()
    await pools.close()
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
 * Whether the journal could be opened, and what would become of its schema; nothing in it is changed.
 * Rejects as `openPostgresJournal` does.
 */
export async function probePostgresJournal(url: string) {
  assertAddress(url)
  const database = new Database(url, { connections: 1, statementTimeoutMs: WRITE_TIMEOUT_MS })
  try {
    return { address: describeAddress(url), ...(await rehearseMigration(database)) }
  } catch (error) {
    throw cannotBeOpened(url, error)
  } finally {
    await database.close()
  }
}

/** One connection writes; queries have their own, so that a long one holds up no record. */
async function openPools(url: string) {
  assertAddress(url)
  const writing = new Database(url, {
    connections: 1,
    statementTimeoutMs: WRITE_TIMEOUT_MS,
    pipeline: true,
  })
  const reading = new Database(url, {
    connections: 4,
    statementTimeoutMs: READ_TIMEOUT_MS,
    planEachTime: true,
  })
  const close = async () => {
    await Promise.all([writing.close(), reading.close()])
  }
  try {
    await migrate(reading)
  } catch (error) {
    await close()
    throw cannotBeOpened(url, error)
  }
  return { writing, reading, close }
}

function assertAddress(url: string): void {
  if (URL.canParse(url)) return
  // Without a word of it: the password is in there.
  throw new JournalError(
    'SIGNALBOX_JOURNAL is no address of a database: write postgres://user:password@host:5432/database, and what is special in a URL as %XX.',
  )
}

function cannotBeOpened(url: string, error: unknown): JournalError {
  return new JournalError(
    `the journal at ${describeAddress(url)} cannot be opened: ${reasonOf(error)}. Check SIGNALBOX_JOURNAL, and that PostgreSQL runs and lets this user create tables.`,
    { cause: error },
  )
}

/** A host with several addresses fails at each of them. */
function reasonOf(error: unknown): string {
  const errors = error instanceof AggregateError ? (error.errors as Error[]) : [error as Error]
  return errors.map(({ message }) => message).join('; ')
}

/**
 * A database that does not answer is like one that is away: after a while the write counts as failed, and
 * the buffer tries again. The writer knows what has been written after all.
 */
function createPatientWriter(database: Database, owner: string, feed: Feed) {
  const write = createWriter(database, {
    owner,
    onCommit: written => {
      if (feed.watched) for (const row of written) feed.publish(toLiveRow(row))
    },
    announce: async (tx, keys) => {
      if (keys.length === 0) return
      await tx.query('SELECT pg_notify($1, $2)', [CHANNEL, JSON.stringify({ owner, keys })])
    },
  })
  let unanswered: Promise<unknown> | null = null
  return async (batch: readonly JournalEntry[]) => {
    if (unanswered) await withinTime(unanswered)
    const writing = write(batch)
    const settled = writing.then(
      () => {},
      () => {},
    )
    unanswered = settled
    void settled.then(() => {
      if (unanswered === settled) unanswered = null
    })
    return await withinTime(writing)
  }
}

async function withinTime<T>(work: Promise<T>): Promise<T> {
  const { promise, reject } = Promise.withResolvers<never>()
  const timer = setTimeout(() => {
    reject(new Error(`PostgreSQL has not answered for ${WRITE_TIMEOUT_MS} ms`))
  }, WRITE_TIMEOUT_MS)
  try {
    return await Promise.race([work, promise])
  } finally {
    clearTimeout(timer)
  }
}

/** PostgreSQL knows how often each value occurs, so it needs no help to choose an index. */
function selectFrom(database: Database): Select {
  return async query => {
    const { text, values } = 'text' in query ? query : toSql(query)
    let count = 0
    const numbered = text.replaceAll('?', () => `$${++count}`)
    return await database.query(numbered, values)
  }
}

/** Shows those who watch here what other gateways have written. */
async function listen(
  database: Database,
  owner: string,
  feed: Feed,
  onError: (error: unknown) => void,
): Promise<void> {
  const show = async (keys: readonly number[]) => {
    const rows = await database.query<Written>(
      `SELECT ${LISTED} FROM requests WHERE key = ANY($1::bigint[]) ORDER BY key`,
      [keys],
    )
    for (const row of rows) feed.publish(toLiveRow(row))
  }
  await database.listen(CHANNEL, payload => {
    const told = JSON.parse(payload) as { owner: string; keys: number[] }
    if (told.owner !== owner && feed.watched) show(told.keys).catch(onError)
  })
}

function keepSweeping(database: Database, { clock, retention, onError }: Swept): NodeJS.Timeout {
  const kept = { ...DEFAULT_RETENTION, ...retention }
  return setInterval(() => {
    sweep(database, kept, clock.now()).catch(onError)
  }, SWEEP_EVERY_MS).unref()
}

type Swept = Pick<PostgresJournalOptions, 'retention' | 'onError'> & { readonly clock: Clock }
