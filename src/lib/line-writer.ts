import { write, writeSync } from 'node:fs'

export interface LineWriterOptions {
  /** Descriptor of the file, pipe or terminal. */
  readonly fd: number
  /** The longest that a line waits for others, in ms. */
  readonly delayMs: number
  /** Waiting lines of this many bytes are written at once. */
  readonly chunkBytes: number
  /** Bytes that wait for a reader that has stopped, or a disk that is full. Further lines are dropped. */
  readonly mostBytes: number
  /** Makes the line that says how many were dropped. */
  readonly describeLoss: (lines: number, error: NodeJS.ErrnoException | null) => string
}

/** A pause after a write that failed, such as on a full disk. */
const AGAIN_MS = 200
/** A reader that takes longer has stopped: to wait for it would keep the process from ending. */
const STALLED_MS = 1_000

/**
 * Writes lines many at once and off the event loop. No failure ends or stops the process: without a reader, lines are
 * dropped; on a full disk they wait, and some are dropped and counted. pino's own writer retries a failed write for ever
 * when the process ends (sonic-boom 4.2 and 5.0, `flushSync`).
 */
export class LineWriter {
  readonly #options: LineWriterOptions
  #waiting: Buffer[] = []
  #bytes = 0
  #writing: Buffer | null = null
  #since = 0
  #timer: NodeJS.Timeout | null = null
  #dropped = 0
  #error: NodeJS.ErrnoException | null = null
  #isClosed = false

  constructor(options: LineWriterOptions) {
    this.#options = options
  }

  write(line: string): void {
    if (this.#isClosed) return
    if (this.#bytes >= this.#options.mostBytes) {
      this.#dropped++
      return
    }
    this.#add(line)
    if (this.#writing !== null || this.#error !== null) return
    this.#schedule()
  }

  /** Writes what waits before the process ends, as far as that is possible at once. */
  flushSync(): void {
    const isStalled = this.#writing !== null && performance.now() - this.#since > STALLED_MS
    if (this.#isClosed || isStalled) return
    let rest = this.#take()
    try {
      while (rest.length > 0) rest = rest.subarray(writeSync(this.#options.fd, rest))
    } catch {
      // Nobody could be told.
    }
  }

  #add(line: string): void {
    const bytes = Buffer.from(line)
    this.#waiting.push(bytes)
    this.#bytes += bytes.length
  }

  #take(): Buffer {
    if (this.#dropped > 0) this.#add(this.#options.describeLoss(this.#dropped, this.#error))
    const all = Buffer.concat(this.#waiting)
    this.#waiting = []
    this.#bytes = 0
    this.#dropped = 0
    return all
  }

  #begin(): void {
    if (this.#timer !== null) clearTimeout(this.#timer)
    this.#timer = null
    if (this.#writing !== null || this.#bytes === 0) return
    this.#since = performance.now()
    this.#send(this.#take())
  }

  #send(bytes: Buffer): void {
    this.#writing = bytes
    write(this.#options.fd, bytes, (error, written) => {
      this.#writing = null
      if (error) this.#fail(error, bytes)
      else if (written < bytes.length) this.#send(bytes.subarray(written))
      else this.#succeed()
    })
  }

  #succeed(): void {
    this.#error = null
    if (this.#bytes > 0) this.#schedule()
  }

  #fail(error: NodeJS.ErrnoException, bytes: Buffer): void {
    if (error.code === 'EPIPE') {
      this.#isClosed = true
      this.#waiting = []
      return
    }
    this.#error = error
    this.#waiting.unshift(bytes)
    this.#bytes += bytes.length
    this.#wait(AGAIN_MS)
  }

  #schedule(): void {
    const { chunkBytes, delayMs } = this.#options
    if (this.#bytes >= chunkBytes) this.#begin()
    else this.#wait(delayMs)
  }

  /** Lines that wait keep no process from ending: `flushSync` writes them then. */
  #wait(ms: number): void {
    this.#timer ??= setTimeout(() => this.#begin(), ms).unref()
  }
}
