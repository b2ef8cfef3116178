import { ulid } from 'ulid'
import type { Clock } from '../lib/clock.ts'
import { reasonOf } from '../lib/message-of.ts'
import { endOf, within } from '../lib/within.ts'
import { assembleJournal } from './assemble.ts'
import type { Written } from './columns.ts'
import type { JournalEntry } from './entries.ts'
import { JournalError } from './error.ts'
import { Feed } from './feed.ts'
import { POSTGRES } from './find/dialect.ts'
import type { Select } from './find/finder.ts'
import type { Journal } from './journal.ts'
import { DEFAULTS, type JournalOptions } from './options.ts'
import { Database, describeAddress } from './postgres/connection.ts'
import { Gateways } from './postgres/gateways.ts'
import { forgetUnknown, sweep } from './postgres/housekeeping.ts'
import { rehearseMigration } from './postgres/rehearse.ts'
import { migrate } from './postgres/schema.ts'
import { DatabaseOutage, unavailable } from './postgres/unavailable.ts'
import { createWriter } from './postgres/writer.ts'
import { LISTED } from './query.ts'
import { createReader } from './reader.ts'
import { createRecorder } from './recorder.ts'
import { DEFAULT_RETENTION, type Retention, SWEEP_EVERY_MS } from './retention.ts'
import { toInterruptedRows } from './rows.ts'
import { Spill } from './spill.ts'

export interface PostgresJournalOptions extends JournalOptions {
  /** `postgres://user:password@host:port/database`. */
  readonly url: string
  /** The id of this gateway among those that share the journal. @default a new one */
  readonly owner?: string
  readonly retention?: Partial<Retention>
  /** Takes what cannot be written before the end. @default null: it is lost */
  readonly spillFile?: string | null
  /** Whether another process of this gateway has brought the tables up to date: then the database may be away. @default false */
  readonly isMigrated?: boolean
  /** How often this gateway reports that it is alive. @default 5000 */
  readonly beatEveryMs?: number
  /** Called when the database has confirmed such a report. @param sent when it was sent; epoch milliseconds @default no call */
  readonly onBeat?: (sent: number) => void
}

const BEAT_EVERY_MS = 5000

/** A write that takes longer counts as failed: the buffer keeps it, and its callers no longer wait. */
const WRITE_TIMEOUT_MS = 2000
/** How long the end waits for the records of earlier gateways: their file stays for the next start. */
const RESTORING_MS = 1000
const READ_TIMEOUT_MS = 10_000

/** Gateways announce on this channel which keys they have written. */
const CHANNEL = 'signalbox_requests'

/**
 * The journal in a PostgreSQL database, for any number of gateways.
 * Rejects if the database cannot be reached or was written by a newer version.
 */
export async function openPostgresJournal(given: PostgresJournalOptions): Promise<Journal> {
  const outage = new DatabaseOutage(given)
  const options = completed(given, outage)
  const pools = await openPools(options)
  const feed = new Feed()
  const write = createPatientWriter(pools.writing, options.owner, feed, outage.end)
  const spill = options.spillFile === null ? null : new Spill(options.spillFile)
  const recorder = createRecorder({ ...options, feed, write, spill })
  const gateways = new Gateways({
    database: pools.reading,
    id: options.owner,
    beatEveryMs: options.beatEveryMs,
    onError: options.onError,
    onBeat: options.onBeat,
    recover: intents => intents.forEach(intent => recorder.appendRows(toInterruptedRows(intent))),
  })
  await listen(pools.reading, feed, options)
  const reader = createReader(selectFrom(pools.reading), POSTGRES)
  const sweeping = keepSweeping(pools.reading, options)
  const restoring = recorder.restore(async id => {
    await forgetUnknown(pools.reading, [id])
    return (await reader.request(id)) !== null
  })
  const close = async () => {
    clearInterval(sweeping)
    await endOf(restoring, RESTORING_MS)
    await recorder.close()
    await gateways.close()
    await pools.close()
  }
  return assembleJournal({ recorder, reader, close })
}

function completed(given: PostgresJournalOptions, outage: DatabaseOutage) {
  return {
    ...DEFAULTS,
    beatEveryMs: BEAT_EVERY_MS,
    spillFile: null,
    isMigrated: false,
    owner: ulid(),
    ...given,
    ...outage.reports(),
    onBeat: (sent: number) => {
      outage.end()
      given.onBeat?.(sent)
    },
  }
}

/**
 * Finds out whether the journal can be opened and which migrations that would run, without changing it.
 * Rejects like `openPostgresJournal`.
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

/** One connection writes. Queries have others, so that a long query does not delay records. */
async function openPools({
  url,
  durability,
  isMigrated,
}: Pick<PostgresJournalOptions, 'url' | 'durability' | 'isMigrated'>) {
  assertAddress(url)
  const writing = new Database(url, {
    connections: 1,
    statementTimeoutMs: WRITE_TIMEOUT_MS,
    ...(durability && { durability }),
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
    if (!isMigrated) await migrate(reading)
  } catch (error) {
    await close()
    throw cannotBeOpened(url, error)
  }
  return { writing, reading, close }
}

function assertAddress(url: string): void {
  if (URL.canParse(url)) return
  // Don't quote the address: it holds the password.
  throw new JournalError(
    'SIGNALBOX_JOURNAL is not the address of a database: write postgres://user:password@host:5432/database, and percent-encode special characters.',
  )
}

function cannotBeOpened(url: string, error: unknown): JournalError {
  return new JournalError(
    `the journal at ${describeAddress(url)} cannot be opened: ${reasonOf(error)}. Check SIGNALBOX_JOURNAL, and that PostgreSQL runs and lets this user create tables.`,
    { cause: error },
  )
}

/**
 * Treats a database that does not answer like one that cannot be reached: after a while the write counts as failed
 * and the buffer retries it. The writer knows which entries the database has written in spite of that.
 */
function createPatientWriter(database: Database, owner: string, feed: Feed, onWritten: () => void) {
  const write = createWriter(database, {
    owner,
    onCommit: written => feed.publish(written),
    notify: async (tx, keys) => {
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
    const written = await withinTime(writing)
    onWritten()
    return written
  }
}

function withinTime<T>(work: Promise<T>): Promise<T> {
  return within(work, WRITE_TIMEOUT_MS, `PostgreSQL has not answered for ${WRITE_TIMEOUT_MS} ms`)
}

function selectFrom(database: Database): Select {
  return async ({ text, values }) => {
    // No text in PostgreSQL can hold this character, so nothing equals the value. The server would report an error.
    if (values.some(value => typeof value === 'string' && value.includes('\0'))) return []
    let count = 0
    const numbered = text.replaceAll('?', () => `$${++count}`)
    try {
      return await database.query(numbered, values)
    } catch (error) {
      throw unavailable(error)
    }
  }
}

/** Passes the requests that other gateways write on to those who watch here. */
async function listen(
  database: Database,
  feed: Feed,
  {
    owner,
    isMigrated: mayBeAway,
    onError,
  }: Required<Pick<PostgresJournalOptions, 'owner' | 'isMigrated' | 'onError'>>,
): Promise<void> {
  const show = async (keys: readonly number[]) => {
    const rows = await database.query<Written>(
      `SELECT ${LISTED} FROM requests WHERE key = ANY($1::bigint[]) ORDER BY key`,
      [keys],
    )
    feed.publish(rows)
  }
  const onPayload = (payload: string) => {
    const notice = JSON.parse(payload) as { owner: string; keys: number[] }
    if (notice.owner !== owner && feed.watched) show(notice.keys).catch(onError)
  }
  await database.listen(CHANNEL, onPayload, mayBeAway)
}

function keepSweeping(database: Database, { clock, retention, onError }: Swept): NodeJS.Timeout {
  const kept = { ...DEFAULT_RETENTION, ...retention }
  return setInterval(() => {
    sweep(database, kept, clock.now()).catch(onError)
  }, SWEEP_EVERY_MS).unref()
}

type Swept = Pick<PostgresJournalOptions, 'retention' | 'onError'> & { readonly clock: Clock }
