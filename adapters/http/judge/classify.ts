import type { Failure } from '../../../src/model/failure.ts'
import { decide } from '../../failures/decide.ts'
import { toFailure } from '../../failures/failure.ts'
import { meaningOfText } from '../../failures/phrases/meaning-of-text.ts'
import { errorDetails } from '../../failures/read/error-details.ts'
import { readQuota } from '../../failures/read/quota.ts'
import { withReturnTime } from '../../failures/return-time.ts'
import { applyRules } from '../../failures/rules.ts'
import { type Verdict, verdict } from '../../failures/verdict.ts'
import type { Refusal } from '../../failures/vocabulary/waits.ts'
import type { AnswerFacts, Circumstances } from '../read/answer-facts.ts'
import { leadsToLogin, resolveLocation } from '../wire/redirect.ts'
import { withIntermediaries } from './intermediaries.ts'

const LIMITED = verdict('RATE_LIMIT', { sharedFate: 'host' })

/** Judges an answer without the rules of any upstream. */
export function generalVerdict(facts: AnswerFacts, circumstances: Circumstances): Verdict {
  return (
    redirected(facts, circumstances) ??
    outOfQuota(facts, circumstances) ??
    withReturnTime(decide(facts.signals), refusalOf(facts, circumstances))
  )
}

export function refusalOf({ answer, body, signals }: AnswerFacts, { now }: Circumstances): Refusal {
  return { headers: answer.headers, body, messages: signals.messages, now }
}

/** A 403 for an exhausted quota: nothing remains, and the message gives no other reason. */
function outOfQuota({ answer, signals }: AnswerFacts, { now }: Circumstances): Verdict | null {
  if (answer.status !== 403 || readQuota(answer.headers, now)?.remaining !== 0) return null
  const { messages } = signals
  const isLimit = messages.length === 0 || meaningOfText(messages)?.verdict.code === 'RATE_LIMIT'
  return isLimit ? LIMITED : null
}

const LOGIN_WANTED = verdict('AUTH', {
  sharedFate: 'credential',
  message: 'it redirects to a page where people log in',
})

function redirected({ answer }: AnswerFacts, { path, origin }: Circumstances): Verdict | null {
  if (answer.status < 300 || answer.status >= 400) return null
  const location = resolveLocation(answer, { path }, origin)
  if (location && leadsToLogin(answer, { path }, location)) return LOGIN_WANTED
  if (location && location.origin !== origin) {
    return verdict('FORBIDDEN', {
      message: `it redirects to ${location.origin}, but credentials are sent to ${origin} only`,
    })
  }
  return verdict('OUTPUT_INVALID', {
    fallback: false,
    // 303 means that the request was processed and its result is at another URL.
    writeOutcome: answer.status === 303 ? 'unknown' : 'not_applied',
    message: 'it redirects, and following would change the request',
  })
}

/** Refines a general verdict by the rules of the upstream and of proxies, and makes the failure. */
export function failureByRules(
  general: Verdict,
  facts: AnswerFacts,
  circumstances: Circumstances,
): Failure {
  const rules = withIntermediaries(circumstances.rules)
  return failureFromAnswer(applyRules(facts.ruleFacts, rules, general), facts, circumstances)
}

/** Makes the failure for an answer: the verdict with the upstream's message, the wait and the details. */
export function failureFromAnswer(
  judged: Verdict,
  { answer, body, error, ruleFacts }: AnswerFacts,
  { upstream, secrets, now }: Circumstances,
): Failure {
  const reason = judged.message ?? inOneSentence(error.messages.slice(0, 3))
  return toFailure(judged, {
    headers: answer.headers,
    body,
    message: `${upstream} answered ${answer.status}${reason === '' ? ' without a message' : `: ${reason}`}`,
    details: errorDetails(error.fields, ruleFacts.types, answer.headers),
    secrets,
    now,
  })
}

/** Titles of problem documents may end with a full stop: `Your request is not valid.` */
function inOneSentence(messages: readonly string[]): string {
  const last = messages.length - 1
  return messages.map((text, at) => (at < last ? text.replace(/[.:]$/, '') : text)).join(': ')
}
