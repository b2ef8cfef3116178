import { closeSync, fdatasyncSync, ftruncateSync, openSync, readFileSync, writeSync } from 'node:fs'
import type { DatabaseSync, StatementSync } from 'node:sqlite'
import {
  type AttemptColumns,
  type DetailColumns,
  JSON_COLUMNS,
  type RequestColumns,
  type RequestRows,
} from '../columns.ts'
import type { Durability } from './connection.ts'

/** A recorded request that is not in the tables yet. */
export interface Received {
  readonly key: number
  readonly rows: RequestRows
}

/** The JSON that the details hold is part of the line: as text it would be escaped, which takes longer. */
interface Line {
  /** How many times the inbox had been emptied before. */
  readonly round: number
  readonly key: number
  readonly request: RequestColumns
  readonly attempts: readonly AttemptColumns[]
  readonly upstream: string | null
  readonly effect: string | null
  readonly json: Readonly<Record<string, unknown>>
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
    // Each begins its line, whatever became of the one before.
    const lines = received.map(one => `\n${writeLine(one, this.#round)}`)
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

function writeLine({ key, rows: { request, details, attempts } }: Received, round: number): string {
  const { upstream, effect } = details
  const line = { round, key, request, attempts, upstream, effect } satisfies Omit<Line, 'json'>
  let json = ''
  for (const name of JSON_COLUMNS) {
    const text = details[name]
    if (text !== null) json += `${json === '' ? '' : ','}"${name}":${text}`
  }
  return `${JSON.stringify(line).slice(0, -1)},"json":{${json}}}`
}

/** A line that is cut short was never confirmed, and one of an earlier round is in the tables. */
function readLine(text: string, current: number): readonly Received[] {
  const line = parseLine(text)
  if (line?.round !== current) return []
  if ('rows' in line) return [line]
  const { key, request, attempts, upstream, effect, json } = line
  const texts = JSON_COLUMNS.map(name => [name, name in json ? JSON.stringify(json[name]) : null])
  const details = { upstream, effect, ...Object.fromEntries(texts) } as DetailColumns
  return [{ key, rows: { request, details, attempts } }]
}

/** The older form is that of a gateway that died before it was upgraded. */
function parseLine(text: string): Line | (Received & Pick<Line, 'round'>) | null {
  try {
    return JSON.parse(text)
  } catch {
    return null
  }
}
