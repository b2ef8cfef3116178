import { createHash } from 'node:crypto'

/** The SHA-256 of an Idempotency-Key, in hex: the journal finds the requests of a key without keeping it. */
export function keyHashOf(key: string): string {
  return createHash('sha256').update(key).digest('hex')
}
