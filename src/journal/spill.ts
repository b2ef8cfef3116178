import { existsSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { ulid } from 'ulid'
import { makeDirectory } from '../lib/make-directory.ts'
import { createPrivateFile } from '../lib/private-file.ts'
import { withAllColumns } from './columns.ts'
import type { JournalEntry } from './entries.ts'
import { tryToLock } from './sqlite/lock.ts'

/** The end of a spill file's name. Files of older versions lack it. */
const ENDING = /^(\.[\dA-HJKMNP-TV-Z]{26})?$/

/**
 * The records that gateways could not write before their end, one line of JSON for each. The next start writes them
 * to the journal. Gateways may share the place: each spills to a file of its own, and only one at a time files them.
 */
export class Spill {
  /** The names of the files begin with it. */
  readonly #place: string

  constructor(place: string) {
    this.#place = place
  }

  /** Returns how many entries could not be saved. */
  save(entries: readonly JournalEntry[]): number {
    const kept = entries.filter(({ kind }) => kind === 'request' || kind === 'stats')
    if (kept.length === 0) return 0
    const file = `${this.#place}.${ulid()}`
    // Another gateway must not find the file before it is complete.
    const draft = `${file}.part`
    try {
      makeDirectory(dirname(file))
      createPrivateFile(draft)
      const text = kept.map(entry => `${JSON.stringify(entry)}\n`).join('')
      writeFileSync(draft, text, { flush: true })
      renameSync(draft, file)
      return 0
    } catch {
      remove(draft)
      return kept.filter(({ kind }) => kind === 'request').length
    }
  }

  /**
   * Writes what earlier gateways saved, and deletes each file after that.
   * @param write rejects if the entry cannot be written; the file then stays for the next start.
   * @param has whether the journal has a request: an earlier start may have written it and died.
   */
  async restore(
    write: (entry: JournalEntry) => Promise<void>,
    has: (requestId: string) => Promise<boolean>,
  ): Promise<void> {
    if (this.#files().length === 0) return
    const unlock = tryToLock(this.#place, 0)
    // Another gateway holds the lock, and files them.
    if (!unlock) return
    try {
      for (const file of this.#files()) {
        for (const entry of read(file)) {
          const isThere = entry.kind === 'request' && (await has(entry.rows.request.request_id))
          if (!isThere) await write(entry)
        }
        rmSync(file)
      }
    } finally {
      unlock()
    }
  }

  /** The oldest first. */
  #files(): readonly string[] {
    const directory = dirname(this.#place)
    const name = basename(this.#place)
    if (!existsSync(directory)) return []
    return readdirSync(directory)
      .filter(file => file.startsWith(name) && ENDING.test(file.slice(name.length)))
      .toSorted()
      .map(file => join(directory, file))
  }
}

function read(file: string): readonly JournalEntry[] {
  const lines = readFileSync(file, 'utf8').split('\n')
  return lines.filter(line => line !== '').map(line => withColumns(JSON.parse(line)))
}

function withColumns(entry: JournalEntry): JournalEntry {
  if (entry.kind !== 'request') return entry
  return { ...entry, rows: withAllColumns(entry.rows) }
}

function remove(file: string): void {
  try {
    rmSync(file, { force: true })
  } catch {
    // It cannot even be looked for.
  }
}
