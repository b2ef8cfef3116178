import { type Verdict, verdict } from '../../failures/verdict.ts'
import type { HttpAnswer } from '../wire/answer.ts'

/**
 * Judges a 2xx whose body is not valid JSON. The status still confirms a write, except with a web page:
 * a proxy may have sent that without asking the upstream.
 */
export function unreadableVerdict({ text, headers }: HttpAnswer, cutShort: boolean): Verdict {
  const invalid = (message: string, known: Partial<Verdict> = {}) =>
    verdict('OUTPUT_INVALID', { writeOutcome: 'applied', message, ...known })
  if (text === '') return invalid('the answer is empty', { retryable: true })
  if (isWebPage(text, headers['content-type'] ?? '')) {
    return invalid('the answer is a web page, not JSON', { writeOutcome: 'unknown' })
  }
  if (cutShort) return invalid('the JSON is cut off', { retryable: true })
  return invalid('the answer is not JSON')
}

/** Recognizes login pages and captive portals. */
function isWebPage(text: string, type: string): boolean {
  return /html/i.test(type) || (!/json/i.test(type) && text.trimStart().startsWith('<'))
}
