import { DatabaseSync } from 'node:sqlite'
import pg from 'pg'
import { expect, onTestFinished, test, vi } from 'vitest'
import { type Dialect, POSTGRES, SQLITE } from '../../src/journal/find/dialect.ts'
import { isMergeable } from '../../src/journal/find/finder.ts'
import type { Search, Sql } from '../../src/journal/find/search.ts'
import { toMergedSql, toSql } from '../../src/journal/find/to-sql.ts'
import type { Journal, JournalFilter } from '../../src/journal/journal.ts'
import { openPostgresJournal } from '../../src/journal/postgres.ts'
import { attemptsSearch, requestsSearch } from '../../src/journal/query.ts'
import { encodeRowCursor } from '../../src/journal/row-cursor.ts'
import { postgres } from '../support/parts.ts'
import { startPostgres } from '../support/postgres.ts'
import { KINDS, pairs } from './contract/filters.ts'
import { FAILED, type RecordOptions, recordOf } from './records.ts'
import { openJournal, untilFiled } from './support.ts'

// Databases start slowly on a busy machine.
vi.setConfig({ testTimeout: 180_000 })

type Row = Readonly<Record<string, unknown>>

interface Open {
  readonly journal: Journal
  readonly all: (sql: Sql) => Promise<readonly Row[]>
}

const DATABASES: readonly (readonly [string, boolean, Dialect, () => Promise<Open>])[] = [
  ['SQLite', true, SQLITE, openSqlite],
  ['PostgreSQL', postgres.available, POSTGRES, openPostgres],
]

const LISTS: readonly (readonly [string, (dialect: Dialect, filter: JournalFilter) => Search])[] = [
  [
    'requests',
    (dialect, filter) => {
      const page = { limit: 2, after: encodeRowCursor({ key: 12_000_000 }) }
      return requestsSearch(dialect, filter, page)
    },
  ],
  [
    'attempts',
    (dialect, filter) => {
      const page = { limit: 2, after: encodeRowCursor({ key: 12_000_000, position: 0 }) }
      return attemptsSearch(dialect, filter, page)
    },
  ],
]

/** Requests that have several attempts which a filter looks for: a page has each of them once. */
const TWICE: readonly RecordOptions[] = Array.from({ length: 3 }, () => ({
  attempts: [FAILED, FAILED, FAILED],
  error: { code: 'SERVER' },
}))

const FILTERS: readonly JournalFilter[] = [
  ...pairs().map(([filter]) => filter),
  { status: 'error', ok: false },
]

/** The journal merges indexes only for values that thousands of rows have. */
test.each(
  DATABASES.filter(([, available]) => available).flatMap(([name, , dialect, open]) =>
    LISTS.map(([list, searchOf]) => ({ name, list, dialect, open, searchOf })),
  ),
)(
  'indexes of $name that are read together find the $list that both filters find',
  async ({ list, dialect, open, searchOf }) => {
    const { journal, all } = await open()
    const kinds = [...Object.entries(KINDS), ...TWICE.entries()]
    for (const [n, [request_id, kind]] of kinds.entries()) {
      await journal.append(
        recordOf({ ...kind, request_id: String(request_id), time: (n + 1) * 1000 }),
      )
    }
    await untilFiled(journal)
    let merged = 0
    let withRows = 0
    for (const filter of FILTERS) {
      // The finder would look up what a pattern or a class stands for.
      if (/\*|xx/.test(JSON.stringify(filter))) continue
      const search = searchOf(dialect, filter)
      if (search.conditions.length < 2 || !isMergeable(dialect, search)) continue
      const found = await all(toMergedSql(dialect, search))
      expect({ filter, found }).toEqual({ filter, found: await all(toSql(dialect, search)) })
      merged++
      withRows += found.length > 0 ? 1 : 0
    }
    expect(merged).toBeGreaterThan(list === 'requests' ? 50 : 10)
    expect(withRows).toBeGreaterThan(3)
  },
)

async function openSqlite(): Promise<Open> {
  const { journal, file } = openJournal({ payloads: 'redacted' })
  const db = new DatabaseSync(file, { readOnly: true })
  onTestFinished(() => db.close())
  return { journal, all: async ({ text, values }) => db.prepare(text).all(...values) }
}

async function openPostgres(): Promise<Open> {
  const server = await startPostgres()
  const url = await server.createDatabase()
  const journal = await openPostgresJournal({ url, payloads: 'redacted', onError: console.error })
  const client = new pg.Client(url)
  await client.connect()
  onTestFinished(async () => {
    await client.end()
    await journal.close()
    await server.remove()
  })
  const all = async ({ text, values }: Sql) => {
    let count = 0
    const numbered = text.replaceAll('?', () => `$${++count}`)
    return (await client.query(numbered, [...values])).rows as Row[]
  }
  return { journal, all }
}
