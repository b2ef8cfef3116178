import type { Dispatcher } from 'undici'
import type { Signal } from '../../../src/lib/signal.ts'
import type { Headers } from '../../../src/model/headers.ts'
import type { HttpBreak, Phase } from './answer.ts'

type IncomingHeaders = Readonly<Record<string, string | string[] | undefined>>

/** An answer whose body is not decoded yet. */
export interface RawAnswer {
  readonly ok: true
  readonly status: number
  readonly headers: Headers
  readonly body: Buffer
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

const EMPTY = Buffer.alloc(0)

/**
 * Reads one answer into memory and records how far the exchange got. undici calls `onRequestStart` just
 * before it writes the first byte, so a request that fails earlier was certainly not sent. A plain
 * dispatch handler costs less than undici's `request`, which makes a stream.
 */
export class AnswerCollector implements Dispatcher.DispatchHandler {
  readonly #settle: (result: RawResult) => void
  readonly #signal: Signal
  readonly #limit: number
  #controller: Dispatcher.DispatchController | null = null
  #phase: Phase = 'connect'
  #status: number | null = null
  #headers: Headers = {}
  #chunks: Buffer[] = []
  #size = 0
  #settled = false

  constructor(settle: (result: RawResult) => void, signal: Signal, limit: number) {
    this.#settle = settle
    this.#signal = signal
    this.#limit = limit
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
    if (Number(headers['content-length']) > this.#limit) this.#abortTooLarge(controller)
  }

  onResponseData(controller: Dispatcher.DispatchController, chunk: Buffer): void {
    this.#size += chunk.length
    if (this.#size > this.#limit) this.#abortTooLarge(controller)
    else this.#chunks.push(chunk)
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
    const error = abortError(this.#signal)
    this.#break(error)
    this.#controller?.abort(error)
  }

  #abortTooLarge(controller: Dispatcher.DispatchController): void {
    const error = new AnswerTooLargeError(this.#limit)
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
    this.#signal.removeEventListener('abort', this.#onAbort)
    this.#settle(result)
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
