import { decodeBase64 } from '../../src/lib/base64.ts'
import { isObject } from '../../src/lib/is-object.ts'
import { ValueError } from '../../src/lib/value-error.ts'

/** An expression sees a member that the caller left out as null. */
export function isMissing(value: unknown): value is null | undefined {
  return value === null || value === undefined
}

/** The members of the body of a form. @throws {ValueError} if it is no object */
export function membersOf(value: unknown): Readonly<Record<string, unknown>> {
  if (isObject(value)) return value
  throw new ValueError('body', value, 'must be an object, whose members become the form')
}

/** The bytes of a Base64 text. @throws {ValueError} if the value is anything else */
export function bytesOf(field: string, value: unknown): Buffer<ArrayBuffer> {
  const bytes = typeof value === 'string' ? decodeBase64(value) : null
  if (bytes === null) throw new ValueError(field, value, 'must be Base64')
  return bytes
}
