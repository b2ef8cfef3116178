import { closeSync, existsSync, fstatSync, openSync, readSync, rmSync } from 'node:fs'
import type { RequestRows } from '../columns.ts'
import { readFreshLine, readLine } from './lines.ts'
import { LENGTH_BYTES, partOf } from './worker-inbox.ts'

/** How far an inbox is filed. */
export interface Position {
  readonly part: number
  readonly offset: number
}

/** Whole batches, and the position after them. */
export interface Piece {
  readonly rows: readonly RequestRows[]
  readonly end: Position
}

/** Bounds how long one transaction blocks the event loop: about 250 requests. A single batch may be longer. */
const PIECE_BYTES = 256 * 1024

const NEWLINE = 10

/** Reads the inbox of a worker, also while the worker writes it. */
export class InboxReader {
  readonly #place: string
  readonly #readLine: typeof readLine
  #position: Position
  #fd: number | null = null
  #buffer = Buffer.allocUnsafeSlow(PIECE_BYTES)

  /** @param isLeft whether the worker died with a gateway, perhaps in a power failure */
  constructor(place: string, position: Position, isLeft: boolean) {
    this.#place = place
    this.#position = position
    this.#readLine = isLeft ? readLine : readFreshLine
  }

  /** The next requests; null if there are no more now. Returns the same again until they are marked as filed. */
  next(): Piece | null {
    for (;;) {
      const { part } = this.#position
      // Look first: the worker begins a file only after it has written all of the one before.
      const isComplete = existsSync(partOf(this.#place, part + 1))
      const piece = this.#read()
      if (piece) return piece
      if (!isComplete) return null
      this.#removePart()
      this.#position = { part: part + 1, offset: 0 }
    }
  }

  markFiled({ end }: Piece): void {
    this.#position = end
  }

  close(): void {
    if (this.#fd !== null) closeSync(this.#fd)
    this.#fd = null
  }

  #removePart(): void {
    this.close()
    try {
      rmSync(partOf(this.#place, this.#position.part), { force: true })
    } catch {
      // The end of the inbox deletes it.
    }
  }

  #read(): Piece | null {
    const { part, offset } = this.#position
    const file = partOf(this.#place, part)
    if (this.#fd === null && !existsSync(file)) return null
    this.#fd ??= openSync(file, 'r')
    const size = this.#fill(this.#fd, offset)
    const lines: string[] = []
    let end = 0
    for (let next = batchEnd(this.#buffer, 0, size); next <= size; ) {
      lines.push(...this.#buffer.toString('utf8', end + LENGTH_BYTES, next - 1).split('\n'))
      end = next
      next = batchEnd(this.#buffer, end, size)
    }
    if (end === 0) return null
    const rows = lines.flatMap(line => this.#readLine(line)?.rows ?? [])
    return { rows, end: { part, offset: offset + end } }
  }

  /** Reads at least one whole batch, if there is one. Returns how many bytes are in the buffer. */
  #fill(fd: number, offset: number): number {
    const size = readSync(fd, this.#buffer, 0, this.#buffer.length, offset)
    const first = batchEnd(this.#buffer, 0, size)
    if (first <= this.#buffer.length || offset + first > fstatSync(fd).size) return size
    this.#buffer = Buffer.allocUnsafeSlow(first)
    return readSync(fd, this.#buffer, 0, first, offset)
  }
}

/** The end of the batch that begins there; infinite if its length is not there, or is none. */
function batchEnd(buffer: Buffer, start: number, size: number): number {
  const begin = start + LENGTH_BYTES
  if (begin > size || buffer[begin - 1] !== NEWLINE) return Number.POSITIVE_INFINITY
  const length = Number(buffer.toString('latin1', start, begin - 1))
  return length > 0 ? begin + length : Number.POSITIVE_INFINITY
}
