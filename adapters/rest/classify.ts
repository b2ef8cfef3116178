import type { Failure } from '../../src/model/failure.ts'
import { answerFailure, generalVerdict, judge } from '../http/judge/classify.ts'
import { meaningOfFirst } from '../http/judge/machine-codes.ts'
import { unreadableVerdict } from '../http/judge/unreadable.ts'
import { type Verdict, verdict } from '../http/judge/verdict.ts'
import { type AnswerFacts, type Circumstances, factsOf } from '../http/read/answer-facts.ts'
import type { HttpAnswer } from '../http/wire/answer.ts'

/** What an answer means that is no success. */
export function classifyAnswer(facts: AnswerFacts, circumstances: Circumstances): Failure {
  const general = restVerdict(facts, circumstances)
  return answerFailure(judge(facts.rule, circumstances.rules, general), facts, circumstances)
}

const NOT_READY = verdict('NOT_READY', { message: 'the result is still being computed' })

function restVerdict(facts: AnswerFacts, circumstances: Circumstances): Verdict {
  const { status } = facts.answer
  if (isNotReady(status, circumstances)) return NOT_READY
  if (status >= 200 && status < 300) return refusalVerdict(facts)
  return generalVerdict(facts, circumstances)
}

/** A read that is answered 202 has been accepted, but this is not yet its result. */
export function isNotReady(status: number, { effect }: Pick<Circumstances, 'effect'>): boolean {
  return status === 202 && effect === 'read'
}

/**
 * Services that wrap every answer say in it whether it worked: `{"ok": false, "error": "…"}` and
 * `{"success": false, "errors": […]}` are failures, whatever the status.
 */
export function isRefusal(body: unknown): boolean {
  if (body === null || typeof body !== 'object' || Array.isArray(body)) return false
  const { ok, success, error, errors } = body as Readonly<Record<string, unknown>>
  if (ok === false) return typeof error === 'string' && error !== ''
  return success === false && Array.isArray(errors) && errors.length > 0
}

function refusalVerdict({ rule }: AnswerFacts): Verdict {
  return meaningOfFirst(rule.types) ?? verdict('UNKNOWN', { fallback: false })
}

/** A success whose body cannot be read. */
export function classifyUnreadable(
  answer: HttpAnswer,
  cutShort: boolean,
  circumstances: Circumstances,
): Failure {
  const judged = unreadableVerdict(answer, cutShort)
  return answerFailure(judged, factsOf(answer, answer.text, circumstances), circumstances)
}
