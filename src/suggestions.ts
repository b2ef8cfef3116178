import { canonicalJson } from './canonical.ts'
import type { Suggestion } from './cards/card.ts'
import { ExpressionError, isTruthy } from './cards/expression.ts'
import type { Catalog } from './catalog.ts'
import type { SuggestedCall } from './envelope.ts'
import { GatewayError } from './errors.ts'
import type { Subject } from './subject.ts'

/**
 * The calls that a card suggests after this result. Only such as can be made as they stand, and never
 * the call just made again: a suggestion makes progress.
 */
export function suggestCalls(
  catalog: Pick<Catalog, 'get'>,
  { card, input }: Subject,
  data: unknown,
): readonly SuggestedCall[] {
  if (!card || !input || card.next.length === 0) return []
  const seen = new Set([callKey(card.id, input)])
  return card.next.flatMap(suggestion => {
    const call = prepare(catalog, suggestion, { input, data })
    if (!call) return []
    const key = callKey(call.capability, call.input)
    if (seen.has(key)) return []
    seen.add(key)
    return [call]
  })
}

/** Null when it does not apply here, or could not be called. */
function prepare(
  catalog: Pick<Catalog, 'get'>,
  { capability, input, when, reason }: Suggestion,
  scope: Readonly<Record<string, unknown>>,
): SuggestedCall | null {
  const target = catalog.get(capability)
  if (!target) return null
  try {
    if (when && !isTruthy(when(scope))) return null
    const parsed = target.parseInput(withoutNulls(input(scope)))
    return { capability, input: parsed, ...(reason === null ? {} : { reason }) }
  } catch (error) {
    // An input that the target refuses, or data that the expression did not foresee: nothing to suggest.
    if (error instanceof GatewayError || error instanceof ExpressionError) return null
    throw error
  }
}

/** An optional member that the caller did not give is null in an expression, and absent in an input. */
function withoutNulls(input: unknown): unknown {
  if (input === null || typeof input !== 'object' || Array.isArray(input)) return input
  return Object.fromEntries(Object.entries(input).filter(([, value]) => value !== null))
}

function callKey(capability: string, input: Readonly<Record<string, unknown>>): string {
  return canonicalJson([capability, input])
}
