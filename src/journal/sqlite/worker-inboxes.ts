import { readdirSync, rmSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import type { DatabaseSync } from 'node:sqlite'
import { setImmediate as nextTurn } from 'node:timers/promises'
import { ulid } from 'ulid'
import { inBrackets, lockerOf } from '../../lib/process-of.ts'
import type { RequestRows } from '../columns.ts'
import { type JournalEntry, toRequestEntry } from '../entries.ts'
import { JournalError } from '../error.ts'
import type { Refusal } from '../write-buffer-options.ts'
import { InboxReader, type Piece, type Position } from './inbox-reader.ts'
import { lockOf, tryToLock } from './lock.ts'
import { placeOf } from './worker-inbox.ts'
import type { WriteBatch } from './writer.ts'

/** Gets the requests of one worker that were filed, and those of them that the database rejects. */
export type Filed = (
  rows: readonly RequestRows[],
  refusals: readonly Refusal<JournalEntry>[],
) => void

interface Open {
  readonly reader: InboxReader
  readonly filed: Filed
}

/**
 * Files the inboxes of workers into the tables. The transaction that files requests also stores how far the inbox is filed, so
 * each request is filed once, even if the process dies in between.
 */
export class WorkerInboxes {
  readonly #journal: string
  readonly #write: WriteBatch
  readonly #positions: Positions
  readonly #open = new Map<string, Open>()
  #running: Promise<void> = Promise.resolve()
  #next: Promise<void> | null = null

  constructor(journal: string, db: DatabaseSync, write: WriteBatch) {
    this.#journal = journal
    this.#write = write
    this.#positions = new Positions(db)
  }

  /** Returns the name of an inbox for another worker. */
  open(filed: Filed): string {
    const name = ulid()
    const reader = new InboxReader(placeOf(this.#journal, name), { part: 0, offset: 0 }, false)
    this.#open.set(name, { reader, filed })
    return name
  }

  /** Resolves when all requests are filed that the workers have stored so far. Rejects if the database cannot be written. */
  file(): Promise<void> {
    // A run that has begun may have passed what was stored meanwhile.
    this.#next ??= this.#running.then(() => {
      this.#next = null
      const run = this.#fileAll()
      this.#running = run.catch(() => {})
      return run
    })
    return this.#next
  }

  /** Call this when the worker has ended and everything is filed. */
  remove(name: string): void {
    this.#open.get(name)?.reader.close()
    this.#open.delete(name)
    this.#removeFiles(name)
  }

  /** Leaves the files of inboxes that could not be filed to the next start. */
  async close(): Promise<void> {
    await this.#running
    for (const { reader } of this.#open.values()) reader.close()
    this.#open.clear()
  }

  /**
   * Files what the workers of a dead gateway have left. Call this under the journal's lock.
   * @throws {JournalError} while such a worker still runs.
   */
  fileLeft(waitMs: number): void {
    const names = namesOfLeft(this.#journal)
    for (const name of names) {
      const place = placeOf(this.#journal, name)
      const unlock = tryToLock(place, waitMs)
      if (!unlock) {
        const who = inBrackets(lockerOf(lockOf(place)))
        throw new JournalError(
          `a worker${who} of a gateway that has died still uses the journal ${this.#journal}: end it (kill -9 if it is frozen), or wait until it has ended`,
        )
      }
      try {
        const reader = new InboxReader(place, this.#positions.of(name), true)
        for (let piece = reader.next(); piece; piece = reader.next()) {
          this.#filePiece(name, reader, piece)
        }
        reader.close()
        this.#removeFiles(name)
      } finally {
        unlock()
      }
    }
    this.#positions.keepOnly(namesOfLeft(this.#journal))
  }

  /** An inbox that cannot be read keeps no other from being filed. */
  async #fileAll(): Promise<void> {
    const errors: unknown[] = []
    for (const [name, open] of this.#open) {
      await this.#fileOne(name, open).catch(error => errors.push(error))
    }
    if (errors.length > 0) throw errors[0]
  }

  async #fileOne(name: string, { reader, filed }: Open): Promise<void> {
    for (let piece = reader.next(); piece; piece = reader.next()) {
      filed(piece.rows, this.#filePiece(name, reader, piece))
      await nextTurn()
    }
  }

  #filePiece(name: string, reader: InboxReader, piece: Piece): readonly Refusal<JournalEntry>[] {
    const refusals = this.#write(piece.rows.map(toRequestEntry), () =>
      this.#positions.set(name, piece.end),
    )
    reader.markFiled(piece)
    return refusals
  }

  /** As long as a file cannot be deleted, its position says that it is filed. */
  #removeFiles(name: string): void {
    try {
      for (const file of filesOf(this.#journal, name)) rmSync(file)
      this.#positions.delete(name)
    } catch {
      // The next start tries again.
    }
  }
}

/** How far each inbox is filed. */
class Positions {
  readonly #db: DatabaseSync
  readonly #set

  constructor(db: DatabaseSync) {
    this.#db = db
    this.#set = db.prepare('INSERT OR REPLACE INTO worker_inboxes VALUES (?, ?, ?)')
  }

  set(name: string, { part, offset }: Position): void {
    this.#set.run(name, part, offset)
  }

  of(name: string): Position {
    const row = this.#db.prepare('SELECT * FROM worker_inboxes WHERE name = ?').get(name)
    return { part: Number(row?.part ?? 0), offset: Number(row?.filed ?? 0) }
  }

  delete(name: string): void {
    this.#db.prepare('DELETE FROM worker_inboxes WHERE name = ?').run(name)
  }

  keepOnly(names: readonly string[]): void {
    const known = this.#db.prepare('SELECT name FROM worker_inboxes').all()
    for (const { name } of known) if (!names.includes(String(name))) this.delete(String(name))
  }
}

/** The names of the inboxes of which there are files. */
export function namesOfLeft(journal: string): readonly string[] {
  return [...new Set(filesBeside(journal).map(([, name]) => name))]
}

function filesOf(journal: string, name: string): readonly string[] {
  return filesBeside(journal).flatMap(([file, of]) => (of === name ? [file] : []))
}

const NAME = /^([\dA-HJKMNP-TV-Z]{26})\.(\d+|lock|lock-journal)$/

function filesBeside(journal: string): readonly (readonly [file: string, name: string])[] {
  const directory = dirname(journal)
  const start = basename(placeOf(journal, ''))
  return readdirSync(directory).flatMap(file => {
    const name = file.startsWith(start) ? NAME.exec(file.slice(start.length))?.[1] : undefined
    return name === undefined ? [] : [[join(directory, file), name] as const]
  })
}
