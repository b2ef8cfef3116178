import { MAX_REASON } from './approval.ts'
import { GatewayError } from './errors.ts'

const MAX_ID = 100

/**
 * The id of an approval, as a caller sends it.
 * @param path what the door calls it
 * @throws {GatewayError} VALIDATION
 */
export function checkApprovalId(text: string, path: string): string {
  if (text.length > 0 && text.length <= MAX_ID && /^[\w-]+$/.test(text)) return text
  throw invalid(path, 'is not an id of an approval: send the one of error.next.approval_id')
}

/**
 * The caller's reason for a call.
 * @param path what the door calls it
 * @throws {GatewayError} VALIDATION
 */
export function checkReason(text: string, path: string): string {
  if (text.length > 0 && text.length <= MAX_REASON) return text
  throw invalid(path, `must have 1 to ${MAX_REASON} characters`)
}

function invalid(path: string, message: string): GatewayError {
  return new GatewayError('VALIDATION', `${path} ${message}.`, {
    source: 'caller',
    details: { fields: [{ path, message }] },
  })
}
