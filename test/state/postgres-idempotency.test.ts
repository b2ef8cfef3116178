import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import { Database } from '../../src/journal/postgres/connection.ts'
import { openPostgresJournal } from '../../src/journal/postgres.ts'
import { PostgresIdempotency } from '../../src/state/postgres-idempotency.ts'
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

/** Its journal reports only once that the gateway is alive. */
async function openStore(url: string, owner: string) {
  const journal = await openPostgresJournal({
    url,
    owner,
    beatEveryMs: 3_600_000,
    onError: () => {},
  })
  const database = new Database(url, { connections: 2, statementTimeoutMs: 5000 })
  const store = new PostgresIdempotency(database, owner)
  onTestFinished(async () => {
    await store.close()
    await journal.close()
  })
  const gateways = async () => (await database.query('SELECT 1 FROM gateways')).length
  return { store, database, gateways }
}
