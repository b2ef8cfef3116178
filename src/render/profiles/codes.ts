import type { Card } from '../../model/card.ts'
import type { EnvelopeError } from '../../model/envelope.ts'
import type { ErrorCode } from '../../model/errors.ts'

/** The dialects whose documents have error codes of their own. ghx folds the codes into eight. */
export type CodedDialect = 'codegraph' | 'dotbot' | 'budgeted'

type Name = string | ((error: EnvelopeError, card: Card | null) => string)

/**
 * The codes of the dialects' documents for ours. A code without a counterpart in a document keeps its own name there;
 * docs/profiles.md publishes this table.
 */
export const DIALECT_CODES: Readonly<
  Record<CodedDialect, Readonly<Partial<Record<ErrorCode, Name>>>>
> = {
  codegraph: {
    VALIDATION: error => (lacksOnly(error) ? 'MISSING_PARAMS' : 'INVALID_INPUT'),
    NOT_FOUND: ({ source }, card) =>
      source === 'caller' && !card ? 'UNKNOWN_ACTION' : 'NOT_FOUND',
    ADAPTER_UNSUPPORTED: 'NOT_AVAILABLE',
    UNKNOWN: 'INTERNAL_ERROR',
  },
  dotbot: {
    VALIDATION: error => (problemsOf(error).length > 0 ? 'INVALID_PARAMETER' : 'INVALID_ARGUMENTS'),
    NOT_FOUND: (_error, card) => `${nounOf(card)}_NOT_FOUND`,
    AUTH: 'UNAUTHORIZED_OPERATION',
    FORBIDDEN: 'UNAUTHORIZED_OPERATION',
    NETWORK: 'IO_ERROR',
  },
  budgeted: {
    VALIDATION: 'BAD_ARGS',
    NOT_FOUND: (_error, card) => `${nounOf(card)}_NOT_FOUND`,
    ADAPTER_UNSUPPORTED: (_error, card) => `${upstreamOf(card)}_UNAVAILABLE`,
    NETWORK: (_error, card) => `${upstreamOf(card)}_UNAVAILABLE`,
    SERVER: ({ source }, card) =>
      source === 'gateway' ? 'GATEWAY_UNAVAILABLE' : `${upstreamOf(card)}_FAILED`,
    TIMEOUT: (_error, card) => `${upstreamOf(card)}_TIMEOUT`,
    UNKNOWN: 'INTERNAL',
  },
}

/** The code of an error in a dialect's own vocabulary. */
export function codeIn(dialect: CodedDialect, error: EnvelopeError, card: Card | null): string {
  const name = DIALECT_CODES[dialect][error.code] ?? error.code
  return typeof name === 'string' ? name : name(error, card)
}

interface Problem {
  readonly path: string
  readonly message: string
}

/**
 * The faulty members of a call, each with what is wrong. Where the failure names none, those that the advice names; for
 * a body that cannot be read, the body.
 */
export function problemsOf({ code, message, details, next }: EnvelopeError): readonly Problem[] {
  if (code !== 'VALIDATION') return []
  const named = details.fields as readonly Problem[] | undefined
  if (named !== undefined && named.length > 0) return named
  return next.fields?.map(path => ({ path, message })) ?? []
}

/** Whether the call is faulty only in that it lacks members. */
function lacksOnly(error: EnvelopeError): boolean {
  const problems = problemsOf(error)
  return problems.length > 0 && problems.every(({ message }) => message === 'is required')
}

/** `ISSUE` for issue.comments.list: the thing that the caller names first. */
function nounOf(card: Card | null): string {
  return card === null ? 'CAPABILITY' : upper(card.id.split('.')[0] ?? '')
}

function upstreamOf(card: Card | null): string {
  return card === null ? 'GATEWAY' : upper(card.upstream.id)
}

function upper(name: string): string {
  return name.toUpperCase().replace(/[^A-Z0-9]+/g, '_')
}
