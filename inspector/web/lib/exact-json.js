/** Reads JSON without the loss of a digit. Each text of the gateway that may hold an input or an answer is read here. */

/**
 * A number that would be written back otherwise, such as 12345678901234567890 or 1.0, becomes an object that `JSON.stringify` writes
 * as it was. Browsers without `JSON.rawJSON` (Safari before 18.4, Firefox before 135) read it as a plain number.
 * @param {string} text
 */
export function parseExact(text) {
  return JSON.parse(text, /** @type {Parameters<typeof JSON.parse>[1]} */ (keepDigits))
}

/**
 * @param {string} _name
 * @param {unknown} value
 * @param {{ source?: string }} [context]
 */
function keepDigits(_name, value, context) {
  const source = context?.source
  if (typeof value !== 'number' || source === undefined || isExact(source)) return value
  return typeof JSON.rawJSON === 'function' ? JSON.rawJSON(source) : value
}

/**
 * Whether a number of JavaScript writes this text.
 * @param {string} source
 */
export function isExact(source) {
  return JSON.stringify(Number(source)) === source
}

/**
 * Whether a value is a number that kept its text. It looks like an object.
 * @param {unknown} value
 */
export function isRawNumber(value) {
  return typeof JSON.isRawJSON === 'function' && JSON.isRawJSON(value)
}
