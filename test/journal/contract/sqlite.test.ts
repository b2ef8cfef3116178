import { openSqliteJournal } from '../../../src/journal/sqlite.ts'
import { openJournal } from '../support.ts'
import { describeFilters, describeRetries } from './filters.ts'
import { describeJournal } from './journal.ts'
import { describeOverview } from './overview.ts'

describeJournal('SQLite', async options => openJournal({ file: ':memory:', ...options }).journal)
describeOverview('SQLite', async () => openJournal({ file: ':memory:' }).journal)
const open = async () =>
  openSqliteJournal({ file: ':memory:', onError: () => {}, payloads: 'redacted' })
describeFilters('SQLite', open)
describeRetries('SQLite', open)
