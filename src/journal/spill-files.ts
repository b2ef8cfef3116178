import { existsSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { ulid } from 'ulid'
import { makeDirectory } from '../lib/make-directory.ts'
import { createPrivateFile } from '../lib/private-file.ts'
import { tryToLock } from './sqlite/lock.ts'

/** The end of a spill file's name. Files of older versions lack it. */
const ENDING = /^(\.[\dA-HJKMNP-TV-Z]{26})?$/

/**
 * Lines that gateways could not write to a database before their end, for the next start. Gateways may share the place: each
 * spills to a file of its own, and only one at a time files them.
 */
export class SpillFiles {
  /** The names of the files begin with it. */
  readonly #place: string

  constructor(place: string) {
    this.#place = place
  }

  /** @returns whether they are saved */
  save(lines: readonly string[]): boolean {
    const file = `${this.#place}.${ulid()}`
    // Another gateway must not find the file before it is complete.
    const draft = `${file}.part`
    try {
      makeDirectory(dirname(file))
      createPrivateFile(draft)
      writeFileSync(draft, lines.map(line => `${line}\n`).join(''), { flush: true })
      renameSync(draft, file)
      return true
    } catch {
      remove(draft)
      return false
    }
  }

  /** Files what earlier gateways saved, and deletes each file after that. @param file rejects to keep the lines for the next start */
  async restore(file: (lines: readonly string[]) => Promise<void>): Promise<void> {
    if (this.#files().length === 0) return
    const unlock = tryToLock(this.#place, 0)
    // Another gateway holds the lock, and files them.
    if (!unlock) return
    try {
      for (const name of this.#files()) {
        await file(linesOf(name))
        rmSync(name)
      }
    } finally {
      unlock()
    }
  }

  /** Files that earlier gateways saved and no start has filed yet. */
  lines(): readonly string[] {
    return this.#files().flatMap(linesOf)
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

function linesOf(file: string): readonly string[] {
  return readFileSync(file, 'utf8').split('\n').filter(Boolean)
}

function remove(file: string): void {
  try {
    rmSync(file, { force: true })
  } catch {
    // It cannot even be looked for.
  }
}
