import type { ErrorCode } from '../../../src/model/errors.ts'
import type { Failure } from '../../../src/model/failure.ts'
import type { FailureFacts, FailureRule } from '../../../src/model/failure-rule.ts'
import { toFailure } from '../../failures/failure.ts'
import {
  ALREADY_EXISTS,
  LACKS_SCOPE,
  LIMIT_REACHED,
  UNAUTHENTICATED,
} from '../../failures/phrases.ts'
import { errorDetails } from '../../failures/read/error-details.ts'
import { readQuota } from '../../failures/read/quota.ts'
import { verdictOfStatus } from '../../failures/status.ts'
import { applyRule, type Verdict, verdict } from '../../failures/verdict.ts'
import { meaningOfCode } from '../../failures/vocabulary/machine-code.ts'
import { type Meaning, mostSpecific, RANK } from '../../failures/vocabulary/meaning.ts'
import type { AnswerFacts, Circumstances } from '../read/answer-facts.ts'
import { resolveLocation } from '../wire/redirect.ts'
import { INTERMEDIARY_RULES } from './intermediaries.ts'

/**
 * Applies the first failure rule that matches to the `general` verdict: the upstream's own rules come
 * first, then those for proxies and CDNs, which may have answered in its place.
 */
export function applyRules(
  facts: FailureFacts,
  rules: readonly FailureRule[],
  general: Verdict,
): Verdict {
  const applies = (rule: FailureRule) => !rule.outcome.ok && rule.matches(facts)
  const rule = rules.find(applies) ?? INTERMEDIARY_RULES.find(applies)
  return rule ? applyRule(rule, general) : general
}

const LIMITED = verdict('RATE_LIMIT', { sharedFate: 'host' })

type Rule = (facts: AnswerFacts, circumstances: Circumstances) => Verdict | null

/** Rules for any upstream that say more than the status does. The first that returns a verdict decides. */
const GENERAL: readonly Rule[] = [
  redirected,
  // A 403 for an exhausted quota: nothing remains, and the message gives no other reason.
  ({ answer, error, ruleFacts }, { now }) =>
    answer.status === 403 &&
    readQuota(answer.headers, now)?.remaining === 0 &&
    (error.messages.length === 0 || hasPhrase(ruleFacts, LIMIT_REACHED))
      ? LIMITED
      : null,
  ({ answer, ruleFacts }) => meaningOfCodes(answer.status, ruleFacts.types),
  phraseRule([400, 403, 503], LIMIT_REACHED, LIMITED),
  phraseRule([403], LACKS_SCOPE, verdict('AUTH')),
  phraseRule([400, 403], UNAUTHENTICATED, verdict('AUTH')),
  phraseRule([400, 422], ALREADY_EXISTS, verdict('CONFLICT')),
]

/** Judges status, machine codes and phrases, without the rules of any upstream. */
export function generalVerdict(facts: AnswerFacts, circumstances: Circumstances): Verdict {
  for (const rule of GENERAL) {
    const judged = rule(facts, circumstances)
    if (judged) return judged
  }
  return verdictOfStatus(facts.answer.status, facts.answer.headers)
}

/** A phrase counts only with a status that leaves the meaning open. */
function phraseRule(statuses: readonly number[], phrase: RegExp, meaning: Verdict): Rule {
  return ({ answer, ruleFacts }) =>
    statuses.includes(answer.status) && hasPhrase(ruleFacts, phrase) ? meaning : null
}

/** Statuses so general that a machine code may say more precisely what is wrong. */
const OPEN_STATUSES: readonly number[] = [200, 400, 402, 403, 405, 406, 422]
/** Codes that may refine a 5xx: AWS's SlowDown is a 503. */
const SERVER_MEANINGS: readonly ErrorCode[] = ['RATE_LIMIT', 'TIMEOUT']

/**
 * The most specific meaning that differs from the status, unless another code confirms the status more specifically.
 * Many bodies first repeat the status as a code (`PERMISSION_DENIED` in a 403) and then give the real reason
 * (`rateLimitExceeded`).
 */
function meaningOfCodes(status: number, codes: readonly string[]): Verdict | null {
  const general = verdictOfStatus(status, {}).code
  const meanings = codes.map(meaningOfCode)
  const other = mostSpecific(meanings.filter(meaning => refines(status, meaning)))
  const same = mostSpecific(meanings.filter(meaning => meaning?.verdict.code === general))
  if (!other || (same && same.rank >= other.rank + RANK.general)) return null
  // After a 4xx the service applied nothing.
  return status >= 500 ? other.verdict : { ...other.verdict, writeOutcome: 'not_applied' }
}

/** Whether a code may say more than the status. After a 4xx, a code that blames the service is not believed. */
function refines(status: number, meaning: Meaning | null): boolean {
  if (!meaning || meaning.rank < RANK.general) return false
  const { code } = meaning.verdict
  if (code === verdictOfStatus(status, {}).code) return false
  return status >= 500
    ? SERVER_MEANINGS.includes(code)
    : OPEN_STATUSES.includes(status) && code !== 'SERVER'
}

function redirected({ answer }: AnswerFacts, { path, origin }: Circumstances): Verdict | null {
  if (answer.status < 300 || answer.status >= 400) return null
  const location = resolveLocation(answer, { path }, origin)
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

/** Makes the failure for an answer: the verdict with the upstream's message, the wait and the details. */
export function failureFromAnswer(
  judged: Verdict,
  { answer, body, error, ruleFacts }: AnswerFacts,
  { upstream, secrets, now }: Circumstances,
): Failure {
  const reason = judged.message ?? error.messages.slice(0, 3).join(': ')
  return toFailure(judged, {
    headers: answer.headers,
    body,
    message: `${upstream} answered ${answer.status}${reason === '' ? ' without a message' : `: ${reason}`}`,
    details: errorDetails(error.fields, ruleFacts.types, answer.headers),
    secrets,
    now,
  })
}

function hasPhrase({ messages }: FailureFacts, phrase: RegExp): boolean {
  return messages.some(message => phrase.test(message))
}
