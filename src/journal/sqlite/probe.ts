import { existsSync, mkdirSync, rmdirSync, statSync } from 'node:fs'
import { dirname, join, resolve } from 'node:path'
import { JournalError } from '../error.ts'
import { connect } from './connection.ts'
import { lockFile } from './lock.ts'
import { assertKnownSchema } from './schema.ts'

/**
 * How the next gateway would find the file. Changes nothing in it: what a start would recover or bring to
 * a newer schema stays as it is.
 * @throws what opening it would, when it could not be had.
 */
export function probeSqliteJournal(file: string): 'absent' | 'usable' | 'in use' {
  if (!existsSync(file)) {
    tryToWrite(nearestDirectory(dirname(resolve(file))))
    return 'absent'
  }
  const unlock = lockUnlessUsed(file)
  // While a gateway writes, one that only begins to would make it wait.
  const readOnly = unlock === null
  try {
    const db = connect(file, { readOnly })
    try {
      assertKnownSchema(db, file)
      if (!readOnly) db.exec('BEGIN IMMEDIATE; ROLLBACK')
    } finally {
      db.close()
    }
  } finally {
    unlock?.()
  }
  return unlock === null ? 'in use' : 'usable'
}

function lockUnlessUsed(file: string) {
  try {
    return lockFile(file, 0)
  } catch (error) {
    if (error instanceof JournalError) return null
    throw error
  }
}

/** Rights tell less than trying: file systems can be read-only, or refuse for reasons of their own. */
function tryToWrite(directory: string): void {
  const made = join(directory, `.signalbox-${process.pid}`)
  mkdirSync(made)
  rmdirSync(made)
}

/** Of a path that may not be there yet, what is there. */
export function nearestDirectory(path: string): string {
  if (statSync(path, { throwIfNoEntry: false })) return path
  const parent = dirname(path)
  return parent === path ? path : nearestDirectory(parent)
}
