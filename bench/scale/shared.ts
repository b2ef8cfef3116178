import { cp, mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { Database } from '../../src/journal/postgres/connection.ts'
import { findPostgres, startPostgres } from '../../test/support/postgres.ts'
import { startRedis } from '../../test/support/redis.ts'
import type { Scale } from '../scale.ts'
import { costOf, post } from '../support/cost-of.ts'
import { cpuTime } from '../support/cpu-time.ts'
import { type Curve, FLAT, figure } from '../support/curve.ts'
import { onInterrupt } from '../support/on-interrupt.ts'
import { findOnPath } from '../support/processes.ts'
import { PATIENT, startGateway, startUpstream } from '../support/servers.ts'
import { parentOf } from './postgres.ts'

const CARDS = new URL('../cards/', import.meta.url)
/** The counters of statistics and the last posts follow within this time. */
const SETTLE_MS = 3000

const WRITE = `
id: bench.repository.rename
version: 1.0.0
description: Rename a repository.
effect: write
input:
  type: object
  required: [owner, name]
  properties:
    owner: { type: string, description: "Login of the owner." }
    name: { type: string, description: "Name of the repository." }
output:
  type: object
  required: [id]
  properties: { id: { type: string } }
prefer: [rest]
routes:
  rest:
    method: POST
    path: /repos/{owner}/{name}
    result: "body.{id: node_id}"
pool: { rest: core }
`

/** A gateway with its journal in PostgreSQL and its state in Redis: what these two see of each call. */
export async function sharedCurves(scale: Scale): Promise<readonly Curve[]> {
  if (!findPostgres() || !findOnPath('redis-server')) return []
  const postgres = await startPostgres()
  onInterrupt(() => postgres.remove())
  const redis = await startRedis()
  onInterrupt(() => redis.remove())
  try {
    const at = scale.quick ? [1, 10] : [1, 10, 100]
    const url = await postgres.createDatabase()
    const store = redis.createDatabase()
    const gateway = await start(scale, url, store)
    const database = new Database(url, { connections: 1, statementTimeoutMs: 0 })
    const seen = await openCounters(database, () => redis.send(store, 'INFO'))
    const measure = (kind: Kind, atOnce: number) =>
      measureCalls(gateway, seen, kind, { atOnce, calls: scale.quick ? 500 : 3000 })
    await measure('read', 10)
    await measure('write', 10)
    const [reads, writes]: [Point[], Point[]] = [[], []]
    for (const atOnce of at) {
      reads.push(await measure('read', atOnce))
      writes.push(await measure('write', atOnce))
    }
    await database.close()
    await scale.processes.end(gateway.pid)
    return [
      toCurve('Reads, journal in PostgreSQL and state in Redis', at, reads),
      toCurve('Changes with an Idempotency-Key, in the same place', at, writes),
    ]
  } finally {
    await postgres.remove()
    await redis.remove()
  }
}

function toCurve(title: string, at: readonly number[], points: readonly Point[]): Curve {
  return {
    title,
    along: 'calls at once',
    at,
    figures: [
      figure('gateway, CPU µs', points, 'cost', 0, FLAT),
      figure('PostgreSQL, CPU µs', points, 'postgres', 0, FLAT),
      figure('transactions', points, 'transactions', 2, FLAT),
      figure('WAL, bytes', points, 'wal', 0, FLAT),
      figure('size, bytes', points, 'size', 0, null),
      figure('rows', points, 'rows', 2, null),
      figure('connections', points, 'connections', 0, null),
      figure('Redis, CPU µs', points, 'redis', 1, FLAT),
      figure('commands', points, 'commands', 2, FLAT),
    ],
  }
}

type Kind = 'read' | 'write'
type Gateway = Awaited<ReturnType<typeof startGateway>>
type Point = Awaited<ReturnType<typeof measureCalls>>

async function start(scale: Scale, journal: string, state: string): Promise<Gateway> {
  const { processes, directory } = scale
  const upstream = await startUpstream(processes, directory, true)
  const cards = join(directory, 'shared')
  await mkdir(cards)
  await cp(CARDS, cards, { recursive: true })
  await writeFile(join(cards, 'bench.repository.rename.yaml'), WRITE)
  const env = {
    ...PATIENT,
    SIGNALBOX_PACKS: 'none',
    SIGNALBOX_JOURNAL: journal,
    SIGNALBOX_STATE: state,
    SIGNALBOX_JOURNAL_SPILL: join(directory, 'spill.jsonl'),
  }
  return await startGateway(processes, directory, upstream.port, { cards, env })
}

let sent = 0

async function measureCalls(
  { port, pid }: Gateway,
  seen: () => Promise<Seen>,
  kind: Kind,
  { atOnce, calls }: { readonly atOnce: number; readonly calls: number },
) {
  const run = ++sent
  const path = `/v1/capabilities/${kind === 'read' ? 'bench.repository' : 'bench.repository.rename'}`
  const send = (n: number) => {
    const headers = kind === 'read' ? {} : { 'idempotency-key': `scale-${run}-${n}` }
    return post(port, `${path}?route=rest`, { owner: 'octo-org', name: `r-${run}-${n}` }, headers)
  }
  const before = await seen()
  const cost = await costOf(pid as number, calls, send, atOnce)
  const after = await seen()
  const each = (key: keyof Seen) => (after[key] - before[key]) / calls
  return {
    cost,
    postgres: each('postgres'),
    transactions: each('transactions'),
    wal: each('wal'),
    size: each('size'),
    rows: each('rows'),
    redis: each('redis'),
    commands: each('commands'),
    connections: after.connections,
  }
}

/** Counters of both servers. */
interface Seen {
  readonly postgres: number
  readonly transactions: number
  readonly wal: number
  readonly size: number
  readonly rows: number
  readonly connections: number
  readonly redis: number
  readonly commands: number
}

const COUNTERS = `
  SELECT pg_backend_pid() AS pid, pg_database_size(current_database())::float8 AS size, xact_commit::float8 AS transactions,
    tup_inserted::float8 AS rows, (pg_current_wal_lsn() - '0/0')::float8 AS wal,
    (SELECT count(*) FROM pg_stat_activity WHERE application_name = 'signalbox')::float8 AS connections
  FROM pg_stat_database WHERE datname = current_database()`

async function openCounters(
  database: Database,
  info: () => Promise<unknown>,
): Promise<() => Promise<Seen>> {
  return async () => {
    await new Promise(resolve => setTimeout(resolve, SETTLE_MS))
    const [row] = await database.query<Omit<Seen, 'postgres' | 'redis' | 'commands'> & Pid>(
      COUNTERS,
    )
    if (!row) throw new Error('PostgreSQL has no counters of the database')
    const text = String(await info())
    const read = (name: string) => Number(new RegExp(`^${name}:([\\d.]+)`, 'm').exec(text)?.[1])
    const redis = (read('used_cpu_user') + read('used_cpu_sys')) * 1e6
    const commands = read('total_commands_processed')
    return { ...row, postgres: cpuTime(parentOf(row.pid)) ?? Number.NaN, redis, commands }
  }
}

interface Pid {
  readonly pid: number
}
