import { ExpressionError } from '../../../src/expressions/expression.ts'
import type { Failure } from '../../../src/model/failure.ts'
import { createFailure } from '../../../src/model/failure.ts'

/**
 * The card's own expression cannot be evaluated over this input: nothing was sent, and another route's
 * may do. Anything else that was thrown is a bug and goes on.
 */
export function refusedExpression(error: unknown): Failure {
  if (!(error instanceof ExpressionError)) throw error
  return createFailure(
    'ADAPTER_UNSUPPORTED',
    `The card cannot make its request from this input: ${error.message}`,
  )
}
