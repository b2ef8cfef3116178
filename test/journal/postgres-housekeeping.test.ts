import { expect, onTestFinished, test, vi } from 'vitest'
import { Database } from '../../src/journal/postgres/connection.ts'
import { sweep } from '../../src/journal/postgres/housekeeping.ts'
import { openPostgresJournal } from '../../src/journal/postgres.ts'
import { postgres } from '../support/parts.ts'
import { startPostgres } from '../support/postgres.ts'
import { FAILED, type RecordOptions, recordOf, SUCCESS } from './records.ts'

// Databases start slowly on a busy machine.
vi.setConfig({ testTimeout: 180_000 })

const DAY = 24 * 60 * 60 * 1000
const NOW = 100 * DAY

const OLD: Readonly<Record<string, RecordOptions>> = {
  plain: { time: NOW - 8 * DAY, input: { title: 'searched' } },
  fallback: {
    time: NOW - 31 * DAY,
    attempts: [FAILED, { ...SUCCESS, route: 'graphql' }],
    data: { title: 'searched' },
  },
  failure: { time: NOW - 31 * DAY, attempts: [FAILED], error: {} },
}
const YOUNG: RecordOptions = {
  time: NOW - 29 * DAY,
  attempts: [FAILED],
  error: {},
  input: { title: 'searched' },
}

/** Each table with rows of a request, and its rows for the request that stays. */
const TABLES = { requests: 1, request_details: 1, request_texts: 1, attempts: 1 } as const

test.runIf(postgres.available)(
  'the retention in PostgreSQL deletes every trace of a request, its words in the full-text index too',
  async () => {
    const server = await startPostgres()
    onTestFinished(() => server.remove())
    const url = await server.createDatabase()
    const journal = await openPostgresJournal({ url, payloads: 'redacted', onError: console.error })
    const database = new Database(url, { connections: 1, statementTimeoutMs: 10_000 })
    onTestFinished(async () => {
      await journal.close()
      await database.close()
    })
    for (const [request_id, options] of Object.entries({ ...OLD, young: YOUNG })) {
      await journal.append(recordOf({ request_id, ...options }))
    }
    const rowsOf = async (condition = 'true') => {
      const counts = Object.keys(TABLES).map(async table => {
        const [row] = await database.query<{ rows: number }>(
          `SELECT count(*) AS rows FROM ${table} WHERE ${condition}`,
        )
        return [table, row?.rows] as const
      })
      return Object.fromEntries(await Promise.all(counts))
    }
    const found = async () => {
      const { items } = await journal.requests({ q: 'searched' }, { limit: 10 })
      return items.map(({ request_id }) => request_id)
    }
    expect(await found()).toEqual(['plain', 'young', 'fallback'])
    // A new table of requests has to be swept too.
    const tables = await database.query<{ name: string }>(
      `SELECT table_name AS name FROM information_schema.columns
       WHERE table_schema = 'public' AND column_name = 'key' AND data_type = 'bigint'`,
    )
    expect(tables.map(({ name }) => name).toSorted()).toEqual(Object.keys(TABLES).toSorted())

    await sweep(database, { days: 7, failure_days: 30 }, NOW)
    expect(await found()).toEqual(['young'])
    expect(await rowsOf()).toEqual(TABLES)
    expect(await rowsOf('key NOT IN (SELECT key FROM requests)')).toEqual(
      Object.fromEntries(Object.keys(TABLES).map(table => [table, 0])),
    )
  },
)
