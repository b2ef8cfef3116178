import { readFileSync } from 'node:fs'
import { Database } from '../../src/journal/postgres/connection.ts'
import { openPostgresJournal } from '../../src/journal/postgres.ts'
import { findPostgres, startPostgres } from '../../test/support/postgres.ts'
import { cpuTime } from '../support/cpu-time.ts'
import type { Curve } from '../support/curve.ts'
import { copySql, TABLES } from '../support/journal-copies.ts'
import { onInterrupt } from '../support/on-interrupt.ts'
import { BLOCK, BLOCK_MS, measureJournal } from './journal.ts'

export async function postgresCurve(largest: number): Promise<Curve | readonly Curve[]> {
  if (!findPostgres()) return []
  const server = await startPostgres()
  onInterrupt(() => server.remove())
  const url = await server.createDatabase()
  const journal = await openPostgresJournal({ url, onError: console.error })
  const database = new Database(url, { connections: 1, statementTimeoutMs: 0 })
  const one = async (text: string) => Number((await database.query<{ n: number }>(text))[0]?.n)
  const pid = parentOf(await one('SELECT pg_backend_pid() AS n'))
  let copies = 0
  try {
    return await measureJournal(
      'PostgreSQL',
      {
        journal,
        cpu: () => (cpuTime(process.pid) ?? Number.NaN) + (cpuTime(pid) ?? Number.NaN),
        grow: async requests => {
          while ((copies + 1) * BLOCK < requests) await copyBlock(database, ++copies)
          await database.run('VACUUM ANALYZE')
        },
        megabytes: async () =>
          (await one('SELECT pg_database_size(current_database()) AS n')) / 1e6,
      },
      largest,
    )
  } finally {
    await database.close()
    await journal.close()
    await server.remove()
  }
}

/** The first block has the lowest keys of the journal. */
export async function copyBlock(database: Database, n: number): Promise<void> {
  const [last] = await database.query<{ key: number }>(
    'SELECT key FROM requests ORDER BY key LIMIT 1 OFFSET $1',
    [BLOCK],
  )
  const below = last?.key ?? Number.MAX_SAFE_INTEGER
  for (const table of TABLES) {
    const columns = await database.query<{ name: string }>(
      'SELECT column_name AS name FROM information_schema.columns WHERE table_name = $1 AND table_schema = current_schema()',
      [table],
    )
    const names = columns.map(({ name }) => name)
    await database.run(copySql(table, names, { n, ms: BLOCK_MS, below }))
  }
}

/** The server of a connection is the parent of its process. */
export function parentOf(pid: number): number {
  return Number(/^PPid:\s+(\d+)/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1])
}
