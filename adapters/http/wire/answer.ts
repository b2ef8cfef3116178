import type { Headers } from '../../../src/model/headers.ts'

/** One HTTP answer, read completely and decoded. */
export interface HttpAnswer {
  readonly ok: true
  readonly status: number
  readonly headers: Headers
  /** Empty with `bytes` that are no JSON. */
  readonly text: string
  /** The body of a success, if the request asked for bytes. */
  readonly bytes?: Buffer
  /** The client stopped reading because it had enough. */
  readonly endedEarly?: boolean
  /** Requests sent to get this answer, including redirects. */
  readonly requests: number
}

/**
 * How far an exchange got before it broke. Up to `tls`, nothing of the request has been sent; from
 * `body` on, the status is known.
 */
export type Phase =
  | 'build'
  | 'connect'
  | 'tls'
  | 'request'
  | 'headers'
  | 'body'
  | 'parse'
  | 'unknown'

/** An exchange that ended without a readable answer. */
export interface HttpBreak {
  readonly ok: false
  readonly phase: Phase
  readonly error: unknown
  readonly status: number | null
  readonly headers: Headers
  readonly requests: number
}

export type HttpResult = HttpAnswer | HttpBreak

/** Whether the status is a 2xx. */
export function isSuccessStatus(status: number): boolean {
  return status >= 200 && status < 300
}
