import { DatabaseSync } from 'node:sqlite'
import { createPrivateFile } from '../../lib/private-file.ts'
import { inBrackets, lockerOf } from '../../lib/process-of.ts'
import { JournalError } from '../error.ts'

/** Releases the file, so that another gateway may use it. */
export type Unlock = () => void

/**
 * Allows one gateway for a file: with two, neither could distinguish the other's writes in flight from those of a
 * dead gateway. Readers do not need it.
 */
export function lockFile(file: string, waitMs: number): Unlock {
  const unlock = tryToLock(file, waitMs)
  if (unlock) return unlock
  throw new JournalError(
    `the journal ${file} is in use by another gateway${inBrackets(lockerOf(lockOf(file)))}: stop that one, or set SIGNALBOX_JOURNAL to a file of its own`,
  )
}

const BUSY = 5

/**
 * Returns null if another process has the lock. It is an exclusive transaction on an empty database beside the
 * file, so the system drops it when the process ends, however that happens.
 */
export function tryToLock(file: string, waitMs: number): Unlock | null {
  createPrivateFile(lockOf(file))
  const lock = new DatabaseSync(lockOf(file), { timeout: waitMs })
  try {
    lock.exec('BEGIN EXCLUSIVE')
  } catch (error) {
    lock.close()
    if (error instanceof Error && 'errcode' in error && error.errcode === BUSY) return null
    throw error
  }
  return () => lock.close()
}

/** The file that is locked in the place of this one. */
export function lockOf(file: string): string {
  return `${file}.lock`
}
