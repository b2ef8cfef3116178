import { createHash } from 'node:crypto'

/** A digest of a parsed file, which changes whenever the file does, but for its comments. */
export function digestOf(value: unknown): string {
  return createHash('sha256').update(JSON.stringify(value)).digest('base64url')
}
