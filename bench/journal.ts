/**
 * Measures queries over a large journal: a day of requests with 2.5 attempts each, in SQLite and, if
 * PostgreSQL is installed, in a PostgreSQL server that the bench starts. Prints the p95 latency of each query
 * with its target, and the ratio of the write rate with a reader to the write rate without one.
 *
 *   node bench/journal.ts [--rows 100000] [--only sqlite|postgres]
 */
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import type { Journal } from '../src/journal/journal.ts'
import { Database } from '../src/journal/postgres/connection.ts'
import { openPostgresJournal } from '../src/journal/postgres.ts'
import { openSqliteJournal } from '../src/journal/sqlite.ts'
import { findPostgres, startPostgres } from '../test/support/postgres.ts'
import { CALLERS, CAPABILITIES, fill, recordAt } from './support/journal-load.ts'
import { median, quantile } from './support/spread.ts'
import { verdictOf } from './support/table.ts'

const HOUR_MS = 60 * 60 * 1000
const QUARTER_MS = HOUR_MS / 4
const RUNS = 40
const SLICES = 20
const SLICE_MS = 250
const CLIENTS = 10

const { values } = parseArgs({ options: { rows: { type: 'string' }, only: { type: 'string' } } })
const rows = Number(values.rows ?? 100_000)

if (values.only !== 'postgres') await benchSqlite()
if (values.only !== 'sqlite' && findPostgres()) await benchPostgres()

async function benchSqlite(): Promise<void> {
  const directory = await mkdtemp(join(tmpdir(), 'signalbox-bench-'))
  try {
    const retention = { days: Infinity, failure_days: Infinity }
    const file = join(directory, 'journal.sqlite')
    const journal = openSqliteJournal({ file, retention, onError: console.error })
    await measure('SQLite', journal)
    await journal.close()
  } finally {
    await rm(directory, { recursive: true, force: true })
  }
}

async function benchPostgres(): Promise<void> {
  const server = await startPostgres()
  try {
    const url = await server.createDatabase()
    const journal = await openPostgresJournal({ url, onError: console.error })
    await measure('PostgreSQL', journal, () => analyze(url))
    await journal.close()
  } finally {
    await server.remove()
  }
}

/** Collects the planner statistics now. PostgreSQL would do it by itself within a minute. */
async function analyze(url: string): Promise<void> {
  const database = new Database(url, { connections: 1, statementTimeoutMs: 0 })
  await database.run('VACUUM ANALYZE')
  await database.close()
}

async function measure(
  name: string,
  journal: Journal,
  settle = () => Promise.resolve(),
): Promise<void> {
  const began = performance.now()
  const ids = await fill(journal, rows)
  const seconds = (performance.now() - began) / 1000
  console.log(`${name}: ${rows} requests written in ${seconds.toFixed(0)} s`)
  // Wait, so that the measurement excludes the checkpoints and statistics of the load.
  await settle()
  await delay(3000)
  for (const [query, target, run] of queriesOf(journal, ids)) {
    const p95 = await percentile95(run)
    const figures = `p95 ${p95.toFixed(1).padStart(7)} ms, at most ${target}`
    console.log(`  ${verdictOf(p95 <= target)} ${query.padEnd(54)} ${figures}`)
  }
  const ratio = await ratioWhileQuerying(journal)
  console.log(`  write rate with a reader: ${ratio.toFixed(2)} of the rate without one`)
}

type NamedQuery = readonly [name: string, targetMs: number, run: (n: number) => Promise<unknown>]

function queriesOf(journal: Journal, ids: readonly string[]): readonly NamedQuery[] {
  const now = Date.now()
  const page = { limit: 50 }
  const filters = [
    {},
    { ok: false },
    { code: 'NOT_FOUND' },
    { code: 'CONFLICT' },
    { capability: CAPABILITIES[0] ?? '' },
    { capability: CAPABILITIES.at(-1) ?? '' },
    { caller: CALLERS.at(-1) ?? '' },
    { caller: 'nobody' },
    { route: 'cli' },
    { since: now - 13 * HOUR_MS, until: now - 12 * HOUR_MS },
    { caller: CALLERS[0] ?? '', ok: false },
    { caller: CALLERS.at(-1) ?? '', ok: true },
    { capability: CAPABILITIES.at(-1) ?? '', code: 'CONFLICT', until: now - 6 * HOUR_MS },
  ]
  const day = { since: startOfQuarter(now - 24 * HOUR_MS), until: startOfQuarter(now) + QUARTER_MS }
  return [
    ...filters.map(
      filter =>
        [`requests ${describeFilter(filter)}`, 50, () => journal.requests(filter, page)] as const,
    ),
    ...filters.map(
      filter =>
        [`attempts ${describeFilter(filter)}`, 50, () => journal.attempts(filter, page)] as const,
    ),
    ['stats of a day', 300, () => journal.stats({ ...day, bucketMs: QUARTER_MS })],
    ['one request', 20, n => journal.request(ids[(n * 37) % ids.length] ?? '')],
  ]
}

function describeFilter(filter: object): string {
  const parts = Object.entries(filter).map(([key, value]) =>
    typeof value === 'number' ? key : `${key}=${value}`,
  )
  return parts.join(' ') || 'all'
}

/** Buckets of a quarter of an hour start on a full quarter. */
function startOfQuarter(time: number): number {
  return Math.floor(time / QUARTER_MS) * QUARTER_MS
}

async function percentile95(run: (n: number) => Promise<unknown>): Promise<number> {
  const times: number[] = []
  for (let n = 0; n < RUNS; n++) {
    const began = performance.now()
    await run(n)
    times.push(performance.now() - began)
  }
  return quantile(times, 0.95)
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
