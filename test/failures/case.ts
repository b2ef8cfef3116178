import { readFileSync } from 'node:fs'
import type { ErrorCode, WriteOutcome } from '../../src/model/errors.ts'
import type { Failure } from '../../src/model/failure.ts'

/** One real failure (or non-failure) of an upstream, and what the gateway should say about it. */
export interface FailureCase {
  readonly id: string
  readonly kind: string
  /** `transport` is any HTTP route that got no usable answer. */
  readonly route: 'cli' | 'graphql' | 'rest' | 'transport'
  readonly upstream: string
  readonly observed: Observed
  readonly expect: Expected
  readonly why?: string
}

export interface Observed {
  readonly operation: 'read' | 'write'
  /** The local time in epoch seconds, for cases that compute a wait. */
  readonly now_epoch?: number

  // rest and graphql
  readonly method?: string
  readonly status?: number
  readonly headers?: Readonly<Record<string, string | readonly string[]>>
  readonly body?: unknown
  readonly body_text?: string
  readonly body_base64?: string
  readonly request_origin?: string
  readonly redirected?: boolean
  readonly request_method?: string

  // transport
  readonly phase?: string
  readonly error?: unknown
  /** The side that aborted the exchange. The error of an abort does not always say. */
  readonly aborted_by?: 'gateway_deadline' | 'caller'

  // cli
  readonly argv?: readonly string[]
  readonly exit_code?: number | null
  readonly signal?: string | null
  readonly stdout?: string
  readonly stdout_base64?: string
  readonly stdout_bytes?: number
  readonly stderr?: string
  readonly spawn_error?: unknown
  readonly stdin_error?: unknown
  readonly killed_by?: string
}

/** `accept_…` lists other right answers for an ambiguous case. */
export interface Expected {
  readonly ok: boolean
  readonly accept_ok?: boolean
  readonly code: ErrorCode | null
  readonly accept_codes?: readonly ErrorCode[]
  readonly base_code?: string
  readonly retryable: boolean
  readonly accept_retryable?: readonly boolean[]
  readonly fallback: boolean
  readonly accept_fallback?: readonly boolean[]
  readonly write_outcome: WriteOutcome
  readonly accept_write_outcome?: readonly WriteOutcome[]
  readonly retry_after_s?: number
  readonly retry_after_tolerance_s?: number
  readonly retry_after_source?: Failure['retryAfterSource']
  readonly accept_retry_after?: 'any'
  readonly partial?: boolean
  /** A text that must not appear in a message or log. */
  readonly redact?: string
}

/** For tests that compare the outcome themselves, in short form. */
export const COMPARED_BY_TEST: Expected = {
  ok: false,
  code: null,
  retryable: false,
  fallback: false,
  write_outcome: 'unknown',
}

/** The gateway's outcome, in the terms of a case. */
export interface ActualOutcome {
  /** How the case was replayed, e.g. `socket`; a case can be replayed in several ways. */
  readonly how: string
  readonly ok: boolean
  readonly code: ErrorCode | null
  readonly baseCode: string | null
  readonly retryable: boolean
  readonly fallback: boolean
  readonly writeOutcome: WriteOutcome
  readonly retryAfterS: number | null
  readonly retryAfterSource: Failure['retryAfterSource']
  readonly partial: boolean
  /** Everything of the outcome that a caller or a log could show. */
  readonly shown: string
}

/** Replays a case of one route through the real adapter. Every outcome must be right. */
export type CaseRunner = (failureCase: FailureCase) => Promise<readonly ActualOutcome[]>

export const CORPORA = ['failures.json', 'failures-2.json'].map(
  name => new URL(`../cases/${name}`, import.meta.url),
)

export function readCases(file: URL | string): readonly FailureCase[] {
  return JSON.parse(readFileSync(file, 'utf8')) as FailureCase[]
}
