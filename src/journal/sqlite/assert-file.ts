import { closeSync, openSync, readSync, statSync } from 'node:fs'
import { JournalError } from '../error.ts'

const HEADER = 'SQLite format 3\0'

/**
 * Refuses a place that can hold no journal, before anything is created beside it. A path where nothing is, and an empty file,
 * can become a journal.
 * @throws {JournalError}
 */
export function assertJournalFile(file: string): void {
  const reason = faultOf(file)
  if (reason === null) return
  throw new JournalError(
    `the journal ${file} cannot be opened: ${reason}. Set SIGNALBOX_JOURNAL to another file, in a writable directory.`,
  )
}

function faultOf(file: string): string | null {
  const stats = statSync(file, { throwIfNoEntry: false })
  if (!stats) return null
  if (stats.isDirectory()) return 'it is a directory'
  if (!stats.isFile()) return 'it is not a regular file'
  const start = startOf(file)
  // The words of SQLite.
  return start === '' || start === HEADER ? null : 'file is not a database'
}

/** Reads instead of asking for the size: files of the system in /proc have the size 0. */
function startOf(file: string): string {
  const fd = openSync(file, 'r')
  try {
    const bytes = Buffer.alloc(HEADER.length)
    return bytes.toString('latin1', 0, readSync(fd, bytes))
  } finally {
    closeSync(fd)
  }
}
