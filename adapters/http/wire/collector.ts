import type { Dispatcher } from 'undici'
import type { Hold } from '../../../src/lib/byte-budget.ts'
import type { Eventual } from '../../../src/lib/eventual.ts'
import type { Signal } from '../../../src/lib/signal.ts'
import type { Headers } from '../../../src/model/headers.ts'
import { type HttpBreak, isSuccessStatus, type Phase } from './answer.ts'

type IncomingHeaders = Readonly<Record<string, string | string[] | undefined>>

/** An answer whose body is not decoded yet. */
export interface RawAnswer {
  readonly ok: true
  readonly status: number
  readonly headers: Headers
  readonly body: Buffer
  /** Reading stopped because there was enough. */
  readonly endedEarly?: boolean
}

/** When to stop reading a body that may not end by itself. */
export interface Collecting {
  /** Milliseconds after which there is enough, counted from the status; null for no such limit. */
  readonly waitMs: number | null
  /** Makes a function that says, after each chunk of one body, whether there is enough. */
  readonly begin: () => (chunk: Buffer) => boolean
}

export interface CollectorOptions {
  readonly limit: number
  readonly held?: Hold | undefined
  readonly collecting?: Collecting | undefined
}

export type RawResult = RawAnswer | Omit<HttpBreak, 'requests'>

/** The answer is larger than the upstream's `max_response_bytes`. */
export class AnswerTooLargeError extends Error {
  override readonly name = 'AnswerTooLargeError'
  readonly code = 'ANSWER_TOO_LARGE'
  constructor(limit: number) {
    super(`the answer is larger than ${limit} bytes`)
  }
}

/** The gateway holds as many bytes of answers as its `max_held_bytes` allows. */
export class GatewayFullError extends Error {
  override readonly name = 'GatewayFullError'
  constructor() {
    super('the gateway holds as many bytes of answers as it may')
  }
}

const EMPTY = Buffer.alloc(0)

/**
 * Reads one answer into memory and records how far the exchange got. undici calls `onRequestStart` just
 * before it writes the first byte, so a request that fails earlier was certainly not sent. A plain
 * dispatch handler costs less than undici's `request`, which makes a stream.
 */
export class AnswerCollector implements Dispatcher.DispatchHandler {
  readonly #result: Eventual<RawResult>
  readonly #signal: Signal
  readonly #limit: number
  readonly #held: Hold | null
  #controller: Dispatcher.DispatchController | null = null
  #phase: Phase = 'connect'
  #status: number | null = null
  #headers: Headers = {}
  #chunks: Buffer[] = []
  #size = 0
  /** The bytes of this answer that count against the budget. */
  #counted = 0
  #waiting = false
  #settled = false
  readonly #collecting: Collecting | null
  #isEnough: ((chunk: Buffer) => boolean) | null = null
  #timer: NodeJS.Timeout | undefined

  constructor(
    result: Eventual<RawResult>,
    signal: Signal,
    { limit, held, collecting }: CollectorOptions,
  ) {
    this.#result = result
    this.#signal = signal
    this.#limit = limit
    this.#held = held ?? null
    this.#collecting = collecting ?? null
    signal.addEventListener('abort', this.#onAbort)
  }

  onRequestStart(controller: Dispatcher.DispatchController): void {
    // Aborted while waiting for a connection: make undici drop the request unsent.
    if (this.#settled) return controller.abort(new Error('aborted'))
    this.#controller = controller
    this.#phase = 'headers'
  }

  onResponseStart(
    controller: Dispatcher.DispatchController,
    status: number,
    headers: IncomingHeaders,
  ): void {
    if (status < 200) return
    this.#phase = 'body'
    this.#status = status
    this.#headers = singleValued(headers)
    const length = Number(headers['content-length'])
    if (length > this.#limit) this.#abort(controller, new AnswerTooLargeError(this.#limit))
    else if (length > 0) this.#reserve(controller, length)
    // Nobody can tell how far an encoded body is.
    const isPlain = headers['content-encoding'] === undefined
    if (this.#collecting && isPlain && isSuccessStatus(status)) this.#collect(this.#collecting)
  }

  #collect({ begin, waitMs }: Collecting): void {
    this.#isEnough = begin()
    if (waitMs !== null) this.#timer = setTimeout(() => this.#endEarly(), waitMs)
  }

  #endEarly(): void {
    if (this.#settled) return
    const body = Buffer.concat(this.#chunks, this.#size)
    this.#finish({
      ok: true,
      status: this.#status ?? 0,
      headers: this.#headers,
      body,
      endedEarly: true,
    })
    this.#controller?.abort(new Error('enough'))
  }

  /**
   * Counts the whole body before its first byte. If there is no room, pauses: nothing of this answer is held yet, so
   * two halves never wait for each other.
   */
  #reserve(controller: Dispatcher.DispatchController, length: number): void {
    const held = this.#held
    if (!held || this.#take(length)) return
    if (!held.mayWaitFor(length)) return this.#abort(controller, new GatewayFullError())
    controller.pause()
    this.#waiting = true
    const look = () => {
      if (this.#settled) return
      if (!this.#take(length)) return held.onRelease(look)
      this.#waiting = false
      controller.resume()
    }
    held.onRelease(look)
  }

  #take(bytes: number): boolean {
    if (this.#held?.take(bytes) === false) return false
    this.#counted += bytes
    return true
  }

  onResponseData(controller: Dispatcher.DispatchController, chunk: Buffer): void {
    this.#size += chunk.length
    if (this.#size > this.#limit) {
      this.#abort(controller, new AnswerTooLargeError(this.#limit))
    } else if (this.#size > this.#counted && !this.#take(this.#size - this.#counted)) {
      this.#abort(controller, new GatewayFullError())
    } else {
      // Most answers are one chunk, for which a pushed array would be large.
      if (this.#chunks.length === 0) this.#chunks = [chunk]
      else this.#chunks.push(chunk)
      if (this.#isEnough?.(chunk)) this.#endEarly()
    }
  }

  onResponseEnd(): void {
    const [first = EMPTY] = this.#chunks
    const body = this.#chunks.length > 1 ? Buffer.concat(this.#chunks, this.#size) : first
    // The status is never null here: undici reports the headers before the end.
    this.#finish({ ok: true, status: this.#status ?? 0, headers: this.#headers, body })
  }

  onResponseError(_: Dispatcher.DispatchController | null, error: Error): void {
    // undici rejected the request itself, before it started sending.
    const unbuilt =
      this.#phase === 'connect' && 'code' in error && error.code === 'UND_ERR_INVALID_ARG'
    if (unbuilt) this.#phase = 'build'
    this.#break(error)
  }

  readonly #onAbort = (): void => {
    const error = this.#waiting ? new GatewayFullError() : abortError(this.#signal)
    this.#break(error)
    this.#controller?.abort(error)
  }

  #abort(controller: Dispatcher.DispatchController, error: Error): void {
    this.#break(error)
    controller.abort(error)
  }

  #break(error: unknown): void {
    const headers = this.#headers
    this.#finish({ ok: false, phase: this.#phase, error, status: this.#status, headers })
  }

  /** Keeps the first result: after an abort, undici reports the same error once more. */
  #finish(result: RawResult): void {
    if (this.#settled) return
    this.#settled = true
    this.#chunks = []
    clearTimeout(this.#timer)
    if (!result.ok && this.#counted > 0) this.#held?.take(-this.#counted)
    this.#signal.removeEventListener('abort', this.#onAbort)
    // A caller that breaks the exchange off comes to its end first, before anything follows from that.
    if (!result.ok || result.endedEarly) queueMicrotask(() => this.#result.settle(result))
    else this.#result.settle(result)
  }
}

/** The error for an aborted request: a timeout if the signal says so, else the caller went away. */
export function abortError({ reason }: Signal): Error {
  const timedOut = reason instanceof Error && reason.name === 'TimeoutError'
  return timedOut ? reason : new DOMException('The caller went away.', 'AbortError')
}

function singleValued(headers: IncomingHeaders): Headers {
  for (const name in headers) {
    if (typeof headers[name] !== 'string') return joined(headers)
  }
  return headers as Headers
}

function joined(headers: IncomingHeaders): Headers {
  return Object.fromEntries(
    Object.entries(headers).map(([name, value]) => [
      name,
      Array.isArray(value) ? value.join(', ') : (value ?? ''),
    ]),
  )
}
