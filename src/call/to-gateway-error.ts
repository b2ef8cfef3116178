import { GatewayError } from '../model/errors.ts'

/** Turns whatever was thrown into an error that a caller may see. The text of a bug stays in the log. */
export function toGatewayError(error: unknown): GatewayError {
  if (error instanceof GatewayError) return error
  if (error instanceof Error && error.name === 'AbortError') {
    return new GatewayError('CANCELLED', 'The caller left before the answer.', { source: 'caller' })
  }
  return new GatewayError(
    'UNKNOWN',
    'The gateway failed; the cause is in its log under this request id.',
    { cause: error },
  )
}
