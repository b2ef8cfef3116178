import { type Verdict, verdict } from '../../failures/verdict.ts'
import type { HttpAnswer } from '../wire/answer.ts'

export interface UnreadableFault {
  /** The format that the body should have. @default JSON */
  readonly format?: string
  /** Whether the body ends too early. */
  readonly cutShort: boolean
  /** Whether the body is too large to be read. */
  readonly isTooLarge?: boolean
  /** The declared type if a card could read it, and what the card has to say for that. */
  readonly readable?: { readonly type: string; readonly by: string } | null
}

/**
 * Judges a 2xx whose body does not have the format that the card expects. The status still confirms a write, except with
 * a web page: a proxy may have sent that without asking the upstream.
 */
export function unreadableVerdict(answer: HttpAnswer, fault: UnreadableFault): Verdict {
  const { format = 'JSON', isTooLarge = false } = fault
  return isTooLarge ? tooLarge(format) : otherVerdict(answer, { ...fault, format })
}

function otherVerdict(
  answer: HttpAnswer,
  { format, cutShort, readable = null }: UnreadableFault & { readonly format: string },
): Verdict {
  const { text, headers } = answer
  const kind = readable === null ? null : otherKind(format, readable)
  if (text === '') return invalid('the answer is empty', { retryable: true })
  if (isWebPage(text, headers['content-type'] ?? '', format)) {
    return webPageVerdict(answer, kind ?? `a web page, not ${format}`)
  }
  if (kind !== null) return invalid(`the answer is ${kind}`)
  if (cutShort) return invalid(`the ${format} is cut off`, { retryable: true })
  return invalid(`the answer is not ${format}`)
}

function tooLarge(format: string): Verdict {
  const message = `the ${format} is larger than max_parsed_bytes of the upstream allows; ask for less, raise it, or read it with parse: text`
  return verdict('TOO_LARGE', { writeOutcome: 'applied', message })
}

function invalid(message: string, known: Partial<Verdict> = {}): Verdict {
  return verdict('OUTPUT_INVALID', { writeOutcome: 'applied', message, ...known })
}

function webPageVerdict({ status, text }: HttpAnswer, kind: string): Verdict {
  if (asksForPassword(text)) {
    return verdict('AUTH', { message: 'it shows a page to log in', writeOutcome: 'unknown' })
  }
  // Only the service itself says that it created something.
  const writeOutcome = status === 201 ? 'applied' : 'unknown'
  return invalid(`the answer is ${kind}`, { writeOutcome })
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
