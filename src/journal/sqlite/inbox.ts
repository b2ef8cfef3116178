import { closeSync, fdatasyncSync, ftruncateSync, openSync, readFileSync, writeSync } from 'node:fs'
import type { DatabaseSync, StatementSync } from 'node:sqlite'
import { createPrivateFile } from '../../lib/private-file.ts'
import type { RequestRows } from '../columns.ts'
import type { Durability } from '../options.ts'
import { readLine, writeLine } from './lines.ts'

/** A recorded request that is not in the tables yet, with the key that it will have there. */
export interface Received {
  readonly key: number
  readonly rows: RequestRows
}

export interface InboxOptions {
  readonly file: string
  readonly db: DatabaseSync
  readonly durability: Durability
}

/**
 * A file beside the database with a line for each recorded request that is not in the tables yet. One
 * write stores all requests of a batch, while a transaction would write a page for each index.
 *
 * The transaction that files the inbox also increments a round number in the database. So a line of an earlier
 * round is in the tables already, even if the process died before it could truncate the file.
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
    createPrivateFile(file)
    this.#fd = openSync(file, 'a+')
    const text = readFileSync(file, 'utf8')
    this.#size = Buffer.byteLength(text)
    this.#received = text.split('\n').flatMap(line => readReceived(line, this.#round))
  }

  get received(): readonly Received[] {
    return this.#received
  }

  /** As durable as a transaction: throws if it cannot write, and then writes nothing. */
  receive(received: readonly Received[]): void {
    if (received.length === 0) return
    // Begin each line with a newline, because the line before may have been cut short.
    const lines = received.map(
      ({ key, rows }) => `\n${writeLine(rows, { round: this.#round, key })}`,
    )
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

  /** Call this in the transaction that has written everything received to the tables. */
  markFiled(): void {
    this.#setRound.run(this.#round + 1)
  }

  /** Call this after that transaction. */
  empty(): void {
    this.#round++
    this.#received = []
    try {
      ftruncateSync(this.#fd)
      this.#size = 0
    } catch {
      // Don't throw, or the caller would write everything again. The lines that stay are of an earlier round.
    }
  }

  close(): void {
    closeSync(this.#fd)
  }
}

/** Ignores a line that was cut short: it was never confirmed. Ignores one of an earlier round: it is in the tables. */
function readReceived(text: string, current: number): readonly Received[] {
  const line = readLine(text)
  const { round, key } = line?.facts ?? {}
  return line && round === current ? [{ key: key as number, rows: line.rows }] : []
}
