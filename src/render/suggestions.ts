import { isDeepStrictEqual } from 'node:util'
import type { Catalog } from '../cards/catalog.ts'
import { ExpressionError, isTruthy } from '../expressions/expression.ts'
import type { Suggestion } from '../model/card.ts'
import type { SuggestedCall } from '../model/envelope.ts'
import { GatewayError } from '../model/errors.ts'
import type { Subject } from '../model/subject.ts'

type Input = Readonly<Record<string, unknown>>

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
  const seen: Called[] = [{ capability: card.id, input }]
  return card.next.flatMap(suggestion => {
    const prepared = prepare(catalog, suggestion, { input, data })
    if (!prepared || seen.some(called => isSameCall(called, prepared.called))) return []
    seen.push(prepared.called)
    return [prepared.call]
  })
}

/** A call as it is made: with defaults written out. */
interface Called {
  readonly capability: string
  readonly input: Input
}

interface Prepared {
  /** As it is told. */
  readonly call: SuggestedCall
  readonly called: Called
}

/** Null when it does not apply here, or could not be called. */
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
    const call = { capability, input: given as Input, ...(reason === null ? {} : { reason }) }
    return { call, called }
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

function isSameCall(one: Called, other: Called): boolean {
  return one.capability === other.capability && isDeepStrictEqual(one.input, other.input)
}
