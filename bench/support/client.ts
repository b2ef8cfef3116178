import { connect, type Socket } from 'node:net'

/** A bad answer, or none. Ends the bench. */
export class BadAnswerError extends Error {
  override readonly name = 'BadAnswerError'
}

/**
 * One keep-alive connection, with one request in flight at a time. Parses only as much HTTP/1.1 as it needs
 * to find the end of an answer with a Content-Length, so that the load generator is not the bottleneck.
 */
export class Client {
  readonly port: number
  readonly #socket: Socket
  #received: Buffer | null = null
  #settle: PromiseWithResolvers<Buffer> | null = null
  closed = false

  constructor(port: number) {
    this.port = port
    this.#socket = connect({ host: '127.0.0.1', port, noDelay: true })
    this.#socket.on('data', chunk => this.#read(chunk))
    this.#socket.on('error', error => {
      this.closed = true
      this.#settle?.reject(error)
    })
    this.#socket.on('end', () => {
      this.closed = true
    })
    this.#socket.on('close', () => {
      this.closed = true
      this.#settle?.reject(new BadAnswerError('the server closed the connection'))
    })
  }

  /** Resolves with the whole answer; rejects unless its status is 200. */
  send(request: Buffer): Promise<Buffer> {
    this.#settle = Promise.withResolvers()
    this.#socket.write(request)
    return this.#settle.promise
  }

  close(): void {
    this.#socket.destroy()
  }

  #read(chunk: Buffer): void {
    const received = this.#received === null ? chunk : Buffer.concat([this.#received, chunk])
    const length = answerLength(received)
    if (length === null || received.length < length) {
      this.#received = received
      return
    }
    this.#received = null
    const settle = this.#settle
    this.#settle = null
    if (isOk(received)) settle?.resolve(received)
    else settle?.reject(new BadAnswerError(received.toString().slice(0, 2000)))
  }
}

const HEAD_END = '\r\n\r\n'

/** The length of head and body together; null while the head is incomplete. */
function answerLength(received: Buffer): number | null {
  const end = received.indexOf(HEAD_END)
  if (end === -1) return null
  const head = received.toString('latin1', 0, end)
  const length = /\r\ncontent-length: *(\d+)/i.exec(head)?.[1]
  if (length === undefined) throw new BadAnswerError(`no Content-Length:\n${head}`)
  return end + HEAD_END.length + Number(length)
}

/** The status follows "HTTP/1.1 ". */
function isOk(received: Buffer): boolean {
  return received.toString('latin1', 9, 12) === '200'
}
