import { hostname } from 'node:os'
import { SettingsError } from '../model/settings-error.ts'
import type { Settings } from './config.ts'

const POSTGRES_URL = /^postgres(ql)?:\/\//

/** Whether the setting `journal` names a PostgreSQL database. */
export function isPostgres(journal: string): boolean {
  return POSTGRES_URL.test(journal)
}

/** A file with an ending may begin with any word. */
const FILE_NAME = /^[\w-]+\.\w+$/

/**
 * Refuses an address that names no PostgreSQL database: it would be taken for the path of a file. Does not show the text,
 * which may hold a password.
 * @throws {SettingsError}
 */
export function assertJournal(journal: string): void {
  const isAddress = /^postgres/i.test(journal) || /^(?!file:)[a-z][a-z0-9+.-]*:\/\//i.test(journal)
  if (!isAddress || isPostgres(journal) || FILE_NAME.test(journal)) return
  throw new SettingsError(
    'SIGNALBOX_JOURNAL (journal) looks like the address of a database, but is none: write postgres://user:password@host/database, or ./ before the path of a file.',
  )
}

/** How the names of the files begin that keep what a store beside the journal could not write; null for a journal in memory. */
export function spillOf(
  store: 'audit' | 'approvals',
  { journal, journal_spill }: Pick<Settings, 'journal' | 'journal_spill'>,
): string | null {
  if (isPostgres(journal)) return `${journal_spill}-${store}`
  return journal === ':memory:' ? null : `${journal}-${store}-spill`
}

/** Names this process in the records of the audit. */
export function processName(): string {
  return `${hostname()}/${process.pid}`
}
