import { type Static, Type } from '@sinclair/typebox'
import type { DeepReadonly } from '../lib/deep-readonly.ts'
import type { Headers } from './headers.ts'
import { OneOf } from './one-of.ts'
import { AnyObject, open } from './schema-parts.ts'

/** The closed set of warnings. A warning always comes with good data. */
export const WARNINGS = {
  FALLBACK_USED: 'Another route than the preferred one answered, because that one failed.',
  PARTIAL_RESULTS: 'The upstream left something out; the message says what.',
  STEP_NOT_DONE:
    'The change was made, but something that was to follow it was not; the message says what.',
  NOT_CONFIRMED:
    'The change was made, but the answer does not show all of it; the message says what is missing.',
  STALE_ANSWER:
    'The answer is out of date: it comes from memory because every route failed, or from a cache before the upstream.',
  TRUNCATED: 'Left out or shortened to hold token_budget; details say how to get it.',
  BUDGET_CLAMPED: 'token_budget was outside the limits, and the nearest limit was used.',
  DEPRECATED: 'The capability will go; the message says what to use instead.',
  STATE_DEGRADED:
    'What the gateways share cannot be reached at present; this one goes by what it knows itself.',
  TEXT_HIDDEN:
    'Texts by authors without write access were left out; details say how many, and where.',
  INVISIBLE_TEXT:
    'Invisible characters were removed from texts, or are in texts that stay as they are.',
  HTML_COMMENT: 'Texts have HTML comments, which the pages of the service do not show.',
  JOURNAL_DEGRADED: 'The journal cannot be written at present; this call may be missing from it.',
} as const satisfies Record<string, string>

export type WarningCode = keyof typeof WARNINGS
export const WARNING_CODES = Object.keys(WARNINGS) as WarningCode[]

const FOR_OPERATORS: readonly WarningCode[] = [
  'FALLBACK_USED',
  'STATE_DEGRADED',
  'JOURNAL_DEGRADED',
]

/** False for warnings that change nothing for the caller. The journal keeps them. */
export function concernsCaller(code: WarningCode): boolean {
  return !FOR_OPERATORS.includes(code)
}

/** A note to the caller beside good data. */
export const Warning = Type.Object(
  {
    code: OneOf(WARNING_CODES, 'The subject of the warning; closed set.'),
    message: Type.String(),
    path: Type.Optional(Type.String()),
    details: Type.Optional(AnyObject),
  },
  open,
)
export type Warning = DeepReadonly<Static<typeof Warning>>

export function createWarning(
  code: WarningCode,
  message: string,
  more: Pick<Warning, 'path' | 'details'> = {},
): Warning {
  return { code, message, ...more }
}

/**
 * Detects an answer from a cache that could not revalidate it, by warn-code 110 or 111 (RFC 7234, section 5.5).
 * RFC 9111 retires the header, but caches still send it.
 */
export function staleWarning(headers: Headers): Warning | null {
  if (!/^11[01]\b/.test(headers.warning ?? '')) return null
  const age = headers.age === undefined ? '' : `, ${headers.age} seconds old`
  return createWarning('STALE_ANSWER', `A cache answered in place of the upstream${age}.`)
}
