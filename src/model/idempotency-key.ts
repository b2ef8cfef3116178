import { GatewayError } from './errors.ts'

/** @param path what the door calls the key. @throws {GatewayError} VALIDATION for an unusable key. */
export function checkIdempotencyKey(key: string, path: string): string {
  if (/^[\x21-\x7e]{1,255}$/.test(key)) return key
  throw new GatewayError(
    'VALIDATION',
    'Idempotency-Key must be 1 to 255 printable characters without spaces, for example a UUID.',
    {
      source: 'caller',
      details: {
        fields: [{ path, message: 'must be 1 to 255 printable characters' }],
      },
    },
  )
}
