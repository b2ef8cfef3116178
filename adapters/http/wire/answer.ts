import type { WriteOutcome } from '../../../src/model/errors.ts'

export type Headers = Readonly<Record<string, string>>

/** One HTTP answer, read to its end and decoded. */
export interface HttpAnswer {
  readonly ok: true
  readonly status: number
  /** Lower-case names; repeated ones joined by a comma. */
  readonly headers: Headers
  readonly text: string
  /** Requests sent until this answer: redirects count. */
  readonly requests: number
}

/**
 * How far an exchange had come when it broke. Up to `tls` nothing of the request has left; from `body`
 * on the status is known.
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

/** An exchange that gave no readable answer. */
export interface HttpBreak {
  readonly ok: false
  readonly phase: Phase
  readonly error: unknown
  readonly status: number | null
  readonly headers: Headers
  readonly requests: number
}

export type HttpResult = HttpAnswer | HttpBreak

/** What a status alone says about a write, once it has arrived: a 2xx is the upstream's word that it was done. */
export function outcomeOfStatus(status: number | null): WriteOutcome {
  if (status === null || status >= 500) return 'unknown'
  if (status >= 400) return 'not_applied'
  return status >= 200 && status < 300 ? 'applied' : 'unknown'
}
