import { DatabaseSync } from 'node:sqlite'
import { JournalError } from '../error.ts'

/** Gives up the right to be the one gateway of this file. */
export type Unlock = () => void

/**
 * One gateway for a file: what another one has in flight could not be told from what a dead one left
 * behind. The lock is an exclusive transaction on an empty database beside the journal, so the system
 * drops it with the process, however that ends. Readers do not need it.
 */
export function lockFile(file: string, waitMs: number): Unlock {
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
