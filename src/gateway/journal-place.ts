import { hostname } from 'node:os'
import { basename } from 'node:path'
import { SettingsError } from '../model/settings-error.ts'
import type { Settings } from './config.ts'

const POSTGRES_URL = /^postgres(ql)?:\/\//

/** Whether the setting `journal` names a PostgreSQL database. */
export function isPostgres(journal: string): boolean {
  return POSTGRES_URL.test(journal)
}

/** A file with an ending may begin with any word. */
const FILE_NAME = /^[\w-]+\.\w+$/

/** The names of the files that SQLite and the gateway put beside a journal: its own name has an ending before theirs. */
const COMPANION =
  /^(.+\.[^.]+?)(?:-(?:wal|shm|journal|inbox|spill|audit-spill|approvals-spill)(?:\..+)?|\.lock)$/

/**
 * Refuses an address that names no PostgreSQL database: it would be taken for the path of a file. Does not show the text,
 * which may hold a password. Refuses also the path of a file that belongs to a journal.
 * @throws {SettingsError}
 */
export function assertJournal(journal: string): void {
  const isAddress = /^postgres/i.test(journal) || /^(?!file:)[a-z][a-z0-9+.-]*:\/\//i.test(journal)
  if (isPostgres(journal)) return
  if (!isAddress || FILE_NAME.test(journal)) return assertOwnFile(journal)
  throw new SettingsError(
    'SIGNALBOX_JOURNAL (journal) looks like the address of a database, but is none: write postgres://user:password@host/database, or ./ before the path of a file.',
  )
}

/** Both would write the file, and SQLite deletes some of them. */
function assertOwnFile(file: string): void {
  const [name, owner] = COMPANION.exec(basename(file)) ?? []
  if (owner === undefined) return
  throw new SettingsError(
    `the journal cannot be ${name}, which is the name of a file that belongs to the journal ${owner}: name ${owner}, or a file with another ending, such as other.sqlite.`,
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
