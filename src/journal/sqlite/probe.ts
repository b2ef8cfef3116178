import { existsSync, mkdirSync, rmdirSync, statSync } from 'node:fs'
import { dirname, join, resolve } from 'node:path'
import { assertJournalFile } from './assert-file.ts'
import { connect } from './connection.ts'
import { tryToLock } from './lock.ts'
import { assertKnownSchema } from './schema.ts'

/**
 * Finds out whether a gateway could use the file. Changes nothing in it: no recovery, no migration.
 * @throws the error that opening it would throw.
 */
export function probeSqliteJournal(file: string): 'absent' | 'usable' | 'in use' {
  if (!existsSync(file)) {
    tryToWrite(nearestDirectory(dirname(resolve(file))))
    return 'absent'
  }
  assertJournalFile(file)
  const unlock = tryToLock(file, 0)
  // Beginning a write transaction would make the gateway that uses the file wait.
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

/** Tries, because permissions do not say enough: a file system can be read-only, or refuse for other reasons. */
function tryToWrite(directory: string): void {
  const made = join(directory, `.signalbox-${process.pid}`)
  mkdirSync(made)
  rmdirSync(made)
}

/** The deepest part of a path that exists. */
export function nearestDirectory(path: string): string {
  if (statSync(path, { throwIfNoEntry: false })) return path
  const parent = dirname(path)
  return parent === path ? path : nearestDirectory(parent)
}
