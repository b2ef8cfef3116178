import { DatabaseSync } from 'node:sqlite'
import { createPrivateFile } from '../../lib/private-file.ts'
import { JournalError } from '../error.ts'

/** Releases the file, so that another gateway may use it. */
export type Unlock = () => void

/**
 * Allows one gateway for a file: with two, neither could distinguish the other's writes in flight from those of a
 * dead gateway. The lock is an exclusive transaction on an empty database beside the journal, so the system drops
 * it when the process ends, however that happens. Readers do not need it.
 */
export function lockFile(file: string, waitMs: number): Unlock {
  createPrivateFile(`${file}.lock`)
  const lock = new DatabaseSync(`${file}.lock`, { timeout: waitMs })
  try {
    lock.exec('BEGIN EXCLUSIVE')
  } catch (error) {
    lock.close()
    throw new JournalError(
      `the journal ${file} is in use by another gateway: stop that one, or set SIGNALBOX_JOURNAL to a file of its own`,
      { cause: error },
    )
  }
  return () => lock.close()
}
