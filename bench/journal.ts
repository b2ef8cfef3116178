/**
 * Measures queries over a large journal, in SQLite and, if PostgreSQL is installed, in a PostgreSQL server that the
 * bench starts: a block of requests with 2.5 attempts each, and copies of it at later times. Prints the median and p95
 * latency of each filter, alone and in combinations, and the ratio of the write rate with a reader to the write rate
 * without one.
 *
 *   node bench/journal.ts [--rows 1000000] [--only sqlite|postgres]
 */
import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import type { Journal } from '../src/journal/journal.ts'
import { Database } from '../src/journal/postgres/connection.ts'
import { openPostgresJournal } from '../src/journal/postgres.ts'
import { connect } from '../src/journal/sqlite/connection.ts'
import { openSqliteJournal } from '../src/journal/sqlite.ts'
import { findPostgres, startPostgres } from '../test/support/postgres.ts'
import { BLOCK, BLOCK_MS } from './scale/journal.ts'
import { copyBlock as copyInPostgres } from './scale/postgres.ts'
import { copyBlock as copyInSqlite } from './scale/sqlite.ts'
import { COMBINATIONS, FILTERS, OF_ATTEMPTS } from './support/journal-filters.ts'
import { recordAt } from './support/journal-load.ts'
import { variedRecordAt } from './support/journal-variety.ts'
import { onInterrupt, scratchDirectory } from './support/on-interrupt.ts'
import { readOptions } from './support/read-options.ts'
import { median, quantile } from './support/spread.ts'
import { verdictOf } from './support/table.ts'

const HOUR_MS = 60 * 60 * 1000
const QUARTER_MS = HOUR_MS / 4
const RUNS = 20
const SLICES = 20
const SLICE_MS = 250
const CLIENTS = 10

const { values } = readOptions({
  command: 'npm run bench:journal',
  about: 'Measures queries over a large journal in SQLite and, if it is installed, in PostgreSQL.',
  options: {
    rows: { value: 1_000_000, help: 'requests in the journal' },
    only: { value: '', help: 'one of the databases', words: ['sqlite', 'postgres'] },
  },
})
const { rows } = values

if (values.only !== 'postgres') await benchSqlite()
if (values.only !== 'sqlite' && findPostgres()) await benchPostgres()

async function benchSqlite(): Promise<void> {
  const directory = await scratchDirectory('bench')
  try {
    const retention = { days: Infinity, failure_days: Infinity }
    const file = join(directory, 'journal.sqlite')
    const journal = openSqliteJournal({
      file,
      retention,
      payloads: 'redacted',
      onError: console.error,
    })
    await measure('SQLite', journal, async () => {
      const db = connect(file, { busyTimeoutMs: 10_000 })
      for (let n = 1; n * BLOCK < rows; n++) copyInSqlite(db, n)
      db.exec('PRAGMA wal_checkpoint(PASSIVE)')
      db.close()
    })
    await journal.close()
  } finally {
    await rm(directory, { recursive: true, force: true })
  }
}

async function benchPostgres(): Promise<void> {
  const server = await startPostgres()
  onInterrupt(() => server.remove())
  try {
    const url = await server.createDatabase()
    const journal = await openPostgresJournal({ url, payloads: 'redacted', onError: console.error })
    await measure('PostgreSQL', journal, async () => {
      const database = new Database(url, { connections: 1, statementTimeoutMs: 0 })
      for (let n = 1; n * BLOCK < rows; n++) await copyInPostgres(database, n)
      // PostgreSQL would collect its statistics by itself within a minute.
      await database.run('VACUUM ANALYZE')
      await database.close()
    })
    await journal.close()
  } finally {
    await server.remove()
  }
}

async function measure(name: string, journal: Journal, grow: () => Promise<void>): Promise<void> {
  const start = performance.now()
  const block = Math.min(BLOCK, rows)
  const first = Date.now() - Math.ceil(rows / BLOCK) * BLOCK_MS
  const records = Array.from({ length: block }, (_, n) =>
    variedRecordAt(first + Math.floor((n / block) * BLOCK_MS), n),
  )
  // In order, because the keys of a block are below those of its copies.
  for (const record of records) await journal.append(record)
  await journal.requests({}, { limit: 1 })
  await grow()
  console.log(`${name}: ${rows} requests in ${((performance.now() - start) / 1000).toFixed(0)} s`)
  // Wait, so that the measurement excludes the checkpoints of the load.
  await delay(3000)
  const ids = records.map(record => record.request_id)
  for (const [query, target, run] of queriesOf(journal, ids)) {
    const times = await timesOf(run)
    const [p50, p95] = [quantile(times, 0.5), quantile(times, 0.95)]
    const figures = `p50 ${p50.toFixed(1).padStart(6)} ms, p95 ${p95.toFixed(1).padStart(6)} ms, at most ${target}`
    console.log(`  ${verdictOf(p95 <= target)} ${query.padEnd(72)} ${figures}`)
  }
  const ratio = await ratioWhileQuerying(journal)
  console.log(`  write rate with a reader: ${ratio.toFixed(2)} of the rate without one`)
}

type NamedQuery = readonly [name: string, targetMs: number, run: (n: number) => Promise<unknown>]

function queriesOf(journal: Journal, ids: readonly string[]): readonly NamedQuery[] {
  const now = Date.now()
  const page = { limit: 50 }
  const day = { since: startOfQuarter(now - 24 * HOUR_MS), until: startOfQuarter(now) + QUARTER_MS }
  const hour = { since: now - 3 * HOUR_MS, until: now - 2 * HOUR_MS }
  return [
    ...[...FILTERS, hour, ...COMBINATIONS].map(
      filter =>
        [`requests ${describeFilter(filter)}`, 50, () => journal.requests(filter, page)] as const,
    ),
    ...[...OF_ATTEMPTS, hour].map(
      filter =>
        [`attempts ${describeFilter(filter)}`, 50, () => journal.attempts(filter, page)] as const,
    ),
    ['stats of a day', 300, () => journal.stats({ ...day, bucketMs: QUARTER_MS })],
    ['one request', 20, n => journal.request(ids[(n * 37) % ids.length] ?? '')],
  ]
}

function describeFilter(filter: object): string {
  const parts = Object.entries(filter).map(([key, value]) =>
    key === 'since' || key === 'until' ? key : `${key}=${value}`,
  )
  return parts.join(' ') || 'all'
}

/** Buckets of a quarter of an hour start on a full quarter. */
function startOfQuarter(time: number): number {
  return Math.floor(time / QUARTER_MS) * QUARTER_MS
}

async function timesOf(run: (n: number) => Promise<unknown>): Promise<readonly number[]> {
  const times: number[] = []
  for (let n = 0; n < RUNS; n++) {
    const began = performance.now()
    await run(n)
    times.push(performance.now() - began)
  }
  return times
}

/** Alternates slices with and without a reader. Returns the median ratio of neighbouring slices. */
async function ratioWhileQuerying(journal: Journal): Promise<number> {
  const ratios: number[] = []
  for (let n = 0; n < SLICES; n++) {
    const readerFirst = n % 2 === 0
    const first = await writeFor(journal, readerFirst)
    const second = await writeFor(journal, !readerFirst)
    ratios.push(readerFirst ? first / second : second / first)
  }
  return median(ratios)
}

/** The number of records that ten clients write in one slice. */
async function writeFor(journal: Journal, whileReading: boolean): Promise<number> {
  const end = performance.now() + SLICE_MS
  let written = 0
  const client = async () => {
    while (performance.now() < end) {
      await journal.append(recordAt(Date.now(), written++))
    }
  }
  const reader = async () => {
    while (performance.now() < end) {
      await journal.requests({ ok: false }, { limit: 50 })
      // The inspector queries now and then, not in a tight loop.
      await delay(20)
    }
  }
  await Promise.all([
    ...Array.from({ length: CLIENTS }, client),
    ...(whileReading ? [reader()] : []),
  ])
  return written
}
