/**
 * JSON whose numbers keep every digit. A number that a double cannot hold becomes a raw number: an object that
 * `JSON.stringify` writes back digit by digit. Everything else is what `JSON.parse` gives.
 */

declare global {
  interface JSON {
    rawJSON(text: string): RawNumber
    isRawJSON(value: unknown): value is RawNumber
  }
}

/** A number that a double cannot hold, as it stood in the JSON text. */
export interface RawNumber {
  readonly rawJSON: string
}

const BYTE_ORDER_MARK = 0xfeff

/**
 * Ignores a byte order mark before the text.
 * @throws {SyntaxError} as JSON.parse does.
 */
export function parseJson(text: string): unknown {
  const json = text.charCodeAt(0) === BYTE_ORDER_MARK ? text.slice(1) : text
  // The reviver makes parsing several times slower, so ordinary texts must not pay for it.
  if (!mayBeInexact(json)) return JSON.parse(json)
  return JSON.parse(json, keepDigits as Parameters<typeof JSON.parse>[1])
}

const LARGE_EXPONENT = /\d[eE]\+?\d{3}/
const MANY_DIGITS = 16

/** Whether a JSON text may hold a number that a double cannot: one with fewer digits, and a smaller exponent, always fits. */
export function mayBeInexact(text: string): boolean {
  // Every answer passes here. A run of that many digits cannot avoid each of these places, so most are skipped.
  for (let at = MANY_DIGITS - 1; at < text.length; at += MANY_DIGITS) {
    if (isDigit(text, at) && isInLongRun(text, at)) return true
  }
  return LARGE_EXPONENT.test(text)
}

function isInLongRun(text: string, at: number): boolean {
  let first = at
  while (isDigit(text, first - 1)) first--
  let end = at + 1
  while (end - first < MANY_DIGITS && isDigit(text, end)) end++
  return end - first >= MANY_DIGITS
}

function isDigit(text: string, at: number): boolean {
  const unit = text.charCodeAt(at)
  return unit >= 0x30 && unit <= 0x39
}

export function isRawNumber(value: unknown): value is RawNumber {
  return JSON.isRawJSON(value)
}

function keepDigits(_key: string, value: unknown, context?: { readonly source?: string }): unknown {
  const source = context?.source
  if (typeof value !== 'number' || source === undefined || isExact(value, source)) return value
  return JSON.rawJSON(source)
}

function isExact(value: number, source: string): boolean {
  if (Number.isSafeInteger(value)) return !/[.eE]/.test(source) || digitsOf(source).length < 16
  if (!Number.isFinite(value)) return false
  if (/^-?\d+$/.test(source)) return BigInt(source) === BigInt(value)
  return digitsOf(source).length < 16 || digitsOf(source) === digitsOf(String(value))
}

/** The significant digits of a number's text. */
function digitsOf(text: string): string {
  const [mantissa = ''] = text.split(/[eE]/)
  const digits = mantissa.replace(/[-.]/g, '').replace(/^0+/, '')
  return mantissa.includes('.') ? digits.replace(/(?<!0)0+$/, '') : digits
}

/** Whether a raw number stands anywhere in a JSON value. */
export function hasRawNumber(value: unknown): boolean {
  if (value === null || typeof value !== 'object') return false
  return isRawNumber(value) || Object.values(value).some(hasRawNumber)
}

/** Copies a JSON value with doubles in place of raw numbers, for checks that know only doubles. */
export function toDoubles(value: unknown): unknown {
  return mapLeaves(value, raw => Number(raw.rawJSON))
}

/** Copies a JSON value with texts in place of raw numbers, for formats whose values are texts anyway. */
export function rawNumbersToText(value: unknown): unknown {
  return hasRawNumber(value) ? mapLeaves(value, raw => raw.rawJSON) : value
}

/** A deep copy of a JSON value. `structuredClone` would turn raw numbers into plain objects. */
export function copyJson<T>(value: T): T {
  return mapLeaves(value, raw => raw) as T
}

/** Puts the raw numbers of `exact` back into a copy that has doubles in their places. */
export function restoreRawNumbers(copy: unknown, exact: unknown): unknown {
  if (isRawNumber(exact)) return exact
  if (copy === null || typeof copy !== 'object' || exact === null || typeof exact !== 'object') {
    return copy
  }
  if (Array.isArray(copy)) {
    return copy.map((item, index) => restoreRawNumbers(item, (exact as unknown[])[index]))
  }
  const source = exact as Readonly<Record<string, unknown>>
  return Object.fromEntries(
    Object.entries(copy).map(([name, member]) => [
      name,
      Object.hasOwn(source, name) ? restoreRawNumbers(member, source[name]) : member,
    ]),
  )
}

function mapLeaves(value: unknown, ofRaw: (raw: RawNumber) => unknown): unknown {
  if (value === null || typeof value !== 'object') return value
  if (isRawNumber(value)) return ofRaw(value)
  if (Array.isArray(value)) return value.map(item => mapLeaves(item, ofRaw))
  return Object.fromEntries(
    Object.entries(value).map(([name, member]) => [name, mapLeaves(member, ofRaw)]),
  )
}
