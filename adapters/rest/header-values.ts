import { isObject } from '../../src/lib/is-object.ts'
import { singleText, ValueError } from '../../src/lib/value-error.ts'
import { isHeaderValue } from '../http/wire/request-headers.ts'

/** How a list or an object becomes one header: `a,b`, `name=value,name=value`, or JSON. */
export type HeaderStyle = 'comma' | 'members' | 'json'

/** The text of a header. @throws {ValueError} for a value that a header cannot carry */
export function headerText(name: string, value: unknown, style: HeaderStyle | undefined): string {
  const text = style === 'json' ? asciiJson(value) : plainText(name, value, style)
  if (isHeaderValue(text)) return text
  throw new ValueError(name, value, 'contains characters that a header cannot carry')
}

function plainText(name: string, value: unknown, style: HeaderStyle | undefined): string {
  if (style === undefined || typeof value !== 'object') return singleText(name, value)
  if (Array.isArray(value)) return value.map(item => itemText(name, item)).join(',')
  if (!isObject(value)) return singleText(name, value)
  const joint = style === 'members' ? '=' : ','
  return Object.entries(value)
    .filter(([, member]) => member !== null)
    .map(([key, member]) => itemText(name, key) + joint + itemText(name, member))
    .join(',')
}

function itemText(name: string, value: unknown): string {
  const text = singleText(name, value)
  if (!text.includes(',')) return text
  throw new ValueError(name, value, 'contains a comma, which separates the values')
}

/** Headers carry only ASCII safely, and JSON can say everything in it. */
function asciiJson(value: unknown): string {
  return JSON.stringify(value).replaceAll(
    /[\u007f-\uffff]/g,
    unit => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`,
  )
}

/** RFC 6265 §4.1.1: everything that is no cookie-octet, and the sign that encodes it. */
const NO_COOKIE_OCTET = /[^\x21\x23\x24\x26-\x2b\x2d-\x3a\x3c-\x5b\x5d-\x7e]/gu

/** The value of a cookie, percent-encoded as servers decode it. @throws {ValueError} for a value that it cannot hold */
export function cookieText(
  name: string,
  value: unknown,
  style: 'comma' | 'json' | undefined,
): string {
  const text = style === 'json' ? JSON.stringify(value) : plainText(name, value, style)
  if (!text.isWellFormed()) throw new ValueError(name, value, 'is not well-formed Unicode')
  return text.replaceAll(NO_COOKIE_OCTET, encodeURIComponent)
}
