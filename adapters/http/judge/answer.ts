import type { Failure } from '../../../src/model/failure.ts'
import { afterSuccess } from '../../failures/progress.ts'
import { refusalVerdict } from '../../failures/refusal.ts'
import { type Verdict, verdict } from '../../failures/verdict.ts'
import { type AnswerFacts, type Circumstances, factsOf } from '../read/answer-facts.ts'
import { type HttpAnswer, isSuccessStatus } from '../wire/answer.ts'
import { failureByRules, failureFromAnswer, generalVerdict, refusalOf } from './classify.ts'
import { type UnreadableFault, unreadableVerdict } from './unreadable.ts'

/** Classifies an answer of a JSON API that is not a success. */
export function classifyAnswer(facts: AnswerFacts, circumstances: Circumstances): Failure {
  return failureByRules(restVerdict(facts, circumstances), facts, circumstances)
}

const NOT_READY = verdict('NOT_READY', { message: 'the result is still being computed' })

function restVerdict(facts: AnswerFacts, circumstances: Circumstances): Verdict {
  const { status } = facts.answer
  if (isNotReady(status, circumstances)) return NOT_READY
  if (isSuccessStatus(status)) return refusalVerdict(facts.signals, refusalOf(facts, circumstances))
  return generalVerdict(facts, circumstances)
}

/** Whether a read was only accepted (202) and its result is still to come. */
export function isNotReady(status: number, { effect }: Pick<Circumstances, 'effect'>): boolean {
  return status === 202 && effect === 'read'
}

/** Classifies a success whose body cannot be read. */
export function classifyUnreadable(
  answer: HttpAnswer,
  fault: UnreadableFault,
  circumstances: Circumstances,
): Failure {
  const judged = afterSuccess(unreadableVerdict(answer, fault), circumstances.effect)
  return failureFromAnswer(judged, factsOf(answer, answer.text, circumstances), circumstances)
}
