import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { onTestFinished } from 'vitest'
import type { Journal } from '../../src/journal/journal.ts'
import { openSqliteJournal, type SqliteJournalOptions } from '../../src/journal/sqlite.ts'

/** A path in a new directory, which is deleted when the test ends. */
export function temporaryFile(): string {
  const directory = mkdtempSync(join(tmpdir(), 'signalbox-journal-'))
  onTestFinished(() => rmSync(directory, { recursive: true, force: true }))
  return join(directory, 'journal.sqlite')
}

/** Keeps records of any age, because tests choose their times freely. */
const FOREVER = { days: Infinity, failure_days: Infinity }

/** A journal in a real file, which closes when the test ends. */
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

/** A query moves all records into the tables before it reads. */
export async function untilFiled(journal: Journal): Promise<void> {
  await journal.requests({}, { limit: 1 })
}
