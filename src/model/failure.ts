import { type Static, Type } from '@sinclair/typebox'
import { CODES, ERROR_SOURCES, type ErrorCode } from './errors.ts'
import { OneOf } from './one-of.ts'
import type { ReadCall } from './read-call.ts'
import type { RefusalReason } from './refusal-reason.ts'
import { ErrorCodeName, nullable, WriteOutcomeName } from './schema-parts.ts'

/**
 * Names the routes that would fail for the same reason: those that draw on the same `pool`, talk to the same
 * `host`, or present the same `credential`.
 */
export const SHARED_FATES = ['pool', 'host', 'credential'] as const
export type SharedFate = (typeof SHARED_FATES)[number]

/** The facts of a failure that decisions depend on. */
export const FailureCore = Type.Object({
  code: ErrorCodeName,
  retryable: Type.Boolean({ description: 'Whether the attempt could succeed later.' }),
  fallback: Type.Boolean({ description: 'Whether another route could do better.' }),
  writeOutcome: WriteOutcomeName,
  retryAfterMs: nullable(
    Type.Number({
      description: 'To wait before a retry; null when the upstream gave no reason to.',
    }),
  ),
  retryAfterSource: nullable(OneOf(['header', 'reset', 'body', 'default'])),
  partial: Type.Boolean({ description: 'Part of the data arrived, or part of the work was done.' }),
  sharedFate: nullable(OneOf(SHARED_FATES, 'Which routes would fail for the same reason.')),
  source: Type.Optional(
    OneOf(ERROR_SOURCES, 'Who caused it; without it, the upstream, or the gateway for some codes.'),
  ),
})
export type FailureCore = Readonly<Static<typeof FailureCore>>

/**
 * A failed attempt, classified. Three questions have separate answers: could it succeed later (`retryable`), could
 * another route do better (`fallback`), may this write be sent again (`writeOutcome`).
 */
export interface Failure extends FailureCore {
  /** For the caller: one or two sentences, without secrets. */
  readonly message: string
  /** Structured facts for `error.details`, e.g. `fields` or the upstream's own code. No secrets. */
  readonly details: Record<string, unknown>
  /** The members of the input that it is about, if a rule of the upstream, or a lookup, names them. */
  readonly members?: readonly string[]
  /** The members of the input that it is about if nothing in the answer says otherwise. */
  readonly suspects?: readonly string[]
  /** The id of a hint that helps more than the code's own. */
  readonly hint?: string
  /** The read that shows how the work went on that this call began, if the answer named it. */
  readonly continueWith?: ReadCall
}

/** A failure with the usual answers of its code; `known` overrides them. */
export function createFailure(
  code: ErrorCode,
  message: string,
  known: Partial<Omit<Failure, 'code' | 'message'>> = {},
): Failure {
  const { retryable, fallback, writeOutcome } = CODES[code]
  return {
    code,
    message,
    retryable,
    fallback,
    writeOutcome,
    retryAfterMs: null,
    retryAfterSource: null,
    partial: false,
    sharedFate: null,
    details: {},
    ...known,
  }
}

/** The failure of a read whose answer the gateway has no room for. It says nothing about the upstream. */
export function fullFailure(): Failure {
  return createFailure(
    'TOO_LARGE',
    'The gateway already holds as many bytes of answers as max_held_bytes allows. Ask for less, or one at a time.',
    { fallback: false, writeOutcome: 'unknown', source: 'gateway' },
  )
}

const OVERLOAD_WAIT_MS = 1_000

/** The failure of a call that the gateway did not make because too many are waiting. It says nothing about the upstream. */
export function overloadFailure(message: string): Failure {
  return createFailure('SERVER', message, {
    writeOutcome: 'not_applied',
    retryAfterMs: OVERLOAD_WAIT_MS,
    retryAfterSource: 'default',
    source: 'gateway',
    details: { refused: 'places' satisfies RefusalReason },
  })
}
