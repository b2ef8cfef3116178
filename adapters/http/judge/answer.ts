import type { Failure } from '../../../src/model/failure.ts'
import { verdictOfStatus } from '../../failures/status.ts'
import { type Verdict, verdict } from '../../failures/verdict.ts'
import { readErrorDocument } from '../../failures/vocabulary/error-document.ts'
import { verdictOfCodes } from '../../failures/vocabulary/machine-code.ts'
import { type AnswerFacts, type Circumstances, factsOf } from '../read/answer-facts.ts'
import { type HttpAnswer, isSuccessStatus } from '../wire/answer.ts'
import { applyRules, failureFromAnswer, generalVerdict } from './classify.ts'
import { unreadableVerdict } from './unreadable.ts'

/** Classifies an answer of a JSON API that is not a success. */
export function classifyAnswer(facts: AnswerFacts, circumstances: Circumstances): Failure {
  const general = restVerdict(facts, circumstances)
  return failureFromAnswer(
    applyRules(facts.ruleFacts, circumstances.rules, general),
    facts,
    circumstances,
  )
}

const NOT_READY = verdict('NOT_READY', { message: 'the result is still being computed' })

function restVerdict(facts: AnswerFacts, circumstances: Circumstances): Verdict {
  const { status } = facts.answer
  if (isNotReady(status, circumstances)) return NOT_READY
  if (isSuccessStatus(status)) return refusalVerdict(facts)
  return generalVerdict(facts, circumstances)
}

/** Whether a read was only accepted (202) and its result is still to come. */
export function isNotReady(status: number, { effect }: Pick<Circumstances, 'effect'>): boolean {
  return status === 202 && effect === 'read'
}

/** An error document under a status of success: by its codes, else by the status that it names. */
export function refusalVerdict({ ruleFacts, body }: AnswerFacts): Verdict {
  const status = readErrorDocument(body)?.status ?? null
  return (
    verdictOfCodes(ruleFacts.types) ??
    (status === null ? null : verdictOfStatus(status, {})) ??
    verdict('UNKNOWN', { fallback: false, writeOutcome: 'not_applied' })
  )
}

/** Classifies a success whose body cannot be read. */
export function classifyUnreadable(
  answer: HttpAnswer,
  cutShort: boolean,
  circumstances: Circumstances,
): Failure {
  const judged = unreadableVerdict(answer, cutShort)
  return failureFromAnswer(judged, factsOf(answer, answer.text, circumstances), circumstances)
}
