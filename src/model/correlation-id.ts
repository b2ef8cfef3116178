import { redactText } from '../lib/redact.ts'
import { GatewayError } from './errors.ts'

export const MAX_CORRELATION_ID = 128

/** Printable ASCII: the id comes back in a header and stands in logs. */
const CORRELATION_ID = new RegExp(`^[\\x20-\\x7e]{1,${MAX_CORRELATION_ID}}$`)

/**
 * The caller's own id for a call, from the first header that has a valid one. Other ids are ignored, because proxies
 * may add the header: it must not fail a call.
 */
export function readCorrelationId(...headers: readonly unknown[]): string | undefined {
  return headers.find((value): value is string => typeof value === 'string' && isValid(value))
}

/** @param path what the door calls the id. @throws {GatewayError} VALIDATION for an id that no door accepts. */
export function checkCorrelationId(id: string, path: string): string {
  if (isValid(id)) return id
  throw new GatewayError(
    'VALIDATION',
    `A correlation id has 1 to ${MAX_CORRELATION_ID} printable ASCII characters, and is no credential.`,
    {
      source: 'caller',
      details: { fields: [{ path, message: 'is not a valid correlation id' }] },
    },
  )
}

/** A token in this place would be kept in journal, logs and traces. */
function isValid(id: string): boolean {
  return CORRELATION_ID.test(id) && id.trim() !== '' && redactText(id) === id
}
