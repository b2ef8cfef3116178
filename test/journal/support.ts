import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { onTestFinished } from 'vitest'
import type { Journal } from '../../src/journal/journal.ts'
import { openSqliteJournal, type SqliteJournalOptions } from '../../src/journal/sqlite.ts'

/** A path in a directory that goes with the test. */
export function temporaryFile(): string {
  const directory = mkdtempSync(join(tmpdir(), 'signalbox-journal-'))
  onTestFinished(() => rmSync(directory, { recursive: true, force: true }))
  return join(directory, 'journal.sqlite')
}

/** Tests write records of any time. */
const FOREVER = { days: Infinity, failure_days: Infinity }

/** A journal on a real file; closed by the test that asks for it. */
export function openJournal(options: Partial<SqliteJournalOptions> = {}): {
  journal: Journal
  file: string
  errors: unknown[]
} {
  const file = options.file ?? temporaryFile()
  const errors: unknown[] = []
  const journal = openSqliteJournal({
    file,
    onError: error => errors.push(error),
    retention: FOREVER,
    ...options,
  })
  onTestFinished(() => journal.close())
  return { journal, file, errors }
}

/** What is recorded has its place in the tables before the next query. */
export async function untilFiled(journal: Journal): Promise<void> {
  await journal.requests({}, { limit: 1 })
}
