import { openJournal } from '../support.ts'
import { describeJournal } from './journal.ts'

describeJournal('SQLite', async options => openJournal({ file: ':memory:', ...options }).journal)
