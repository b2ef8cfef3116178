import { openSqliteJournal } from '../../../src/journal/sqlite.ts'
import { openJournal } from '../support.ts'
import { describeFilters } from './filters.ts'
import { describeJournal } from './journal.ts'
import { describeOverview } from './overview.ts'

describeJournal('SQLite', async options => openJournal({ file: ':memory:', ...options }).journal)
describeOverview('SQLite', async () => openJournal({ file: ':memory:' }).journal)
describeFilters('SQLite', async () =>
  openSqliteJournal({ file: ':memory:', onError: () => {}, payloads: 'redacted' }),
)
