import type { HttpAnswer } from '../wire/answer.ts'
import { type Verdict, verdict } from './verdict.ts'

/**
 * A success whose body is not the JSON that it should be. Its status stands, unless a web page came in
 * the answer's stead: what sent that may never have asked the upstream.
 */
export function unreadableVerdict({ text, headers }: HttpAnswer, cutShort: boolean): Verdict {
  const invalid = (message: string, known: Partial<Verdict> = {}) =>
    verdict('OUTPUT_INVALID', { writeOutcome: 'applied', message, ...known })
  if (text === '') return invalid('the answer is empty', { retryable: true })
  if (isWebPage(text, headers['content-type'] ?? '')) {
    return invalid('a web page came where JSON was due', { writeOutcome: 'unknown' })
  }
  if (cutShort) return invalid('the JSON ends in the middle', { retryable: true })
  return invalid('the answer is not JSON')
}

/** Login pages and captive portals. */
function isWebPage(text: string, type: string): boolean {
  return /html/i.test(type) || (!/json/i.test(type) && text.trimStart().startsWith('<'))
}
