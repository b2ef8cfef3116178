import { isDeepStrictEqual } from 'node:util'
import type { Catalog } from '../cards/catalog.ts'
import { ExpressionError } from '../expressions/expression.ts'
import { isTruthy } from '../expressions/truth.ts'
import type { Building } from '../lib/building.ts'
import { withoutNulls } from '../lib/without-nulls.ts'
import type { Suggestion } from '../model/card.ts'
import type { SuggestedCall } from '../model/envelope.ts'
import { GatewayError } from '../model/errors.ts'
import type { Subject } from '../model/subject.ts'

type Input = Readonly<Record<string, unknown>>

/**
 * The calls that a card suggests after this result. Each can be sent unchanged, and differs from the call just made
 * and from the other suggestions.
 */
export function suggestCalls(
  catalog: Pick<Catalog, 'get'>,
  { card, input }: Subject,
  data: unknown,
): readonly SuggestedCall[] {
  if (!card || !input || card.next.length === 0) return []
  const seen: Called[] = [{ capability: card.id, input }]
  const scope = { input, data }
  const calls: SuggestedCall[] = []
  for (const suggestion of card.next) {
    const prepared = prepare(catalog, suggestion, scope)
    if (!prepared || seen.some(called => isSameCall(called, prepared.called))) continue
    seen.push(prepared.called)
    calls.push(prepared.call)
  }
  return calls
}

/** A call with the defaults of its input filled in, for comparing. */
interface Called {
  readonly capability: string
  readonly input: Input
}

interface Prepared {
  /** As the answer shows it. */
  readonly call: SuggestedCall
  readonly called: Called
}

/** Null when the suggestion does not apply, or could not be called. */
function prepare(
  catalog: Pick<Catalog, 'get'>,
  { capability, input, when, reason }: Suggestion,
  scope: Readonly<Record<string, unknown>>,
): Prepared | null {
  const target = catalog.get(capability)
  if (!target) return null
  try {
    if (when && !isTruthy(when(scope))) return null
    const given = withoutNulls(input(scope))
    const called = { capability, input: target.parseInput(given) }
    const call: Building<SuggestedCall> = { capability, input: given as Input }
    if (reason !== null) call.reason = reason
    return { call, called }
  } catch (error) {
    // The target refuses the input, or the expression fails on this data: suggest nothing.
    if (error instanceof GatewayError || error instanceof ExpressionError) return null
    throw error
  }
}

function isSameCall(one: Called, other: Called): boolean {
  return one.capability === other.capability && isDeepStrictEqual(one.input, other.input)
}
