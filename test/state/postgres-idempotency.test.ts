import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import { Database, type Queries } from '../../src/journal/postgres/connection.ts'
import { SILENCE_MS } from '../../src/journal/postgres/gateways.ts'
import { openPostgresJournal } from '../../src/journal/postgres.ts'
import { PostgresIdempotency } from '../../src/state/postgres-idempotency.ts'
import { SignsOfLife } from '../../src/state/signs-of-life.ts'
import { postgres } from '../support/parts.ts'
import { startPostgres, type TestPostgres } from '../support/postgres.ts'

const CLAIM = {
  caller: 'agent',
  capability: 'issue.create',
  key: 'k',
  fingerprint: 'f',
  time: Date.now(),
}

describe.runIf(postgres.available)('a gateway without a sign of life for a minute', () => {
  let server: TestPostgres
  beforeAll(async () => {
    server = await startPostgres()
  })
  afterAll(() => server.remove())

  test.each([
    { what: 'may be alive, after an outage for both', silent: 60, there: 3600, kind: 'running' },
    {
      what: 'may be alive, if this one has only just started',
      silent: 0,
      there: 1,
      kind: 'running',
    },
    { what: 'is dead, if this one was running', silent: 0, there: 3600, kind: 'interrupted' },
  ])('$what', async ({ silent, there, kind }) => {
    const url = await server.createDatabase()
    const [one, other] = [await openStore(url, 'one'), await openStore(url, 'other')]
    await one.store.claim({ ...CLAIM })
    await expect.poll(() => one.gateways()).toBe(2)

    await one.database.query(
      `UPDATE gateways SET
         beat = now() - (CASE id WHEN 'one' THEN 60 ELSE $1::int END) * interval '1 second',
         since = now() - $2::int * interval '1 second'`,
      [silent, there],
    )

    expect(await other.store.claim({ ...CLAIM })).toMatchObject({ kind })
  })
})

describe.runIf(postgres.available)('a key that is released while another gateway claims it', () => {
  let server: TestPostgres
  beforeAll(async () => {
    server = await startPostgres()
  })
  afterAll(() => server.remove())

  test('is new', async () => {
    const url = await server.createDatabase()
    const one = await openStore(url, 'one')
    const claim = { ...CLAIM }
    await one.store.claim(claim)
    const database = new DatabaseInBetween(url, () => one.store.release(claim))
    const other = new PostgresIdempotency(database, 'other', new SignsOfLife(SILENCE_MS))
    onTestFinished(() => other.close())
    expect(await other.claim({ ...CLAIM })).toEqual({ kind: 'new' })
    const rows = await one.database.query('SELECT owner FROM idempotency')
    expect(rows).toEqual([{ owner: 'other' }])
  })
})

/** Does something once, after the first row that could not be inserted. */
class DatabaseInBetween extends Database {
  #meanwhile: (() => Promise<void>) | null

  constructor(url: string, meanwhile: () => Promise<void>) {
    super(url, { connections: 1, statementTimeoutMs: 5000 })
    this.#meanwhile = meanwhile
  }

  override transaction<T>(work: (tx: Queries) => Promise<T>): Promise<T> {
    return super.transaction(async tx => {
      const query: Queries['query'] = async (text, values) => {
        const rows = await tx.query<never>(text, values)
        const meanwhile = this.#meanwhile
        if (meanwhile && rows.length === 0 && text.trimStart().startsWith('INSERT')) {
          this.#meanwhile = null
          await meanwhile()
        }
        return rows
      }
      return await work({ query, run: text => tx.run(text) })
    })
  }
}

/** Its journal reports only once that the gateway is alive. */
async function openStore(url: string, owner: string) {
  const journal = await openPostgresJournal({
    url,
    owner,
    beatEveryMs: 3_600_000,
    onError: () => {},
  })
  const database = new Database(url, { connections: 2, statementTimeoutMs: 5000 })
  const store = new PostgresIdempotency(database, owner, new SignsOfLife(SILENCE_MS))
  onTestFinished(async () => {
    await store.close()
    await journal.close()
  })
  const gateways = async () => (await database.query('SELECT 1 FROM gateways')).length
  return { store, database, gateways }
}
