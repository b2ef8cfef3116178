import { decodeBase64 } from '../../src/lib/base64.ts'
import { isObject } from '../../src/lib/is-object.ts'
import { ValueError } from '../../src/lib/value-error.ts'

/** The members of the body of a form. @throws {ValueError} if it is no object */
export function membersOf(value: unknown): Readonly<Record<string, unknown>> {
  if (value === null || value === undefined) return {}
  if (isObject(value)) return value
  throw new ValueError('body', value, 'must be an object, whose members become the form')
}

/** The bytes of a Base64 text, or null. @throws {ValueError} if the value is anything else */
export function bytesOf(field: string, value: unknown): Buffer<ArrayBuffer> | null {
  if (value === null || value === undefined) return null
  const bytes = typeof value === 'string' ? decodeBase64(value) : null
  if (bytes === null) throw new ValueError(field, value, 'must be Base64')
  return bytes
}
