import { afterAll, beforeAll, describe, onTestFinished } from 'vitest'
import { Database } from '../../../src/journal/postgres/connection.ts'
import { openPostgresJournal } from '../../../src/journal/postgres.ts'
import type { IdempotencyStore } from '../../../src/state/idempotency.ts'
import { PostgresIdempotency } from '../../../src/state/postgres-idempotency.ts'
import { postgres } from '../../support/parts.ts'
import { startPostgres, type TestPostgres } from '../../support/postgres.ts'
import { describeIdempotency, describeSharedIdempotency, type Place } from './idempotency.ts'

describe.runIf(postgres.available)('with a server', () => {
  let server: TestPostgres
  beforeAll(async () => {
    server = await startPostgres()
  })
  afterAll(() => server.remove())

  async function openPlace(): Promise<Place> {
    const url = await server.createDatabase()
    let count = 0
    const lives = new Map<IdempotencyStore, () => Promise<void>>()
    return {
      async open() {
        const owner = `life-${++count}`
        const journal = await openPostgresJournal({ url, owner, onError: () => {} })
        const database = new Database(url, { connections: 2, statementTimeoutMs: 5000 })
        const store = new PostgresIdempotency(database, owner)
        const end = async () => {
          await store.close()
          await journal.close()
        }
        lives.set(store, end)
        onTestFinished(async () => {
          if (lives.delete(store)) await end()
        })
        return store
      },
      // Closing takes the gateway's name from the list of the living, and settles nothing.
      async crash(store) {
        const end = lives.get(store)
        lives.delete(store)
        await end?.()
      },
    }
  }
  describeIdempotency('PostgreSQL', openPlace)
  describeSharedIdempotency('PostgreSQL', openPlace)
})
