import { ExpressionError } from '../../../src/expressions/expression.ts'
import { createFailure, type Failure } from '../../../src/model/failure.ts'

/**
 * Makes the failure for a card expression that cannot be evaluated over this input. Nothing was sent, and
 * another route's expressions may work. Rethrows any other error, because it is a bug.
 */
export function expressionFailure(error: unknown): Failure {
  if (!(error instanceof ExpressionError)) throw error
  return createFailure(
    'ADAPTER_UNSUPPORTED',
    `The card cannot build its request from this input: ${error.message}`,
  )
}
