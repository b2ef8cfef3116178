import { ValueError } from './value-error.ts'

/** Text that needs no encoding (RFC 3986 §2.3). */
const UNRESERVED = /^[\w.~-]*$/

/** Encodes a text as one value of a path, a query or a form. @throws {ValueError} as `checkText` does */
export function percentEncode(field: string, text: string): string {
  if (UNRESERVED.test(text)) return text
  checkText(field, text)
  return encodeURIComponent(text).replace(/[!'()*]/g, percentEncoded)
}

/** Refuses text that cannot be encoded, and NUL, where many servers end the name that they read. */
export function checkText(field: string, text: string): void {
  if (!text.isWellFormed()) throw new ValueError(field, text, 'is not well-formed Unicode')
  if (text.includes('\0')) throw new ValueError(field, text, 'contains a NUL character')
}

function percentEncoded(character: string): string {
  return `%${character.charCodeAt(0).toString(16).toUpperCase()}`
}
