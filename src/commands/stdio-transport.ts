import { isUtf8 } from 'node:buffer'
import {
  type JSONRPCMessage,
  ProtocolErrorCode,
  parseJSONRPCMessage,
  type RequestId,
  STDIO_DEFAULT_MAX_BUFFER_SIZE,
} from '@modelcontextprotocol/server'
import { StdioServerTransport } from '@modelcontextprotocol/server/stdio'
import { isRawNumber, parseJson, type RawNumber } from '../lib/exact-json.ts'
import { isTooDeep, MAX_NESTING } from '../lib/nesting.ts'

/**
 * MCP over stdin and stdout. Unlike the library's transport, it keeps every digit of the numbers in a message, answers
 * requests that are no messages, has a promise for its end, and knows when an answer has been sent.
 */
export class StdioTransport extends StdioServerTransport {
  readonly #correct: (message: unknown) => unknown
  readonly #closed = Promise.withResolvers<void>()
  /** The end of the connection, whichever side ends it. */
  readonly closed = this.#closed.promise
  readonly #lines = new LineReader()
  /** To call when the answer to a message has been sent. */
  readonly #releases = new Map<RequestId, () => void>()

  /** @param correct puts right what the library would refuse */
  constructor(correct: (message: unknown) => unknown) {
    super()
    this.#correct = correct
  }

  onSent({ id, signal }: Message, release: () => void): void {
    // The protocol answers no cancelled message.
    if (signal.aborted) return release()
    this.#release(id)
    this.#releases.set(id, release)
    signal.addEventListener('abort', () => this.#release(id))
  }

  override _ondata = (chunk: Buffer): void => {
    for (const line of this.#lines.read(chunk)) this.#receive(line)
    if (this.#lines.waiting <= STDIO_DEFAULT_MAX_BUFFER_SIZE) return
    this.onerror?.(new Error(`a message has more than ${STDIO_DEFAULT_MAX_BUFFER_SIZE} bytes`))
    void this.close()
  }

  #receive(line: Buffer): void {
    const text = line.toString()
    if (text.trim() === '') return
    let value: unknown
    try {
      value = parseLine(text)
    } catch (error) {
      this.onerror?.(error as Error)
      return this.#answer(null, ProtocolErrorCode.ParseError, 'The message is not JSON.')
    }
    // Versions before 2025-06-18 allow several messages in one list. Each gets an answer of its own.
    if (!Array.isArray(value)) return this.#take(value, line)
    if (value.length === 0) return this.#answer(null, ProtocolErrorCode.InvalidRequest, INVALID)
    for (const one of value) this.#take(one, line)
  }

  #take(value: unknown, line: Buffer): void {
    try {
      // A garbled character must not reach a service. Its message still shows whom to answer.
      if (!isUtf8(line)) throw new TypeError('the message is not UTF-8')
      this.onmessage?.(parseJSONRPCMessage(this.#correct(value)))
    } catch (error) {
      this.onerror?.(error as Error)
      this.#refuse(value)
    }
  }

  /** Answers a request that the protocol does not allow. Otherwise its sender would wait for ever. */
  #refuse(value: unknown): void {
    const id = idOf(value)
    if (id !== null) this.#answer(id, ProtocolErrorCode.InvalidRequest, INVALID)
  }

  /** @param id null: nobody can tell which message it answers */
  #answer(id: RequestId | RawNumber | null, code: ProtocolErrorCode, message: string): void {
    const answer = { jsonrpc: '2.0', id: id as RequestId, error: { code, message } } as const
    this.send(answer).catch(error => this.onerror?.(error))
  }

  override async send(message: JSONRPCMessage): Promise<void> {
    try {
      await super.send(message)
    } finally {
      const isAnswer = 'result' in message || 'error' in message
      if (isAnswer && message.id !== undefined) this.#release(message.id)
    }
  }

  #release(id: RequestId): void {
    this.#releases.get(id)?.()
    this.#releases.delete(id)
  }

  override async close(): Promise<void> {
    await super.close()
    this.#closed.resolve()
  }
}

const INVALID = 'The message is not a valid JSON-RPC message in UTF-8.'

/** A message that a server works on. */
interface Message {
  readonly id: RequestId
  /** Aborts when the client cancels the message. */
  readonly signal: AbortSignal
}

/** Splits a stream into its lines, without joining the chunks of a long line again and again. */
class LineReader {
  #chunks: Buffer[] = []
  /** The bytes of the line that has not ended yet. */
  waiting = 0

  read(chunk: Buffer): Buffer[] {
    const lines: Buffer[] = []
    let start = 0
    for (let end = chunk.indexOf('\n'); end !== -1; end = chunk.indexOf('\n', start)) {
      lines.push(Buffer.concat([...this.#chunks, chunk.subarray(start, end)]))
      this.#chunks = []
      this.waiting = 0
      start = end + 1
    }
    if (start < chunk.length) this.#chunks.push(chunk.subarray(start))
    this.waiting += chunk.length - start
    return lines
  }
}

/** An input lies a few levels deep in its message. */
const LEVELS = MAX_NESTING + 10

/** Deeper messages are refused anyway, and keeping their digits would overflow the stack. */
function parseLine(line: string): unknown {
  return isTooDeep(line, LEVELS) ? JSON.parse(line) : parseJson(line)
}

/** The id of what looks like a request. */
function idOf(value: unknown): RequestId | RawNumber | null {
  if (value === null || typeof value !== 'object' || !('method' in value && 'id' in value))
    return null
  const { id } = value
  return typeof id === 'string' || typeof id === 'number' || isRawNumber(id) ? id : null
}
