import type { Failure } from '../../src/outcome.ts'
import type { HttpAnswer } from '../http/answer.ts'
import { type AnswerFacts, type Circumstances, factsOf } from '../http/answer-facts.ts'
import { answerFailure, generalVerdict, judge } from '../http/classify.ts'
import { type Verdict, verdict } from '../http/verdict.ts'

/** What an answer means that is no success. */
export function classifyAnswer(facts: AnswerFacts, circumstances: Circumstances): Failure {
  const general = isNotReady(facts.answer.status, circumstances)
    ? NOT_READY
    : generalVerdict(facts, circumstances)
  const judged = judge(facts.rule, circumstances.rules, general)
  return answerFailure(judged, facts, circumstances)
}

const NOT_READY = verdict('NOT_READY', { message: 'the result is still being computed' })

/** A read that is answered 202 has been accepted, but this is not yet its result. */
export function isNotReady(status: number, { effect }: Pick<Circumstances, 'effect'>): boolean {
  return status === 202 && effect === 'read'
}

/** A success whose body cannot be read. Its status stands, unless a web page came in the answer's stead. */
export function classifyUnreadable(
  answer: HttpAnswer,
  cutShort: boolean,
  circumstances: Circumstances,
): Failure {
  const judged = unreadable(answer, cutShort)
  return answerFailure(judged, factsOf(answer, answer.text, circumstances), circumstances)
}

function unreadable({ text, headers }: HttpAnswer, cutShort: boolean): Verdict {
  const invalid = (message: string, known: Partial<Verdict> = {}) =>
    verdict('OUTPUT_INVALID', { writeOutcome: 'applied', message, ...known })
  if (text === '') return invalid('the answer is empty', { retryable: true })
  if (isWebPage(text, headers['content-type'] ?? '')) {
    return invalid('a web page came where JSON was due', { writeOutcome: 'unknown' })
  }
  if (cutShort) return invalid('the JSON ends in the middle', { retryable: true })
  return invalid('the answer is not JSON')
}

/** Login pages and captive portals: what sent them may never have asked the upstream. */
function isWebPage(text: string, type: string): boolean {
  return /html/i.test(type) || (!/json/i.test(type) && text.trimStart().startsWith('<'))
}
