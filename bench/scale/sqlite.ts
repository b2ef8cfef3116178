import { statSync } from 'node:fs'
import { join } from 'node:path'
import type { DatabaseSync } from 'node:sqlite'
import { connect } from '../../src/journal/sqlite/connection.ts'
import { openSqliteJournal } from '../../src/journal/sqlite.ts'
import type { Scale } from '../scale.ts'
import { cpuTime } from '../support/cpu-time.ts'
import type { Curve } from '../support/curve.ts'
import { copySql, TABLES } from '../support/journal-copies.ts'
import { BLOCK, BLOCK_MS, measureJournal } from './journal.ts'

export async function sqliteCurve({ directory }: Scale, largest: number): Promise<Curve> {
  const file = join(directory, 'journal.sqlite')
  const retention = { days: Infinity, failure_days: Infinity }
  const journal = openSqliteJournal({ file, retention, onError: console.error })
  const db = connect(file, { busyTimeoutMs: 10_000 })
  let copies = 0
  try {
    return await measureJournal(
      'SQLite',
      {
        journal,
        cpu: () => cpuTime(process.pid) ?? Number.NaN,
        grow: async requests => {
          // A query files everything that was written so far.
          await journal.requests({}, { limit: 1 })
          while ((copies + 1) * BLOCK < requests) copyBlock(db, ++copies)
          db.exec('PRAGMA wal_checkpoint(PASSIVE)')
        },
        megabytes: () => Promise.resolve(statSync(file).size / 1e6),
      },
      largest,
    )
  } finally {
    db.close()
    await journal.close()
  }
}

/** The first block has the lowest keys of the journal. */
export function copyBlock(db: DatabaseSync, n: number): void {
  const below = Number(
    db.prepare('SELECT key FROM requests ORDER BY key LIMIT 1 OFFSET ?').get(BLOCK)?.key ??
      Number.MAX_SAFE_INTEGER,
  )
  db.exec('BEGIN IMMEDIATE')
  for (const table of TABLES)
    db.exec(copySql(table, columnsOf(db, table), { n, ms: BLOCK_MS, below }))
  db.exec('COMMIT')
}

function columnsOf(db: DatabaseSync, table: string): readonly string[] {
  return db
    .prepare('SELECT name FROM pragma_table_info(?)')
    .all(table)
    .map(({ name }) => String(name))
}
