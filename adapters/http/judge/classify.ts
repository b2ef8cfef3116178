import type { Failure } from '../../../src/model/failure.ts'
import type { FailureFacts, FailureRule } from '../../../src/model/failure-rule.ts'
import type { AnswerFacts, Circumstances } from '../read/answer-facts.ts'
import { errorDetails } from '../read/error-details.ts'
import { readQuota } from '../read/quota.ts'
import { resolveLocation } from '../wire/redirect.ts'
import { toFailure } from './failure.ts'
import { INTERMEDIARY_RULES } from './intermediaries.ts'
import { meaningOf } from './machine-codes.ts'
import { verdictOfStatus } from './status.ts'
import { ALREADY_THERE, LACKS_SCOPE, LIMIT_REACHED, UNAUTHENTICATED } from './texts.ts'
import { applyRule, type Verdict, verdict } from './verdict.ts'

/**
 * What a failed answer means: the upstream's own rules, then those of proxies and CDNs, which may have
 * answered in its place, then `general`.
 */
export function judge(
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

/** What holds for any upstream, beyond the bare status. The first that has an answer decides. */
const GENERAL: readonly Rule[] = [
  redirected,
  // A quota in the clothes of a refusal: the count is at zero, and no other reason is given.
  ({ answer, error, rule }, { now }) =>
    answer.status === 403 &&
    readQuota(answer.headers, now)?.remaining === 0 &&
    (error.messages.length === 0 || says(rule, LIMIT_REACHED))
      ? LIMITED
      : null,
  ({ answer, rule }) => meaningOfCodes(answer.status, rule.types),
  said([400, 403, 503], LIMIT_REACHED, LIMITED),
  said([403], LACKS_SCOPE, verdict('AUTH')),
  said([400, 403], UNAUTHENTICATED, verdict('AUTH')),
  said([400, 422], ALREADY_THERE, verdict('CONFLICT')),
]

/** The meaning of status, machine codes and words, without regard to who answered. */
export function generalVerdict(facts: AnswerFacts, circumstances: Circumstances): Verdict {
  for (const rule of GENERAL) {
    const judged = rule(facts, circumstances)
    if (judged) return judged
  }
  return verdictOfStatus(facts.answer.status, facts.answer.headers)
}

/** Words count only for statuses that leave open what they could say. */
function said(statuses: readonly number[], pattern: RegExp, meaning: Verdict): Rule {
  return ({ answer, rule }) =>
    statuses.includes(answer.status) && says(rule, pattern) ? meaning : null
}

/** Statuses so general that a machine code may say what is really meant. */
const OPEN_STATUSES: readonly number[] = [200, 400, 402, 403, 405, 406, 422]
/** What a code may turn a 5xx into: AWS's SlowDown is a 503. */
const SERVER_MEANINGS: readonly string[] = ['RATE_LIMIT', 'TIMEOUT']

/**
 * The meaning of the first code that says more than the status. Many bodies repeat the status in words
 * (`PERMISSION_DENIED` in a 403) before they come to the point (`rateLimitExceeded`).
 */
function meaningOfCodes(status: number, codes: readonly string[]): Verdict | null {
  const general = verdictOfStatus(status, {}).code
  for (const code of codes) {
    const meaning = meaningOf(code)
    if (!meaning || meaning.code === general) continue
    // A service that blames the request with a 4xx does not blame itself in the code, and did nothing.
    if (OPEN_STATUSES.includes(status) && meaning.code !== 'SERVER') {
      return { ...meaning, writeOutcome: 'not_applied' }
    }
    if (status >= 500 && SERVER_MEANINGS.includes(meaning.code)) return meaning
  }
  return null
}

function redirected({ answer }: AnswerFacts, { path, origin }: Circumstances): Verdict | null {
  if (answer.status < 300 || answer.status >= 400) return null
  const location = resolveLocation(answer, { path }, origin)
  if (location && location.origin !== origin) {
    return verdict('FORBIDDEN', {
      message: `it redirects to ${location.origin}, and credentials go to ${origin} only`,
    })
  }
  return verdict('OUTPUT_INVALID', {
    fallback: false,
    // 303 means that the request was processed and its result lies elsewhere.
    writeOutcome: answer.status === 303 ? 'unknown' : 'not_applied',
    message: 'it redirects, and following would have changed the request',
  })
}

/** Adds the upstream's words, the waiting time and the details to a verdict on an answer. */
export function answerFailure(
  judged: Verdict,
  { answer, body, error, rule }: AnswerFacts,
  { upstream, secrets, now }: Circumstances,
): Failure {
  const words = judged.message ?? error.messages.slice(0, 3).join(': ')
  return toFailure(judged, {
    headers: answer.headers,
    body,
    words: `${upstream} answered ${answer.status}${words === '' ? ' without a message' : `: ${words}`}`,
    details: errorDetails(error.fields, rule.types, answer.headers),
    secrets,
    now,
  })
}

function says({ messages }: FailureFacts, pattern: RegExp): boolean {
  return messages.some(message => pattern.test(message))
}
