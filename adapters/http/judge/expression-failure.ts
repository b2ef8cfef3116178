import { ExpressionError } from '../../../src/expressions/expression.ts'
import { ValueError } from '../../../src/lib/value-error.ts'
import { memberHolding } from '../../../src/lib/value-path.ts'
import { createFailure, type Failure } from '../../../src/model/failure.ts'

/**
 * Makes the failure for a request that could not be built from this input, so nothing was sent. Rethrows any
 * error that the input cannot cause, because it is a bug.
 */
export function expressionFailure(error: unknown, input: unknown): Failure {
  if (error instanceof ValueError) return valueFailure(error, input)
  if (!(error instanceof ExpressionError)) throw error
  if (error.cause instanceof ValueError) return valueFailure(error.cause, input)
  // Another route's expressions may work.
  return createFailure(
    'ADAPTER_UNSUPPORTED',
    `The card cannot build its request from this input: ${error.message}`,
  )
}

/**
 * Makes the failure for an answer on which an expression of the card fails. Rethrows any error that the answer cannot
 * cause, because it is a bug.
 */
export function answerExpressionFailure(error: unknown): Failure {
  if (!(error instanceof ExpressionError)) throw error
  return createFailure(
    'OUTPUT_INVALID',
    `The answer is not as the card expects it: ${error.message}.`,
    { writeOutcome: 'unknown' },
  )
}

/** Names the input member, also where the card passes its value on under another name. */
function valueFailure({ field, value, fault, tooLong }: ValueError, input: unknown): Failure {
  const member = memberHolding(input, value, field) ?? field
  const message = `${member} ${fault}`
  return createFailure(tooLong ? 'TOO_LARGE' : 'VALIDATION', `${message}.`, {
    // A value too long for a URL may fit into another route's request body.
    fallback: tooLong,
    details: { fields: [{ path: member, message }] },
  })
}
