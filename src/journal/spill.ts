import { appendFileSync, readFileSync, rmSync, statSync, truncateSync } from 'node:fs'
import { dirname } from 'node:path'
import { makeDirectory } from '../lib/make-directory.ts'
import { createPrivateFile } from '../lib/private-file.ts'
import type { JournalEntry } from './entries.ts'

/**
 * A file for the records that a gateway could not write before its end, one line of JSON for each. The next start
 * writes them to the journal.
 */
export class Spill {
  readonly #file: string

  constructor(file: string) {
    this.#file = file
  }

  /** Returns how many entries could not be saved. */
  save(entries: readonly JournalEntry[]): number {
    const kept = entries.filter(({ kind }) => kind === 'request' || kind === 'stats')
    if (kept.length === 0) return 0
    let size = 0
    try {
      makeDirectory(dirname(this.#file))
      createPrivateFile(this.#file)
      size = statSync(this.#file).size
      appendFileSync(this.#file, kept.map(entry => `${JSON.stringify(entry)}\n`).join(''), {
        flush: true,
      })
      return 0
    } catch {
      this.#cut(size)
      return kept.filter(({ kind }) => kind === 'request').length
    }
  }

  /**
   * Writes what an earlier gateway saved, and deletes the file after that.
   * @param write rejects if the entry cannot be written; the file then stays for the next start.
   * @param has whether the journal has a request: an earlier start may have written it and died.
   */
  async restore(
    write: (entry: JournalEntry) => Promise<void>,
    has: (requestId: string) => Promise<boolean>,
  ): Promise<void> {
    for (const entry of this.#read()) {
      const isThere = entry.kind === 'request' && (await has(entry.rows.request.request_id))
      if (!isThere) await write(entry)
    }
    rmSync(this.#file, { force: true })
  }

  #read(): readonly JournalEntry[] {
    if (!statSync(this.#file, { throwIfNoEntry: false })) return []
    const lines = readFileSync(this.#file, 'utf8').split('\n')
    return lines.filter(line => line !== '').map(line => JSON.parse(line) as JournalEntry)
  }

  /** Removes a line that was cut short. */
  #cut(size: number): void {
    try {
      truncateSync(this.#file, size)
    } catch {
      // There is no file, or it cannot be written at all.
    }
  }
}
