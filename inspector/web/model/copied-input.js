/**
 * Writes a recorded input for a shell and for JavaScript. A part that the journal has not kept becomes a variable without which
 * nothing is sent: a copy must never send `[redacted]` in place of a text.
 */
import { isExact } from '../lib/exact-json.js'
import { showUnseen } from '../lib/format.js'

/** The text that `src/lib/redact.ts` puts in place of a secret. */
const REDACTED = '[redacted]'

/**
 * How much of an input can be written: all, all but the removed texts, or nothing.
 * @param {unknown} input
 * @returns {'whole' | 'redacted' | 'beginning' | 'none'}
 */
function stateOf(input) {
  if (input === null || input === undefined) return 'none'
  const { truncated, head } = /** @type {Record<string, unknown>} */ (input)
  if (truncated === true && typeof head === 'string') return 'beginning'
  return JSON.stringify(input).includes(REDACTED) ? 'redacted' : 'whole'
}

const REASONS = {
  whole: null,
  none: 'The journal has not kept the input. The setting journal_payloads: redacted keeps that of later calls, once they have run.',
  beginning: 'The journal has kept only the beginning of the input.',
  redacted: 'The journal has removed parts of the input that look like secrets.',
}

/**
 * Why a recorded input cannot be sent as it is; null if it can.
 * @param {unknown} input
 * @returns {string | null}
 */
export function reasonNotToSend(input) {
  return REASONS[stateOf(input)]
}

/**
 * Why the journal has no input of a request, whatever its setting; null if the setting decides.
 * @param {Pick<import('../../../src/journal/row-schemas.ts').RequestDetail, 'meta' | 'plan' | 'error'>} request
 */
export function reasonNotKept({ meta, plan, error }) {
  if (!meta) return 'The request was interrupted before they were kept.'
  const isUnread = error?.details.need_request_id !== undefined || error?.code === 'AUTH'
  return isUnread && !plan ? 'The call was refused before its input was read.' : null
}

/**
 * The variables that stand for removed texts, in the order of the JSON text.
 * @param {unknown} input
 */
export function removedParts(input) {
  if (stateOf(input) !== 'redacted') return []
  const { length } = JSON.stringify(input).split(REDACTED)
  return Array.from({ length: length - 1 }, (_, at) => `REDACTED_${at + 1}`)
}

/**
 * The JSON text as one word of a shell.
 * @param {unknown} input
 */
export function inputForShell(input) {
  const state = stateOf(input)
  if (state === 'none') return '"${INPUT:?the input as JSON, which the journal has not kept}"'
  if (state === 'beginning')
    return '"${INPUT:?the input as JSON, of which the journal has kept only the beginning}"'
  const [first = '', ...others] = showUnseen(JSON.stringify(input)).split(REDACTED)
  const rest = others.map(
    (text, at) =>
      `"\${REDACTED_${at + 1}:?a text that the journal has removed, written as in JSON}"${quoteForShell(text)}`,
  )
  return `${quoteForShell(first)}${rest.join('')}`
}

/**
 * The input as an expression of TypeScript, which may call `required`.
 * @param {unknown} input
 */
export function inputForCode(input) {
  const state = stateOf(input)
  if (state === 'none') return 'input /* The journal has not kept it. */'
  if (state === 'beginning') return 'input /* The journal has kept only its beginning. */'
  return quoteForCode(input, 2)
}

/**
 * One word of a POSIX shell, whatever the text holds: within single quotes nothing has a meaning but the quote itself.
 * @param {string} text
 */
export function quoteForShell(text) {
  return `'${text.replaceAll("'", String.raw`'\''`)}'`
}

/** A text, perhaps the name of a member, or a number. */
const TOKEN = /(?<text>"(?:[^"\\]|\\.)*")(?<colon>:?)|-?\d[\d.eE+-]*/g

/**
 * JSON is a literal of JavaScript, but for a member that sets the prototype, removed texts, and numbers that lose digits. Escapes of
 * characters that nobody sees keep their value.
 * @param {unknown} value
 * @param {number} [indent]
 */
export function quoteForCode(value, indent) {
  let removed = 0
  const json = showUnseen(JSON.stringify(value, null, indent), '\n')
  return json.replaceAll(TOKEN, (token, text = '', colon = '') => {
    if (text === '') return isExact(token) ? token : `JSON.rawJSON('${token}')`
    const whole = text.replaceAll(REDACTED, () => `" + required('REDACTED_${++removed}') + "`)
    const isPlain = whole === text && token !== '"__proto__":'
    return colon !== '' && !isPlain ? `[${whole}]:` : `${whole}${colon}`
  })
}
