import { type Verdict, verdict } from '../../failures/verdict.ts'
import type { HttpAnswer } from '../wire/answer.ts'

export interface UnreadableFault {
  /** The format that the body should have. @default JSON */
  readonly format?: string
  /** Whether the body ends too early. */
  readonly cutShort: boolean
  /** The declared type if a card could read it, and what the card has to say for that. */
  readonly readable?: { readonly type: string; readonly by: string } | null
}

/**
 * Judges a 2xx whose body does not have the format that the card expects. The status still confirms a write, except with
 * a web page: a proxy may have sent that without asking the upstream.
 */
export function unreadableVerdict(
  { status, text, headers }: HttpAnswer,
  { format = 'JSON', cutShort, readable = null }: UnreadableFault,
): Verdict {
  const invalid = (message: string, known: Partial<Verdict> = {}) =>
    verdict('OUTPUT_INVALID', { writeOutcome: 'applied', message, ...known })
  if (text === '') return invalid('the answer is empty', { retryable: true })
  if (isWebPage(text, headers['content-type'] ?? '', format)) {
    if (asksForPassword(text)) {
      return verdict('AUTH', { message: 'it shows a page to log in', writeOutcome: 'unknown' })
    }
    // Only the service itself says that it created something.
    const writeOutcome = status === 201 ? 'applied' : 'unknown'
    const kind = readable ? otherKind(format, readable) : `a web page, not ${format}`
    return invalid(`the answer is ${kind}`, { writeOutcome })
  }
  if (readable) return invalid(`the answer is ${otherKind(format, readable)}`)
  if (cutShort) return invalid(`the ${format} is cut off`, { retryable: true })
  return invalid(`the answer is not ${format}`)
}

function otherKind(format: string, { type, by }: NonNullable<UnreadableFault['readable']>): string {
  return `${type}, not ${format}; a card reads that with ${by}`
}

function asksForPassword(text: string): boolean {
  return /<input[^>]{1,200}type=["']?password\b/i.test(text.slice(0, 20_000))
}

/** Recognizes login pages and captive portals. */
function isWebPage(text: string, type: string, format: string): boolean {
  if (/html/i.test(type)) return true
  const start = text.slice(0, 200).trimStart()
  return format === 'XML'
    ? /^<(?:!doctype html|html)/i.test(start)
    : !/json/i.test(type) && start.startsWith('<')
}
