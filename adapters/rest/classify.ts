import type { FailureFacts, FailureRule } from '../../src/cards/failure-rules.ts'
import type { Failure } from '../../src/outcome.ts'
import type { HttpAnswer } from '../http/answer.ts'
import { type ErrorBody, readErrorBody } from '../http/error-body.ts'
import { errorDetails } from '../http/error-details.ts'
import { toFailure } from '../http/failure.ts'
import { INTERMEDIARY_RULES } from '../http/intermediaries.ts'
import { judge } from '../http/judge.ts'
import { meaningOf } from '../http/machine-codes.ts'
import { readQuota } from '../http/quota.ts'
import { resolveLocation } from '../http/redirect.ts'
import { isNotReady, verdictOfStatus } from '../http/status.ts'
import { type Verdict, verdict } from '../http/verdict.ts'
import { withoutQuotations } from '../http/words.ts'
import type { Reading } from './reply.ts'

/** An answer that is no success, taken apart once. */
export interface AnswerFacts {
  readonly answer: HttpAnswer
  readonly body: unknown
  readonly error: ErrorBody
  /** The form in which failure rules see it. */
  readonly rule: FailureFacts
}

export function factsOf(answer: HttpAnswer, body: unknown): AnswerFacts {
  const error = readErrorBody(body)
  const { status, headers } = answer
  const codes = [...headerCodes(answer), ...error.codes]
  const rule: FailureFacts = {
    route: 'rest',
    status,
    headers,
    body,
    messages: error.messages.map(withoutQuotations),
    types: codes,
    exitCode: null,
    stderr: '',
  }
  return { answer, body, error, rule }
}

/**
 * What a failed answer means: the upstream's own rules, then those of proxies and CDNs, which may have
 * answered in its place, then the general meaning of status, machine codes and words, in that order.
 */
export function classifyAnswer(facts: AnswerFacts, reading: Reading): Failure {
  const general = generalVerdict(facts, reading)
  const rules: readonly FailureRule[] = [...reading.rules, ...INTERMEDIARY_RULES]
  const judged = judge(facts.rule, rules, general) ?? general
  return failureOf(judged, facts, reading)
}

interface GeneralRule {
  readonly when: (facts: AnswerFacts, reading: Reading) => boolean
  readonly verdict: (facts: AnswerFacts, reading: Reading) => Verdict
}

/** The first that applies decides; what none decides is left to the status. */
const GENERAL: readonly GeneralRule[] = [
  {
    when: ({ answer }, { context }) => isNotReady(answer.status, context.effect),
    verdict: () => verdict('NOT_READY', { message: 'the result is still being computed' }),
  },
  {
    when: ({ answer }) => answer.status >= 300 && answer.status < 400,
    verdict: ({ answer }, reading) => redirectVerdict(answer, reading),
  },
  {
    // A quota in the clothes of a refusal: the count is at zero, and the words do not say otherwise.
    when: ({ answer, rule, error }, { now }) =>
      answer.status === 403 &&
      readQuota(answer.headers, now)?.remaining === 0 &&
      (error.messages.length === 0 || saysLimit(rule)),
    verdict: () => verdict('RATE_LIMIT', { sharedFate: 'host' }),
  },
  {
    when: ({ answer, rule }) => codeVerdict(answer.status, rule.types) !== null,
    verdict: ({ answer, rule }) => codeVerdict(answer.status, rule.types) ?? verdict('UNKNOWN'),
  },
  {
    when: ({ answer, rule }) => answer.status === 403 && saysLimit(rule),
    verdict: () => verdict('RATE_LIMIT', { sharedFate: 'host' }),
  },
  {
    when: ({ answer, rule }) => [400, 422].includes(answer.status) && says(rule, EXISTS),
    verdict: () => verdict('CONFLICT'),
  },
]

const LIMIT =
  /\b(rate|request|api|call|usage) limits?\b.*\b(exceeded|reached|hit)\b|\b(exceeded|reached|hit)\b.*\b(rate|request|usage) limit|too many requests|quota (was |has been |is )?exceeded|exceeded .*\bquota\b/i
const EXISTS = /\balready (exists?|been taken|in use|taken)\b|\bmust be unique\b/i

function generalVerdict(facts: AnswerFacts, reading: Reading): Verdict {
  const rule = GENERAL.find(({ when }) => when(facts, reading))
  return rule?.verdict(facts, reading) ?? verdictOfStatus(facts.answer.status, facts.answer.headers)
}

/** Statuses so general that a machine code may say what is really meant. */
const OPEN_STATUSES = new Set([200, 400, 402, 403, 405, 406, 422])
/** What a code may turn a 5xx into: AWS's SlowDown is a 503. */
const SERVER_MEANINGS = new Set(['RATE_LIMIT', 'TIMEOUT'])

/**
 * The meaning of the first code that says more than the status. Many bodies repeat the status in words
 * (`PERMISSION_DENIED` in a 403) before they come to the point (`rateLimitExceeded`).
 */
function codeVerdict(status: number, codes: readonly string[]): Verdict | null {
  const general = verdictOfStatus(status, {}).code
  for (const code of codes) {
    const meaning = meaningOf(code)
    if (!meaning || meaning.code === general) continue
    if (OPEN_STATUSES.has(status))
      return status === 400 && meaning.code === 'SERVER' ? null : meaning
    if (status >= 500 && SERVER_MEANINGS.has(meaning.code)) return meaning
  }
  return null
}

/** Codes outside the body: AWS, Azure, and OAuth's challenge (RFC 6750 §3). */
function headerCodes({ headers }: HttpAnswer): string[] {
  const challenge = headers['www-authenticate'] ?? ''
  return [
    // AWS appends a colon and a URL.
    headers['x-amzn-errortype']?.split(':')[0],
    headers['x-ms-error-code'],
    /\berror="([\w.-]+)"/.exec(challenge)?.[1],
  ].filter(code => code !== undefined)
}

function redirectVerdict(answer: HttpAnswer, { request, origin }: Reading): Verdict {
  const location = resolveLocation(answer, request, origin)
  if (location && location.origin !== origin) {
    return verdict('FORBIDDEN', {
      message: `it redirects to ${location.origin}, and credentials go to ${origin} only`,
    })
  }
  // 303 means that the request was processed and its result lies elsewhere.
  const processed = answer.status === 303
  return verdict('OUTPUT_INVALID', {
    fallback: false,
    writeOutcome: processed ? 'unknown' : 'not_applied',
    message: 'it redirects, and following would have changed the request',
  })
}

/** A 2xx whose body cannot be read. The status is the upstream's word, unless a web page came in its stead. */
export function classifyUnreadable(
  answer: HttpAnswer,
  cutShort: boolean,
  reading: Reading,
): Failure {
  const facts = factsOf(answer, answer.text)
  const [known, words] = unreadable(answer, cutShort)
  return failureOf(verdict('OUTPUT_INVALID', { ...known, message: words }), facts, reading)
}

function unreadable({ text, headers }: HttpAnswer, cutShort: boolean): [Partial<Verdict>, string] {
  const type = headers['content-type'] ?? ''
  if (text === '') return [{ retryable: true, writeOutcome: 'applied' }, 'the answer is empty']
  if (/html/i.test(type) || (!/json/i.test(type) && text.trimStart().startsWith('<'))) {
    return [{ writeOutcome: 'unknown' }, 'a web page came where JSON was due']
  }
  if (cutShort) return [{ retryable: true, writeOutcome: 'applied' }, 'the JSON ends in the middle']
  return [{ writeOutcome: 'applied' }, 'the answer is not JSON']
}

function failureOf(
  judged: Verdict,
  { answer, body, error, rule }: AnswerFacts,
  reading: Reading,
): Failure {
  const { upstream, now, context } = reading
  const said = judged.message ?? error.messages.slice(0, 3).join(': ')
  return toFailure(judged, {
    headers: answer.headers,
    body,
    words: `${upstream} answered ${answer.status}${said === '' ? ' without a message' : `: ${said}`}`,
    details: errorDetails(error.fields, rule.types, answer.headers),
    secrets: context.credential ? [context.credential.token] : [],
    now,
  })
}

function says({ messages }: FailureFacts, pattern: RegExp): boolean {
  return messages.some(message => pattern.test(message))
}

function saysLimit(facts: FailureFacts): boolean {
  return says(facts, LIMIT)
}
