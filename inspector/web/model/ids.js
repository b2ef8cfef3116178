/**
 * Finds the ids of requests, batches, approvals and traces in what a user pastes: an id alone, or a line of a log with one in it.
 * The gateway writes its own ids in capitals and those of traces in small letters; other programs may change that.
 */

/** A longer text is a document, not a line of a log. */
const MAX_TEXT = 10_000

const OWN_ID = /\b[0-7][0-9a-hjkmnp-tv-z]{25}\b/i
const TRACE_ID = /\b(?!0{32})[0-9a-f]{32}\b/i

/** @typedef {{ readonly kind: 'own' | 'trace', readonly id: string }} Found an id of the gateway's own, or of a trace */

/**
 * @param {string} text
 * @returns {Found | null} the first id of the gateway, or else the first trace id
 */
export function findId(text) {
  const searched = text.slice(0, MAX_TEXT)
  const [own] = OWN_ID.exec(searched) ?? []
  if (own !== undefined) return { kind: 'own', id: own.toUpperCase() }
  const [trace] = TRACE_ID.exec(searched) ?? []
  return trace === undefined ? null : { kind: 'trace', id: trace.toLowerCase() }
}

/** Marks around an id: quotes, brackets, the comma and the full stop after it. */
const AROUND = /^["'`“‘«<([{]+|["'`”’»>)\]},.;:]+$/g
/** White space and characters that nobody sees, which terminals and pages leave in copied texts. */
const UNSEEN = /[\s\p{Cf}]+/gu

/**
 * The id, if the text is one and nothing else.
 * @param {string} text
 */
export function exactId(text) {
  const bare = text.replaceAll(UNSEEN, '').replaceAll(AROUND, '')
  const found = findId(bare)
  return found?.id.length === bare.length ? found : null
}

/**
 * The id that an address means: an id of the gateway in its own letters, any other as it is.
 * @param {string} text
 */
export function idOfAddress(text) {
  const found = exactId(text)
  return found?.kind === 'own' ? found.id : text
}
