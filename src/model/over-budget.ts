import type { FieldProblem } from './card.ts'
import type { EnvelopeError } from './envelope.ts'

/** The option that limits the size of an answer. */
export const BUDGET_OPTION = 'token_budget'

/**
 * Whether the call was answered, and the answer was too large for its caller. Any other `TOO_LARGE` is about the request, or about
 * an answer that the gateway could not hold.
 */
export function isOverBudget(
  error: Pick<EnvelopeError, 'code' | 'source' | 'details'> | null,
): boolean {
  if (error?.code !== 'TOO_LARGE' || error.source !== 'caller') return false
  // After a change, `next` advises to check it instead.
  const fields = error.details.fields as readonly FieldProblem[] | undefined
  return fields?.some(({ path }) => path === BUDGET_OPTION) === true
}
