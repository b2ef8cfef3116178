import { afterAll, beforeAll, describe } from 'vitest'
import { Database } from '../../../src/journal/postgres/connection.ts'
import { SILENCE_MS } from '../../../src/journal/postgres/gateways.ts'
import { openPostgresJournal } from '../../../src/journal/postgres.ts'
import { PostgresIdempotency } from '../../../src/state/postgres-idempotency.ts'
import { SignsOfLife } from '../../../src/state/signs-of-life.ts'
import { postgres } from '../../support/parts.ts'
import { startPostgres, type TestPostgres } from '../../support/postgres.ts'
import {
  describeIdempotency,
  describeSharedIdempotency,
  type Place,
  placeOf,
} from './idempotency.ts'

describe.runIf(postgres.available)('with a server', () => {
  let server: TestPostgres
  beforeAll(async () => {
    server = await startPostgres()
  })
  afterAll(() => server.remove())

  async function openPlace(): Promise<Place> {
    const url = await server.createDatabase()
    return placeOf(async owner => {
      const journal = await openPostgresJournal({ url, owner, onError: () => {} })
      const database = new Database(url, { connections: 2, statementTimeoutMs: 5000 })
      const store = new PostgresIdempotency(database, owner, new SignsOfLife(SILENCE_MS))
      const end = async () => {
        await store.close()
        // Removes the gateway from the list of living ones.
        await journal.close()
      }
      return { store, end }
    })
  }
  describeIdempotency('PostgreSQL', openPlace)
  describeSharedIdempotency('PostgreSQL', openPlace)
})
