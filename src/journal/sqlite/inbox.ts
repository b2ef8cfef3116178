import { closeSync, fdatasyncSync, ftruncateSync, openSync, readFileSync, writeSync } from 'node:fs'
import type { DatabaseSync, StatementSync } from 'node:sqlite'
import type { RequestRows } from '../rows.ts'
import type { Durability } from './connection.ts'

/** A recorded request that is not in the tables yet. */
export interface Received {
  readonly key: number
  readonly rows: RequestRows
}

interface Line extends Received {
  /** How many times the inbox had been emptied before. */
  readonly round: number
}

export interface InboxOptions {
  readonly file: string
  readonly db: DatabaseSync
  readonly durability: Durability
}

/**
 * A file beside the database, with a line of JSON for each request that is recorded and waits for its place
 * in the tables. One write for all that is recorded at once, where a transaction writes a page for each index.
 *
 * The database counts how many times the inbox was emptied, in the transaction that files what was in it. A
 * line of an earlier round is in the tables, even if the process died before the file was cut.
 */
export class Inbox {
  readonly #fd: number
  readonly #durability: Durability
  readonly #setRound: StatementSync
  #round: number
  #size = 0
  #received: readonly Received[]

  constructor({ file, db, durability }: InboxOptions) {
    this.#durability = durability
    this.#setRound = db.prepare('UPDATE inbox SET round = ?')
    this.#round = Number(db.prepare('SELECT round FROM inbox').get()?.round)
    this.#fd = openSync(file, 'a+')
    const text = readFileSync(file, 'utf8')
    this.#size = Buffer.byteLength(text)
    this.#received = text.split('\n').flatMap(line => readLine(line, this.#round))
  }

  get received(): readonly Received[] {
    return this.#received
  }

  /** As durable as a transaction. Throws when it could not be written, and then nothing of it is there. */
  receive(received: readonly Received[]): void {
    if (received.length === 0) return
    const round = this.#round
    // Each begins its line, whatever became of the one before.
    const lines = received.map(({ key, rows }) => `\n${JSON.stringify({ round, key, rows })}`)
    const bytes = Buffer.from(lines.join(''))
    try {
      const written = writeSync(this.#fd, bytes)
      if (written < bytes.length) throw new Error('the disk is full')
      if (this.#durability === 'full') fdatasyncSync(this.#fd)
    } catch (error) {
      ftruncateSync(this.#fd, this.#size)
      throw error
    }
    this.#size += bytes.length
    this.#received = [...this.#received, ...received]
  }

  /** To be called in the transaction that has written all of it to the tables. */
  markFiled(): void {
    this.#setRound.run(this.#round + 1)
  }

  /** To be called after that transaction. */
  empty(): void {
    this.#round++
    this.#received = []
    try {
      ftruncateSync(this.#fd)
      this.#size = 0
    } catch {
      // What is left is of an earlier round. To fail now would be to write again what is written.
    }
  }

  close(): void {
    closeSync(this.#fd)
  }
}

/** A line that is cut short was never confirmed, and one of an earlier round is in the tables. */
function readLine(text: string, current: number): readonly Received[] {
  try {
    const { round, key, rows } = JSON.parse(text) as Line
    return round === current ? [{ key, rows }] : []
  } catch {
    return []
  }
}
