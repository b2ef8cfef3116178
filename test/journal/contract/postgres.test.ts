import { afterAll, beforeAll, describe } from 'vitest'
import { openPostgresJournal } from '../../../src/journal/postgres.ts'
import { postgres } from '../../support/parts.ts'
import { startPostgres, type TestPostgres } from '../../support/postgres.ts'
import { describeFilters, describeRetries } from './filters.ts'
import { describeJournal } from './journal.ts'
import { describeOverview } from './overview.ts'

describe.runIf(postgres.available)('with a server', () => {
  let server: TestPostgres
  beforeAll(async () => {
    server = await startPostgres()
  })
  afterAll(() => server.remove())

  describeJournal('PostgreSQL', async options =>
    openPostgresJournal({ url: await server.createDatabase(), onError: () => {}, ...options }),
  )
  describeOverview('PostgreSQL', async () =>
    openPostgresJournal({ url: await server.createDatabase(), onError: () => {} }),
  )
  describeRetries('PostgreSQL', async () =>
    openPostgresJournal({ url: await server.createDatabase(), onError: () => {} }),
  )
  describeFilters('PostgreSQL', async () =>
    openPostgresJournal({
      url: await server.createDatabase(),
      onError: () => {},
      payloads: 'redacted',
    }),
  )
})
