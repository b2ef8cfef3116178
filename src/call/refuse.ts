import { answerError } from '../answer/to-answer.ts'
import type { Engine } from '../engine/engine.ts'
import { beginExecution, beginSpans, subjectOf } from '../engine/execution.ts'
import type { Answer } from '../model/envelope.ts'
import type { GatewayError } from '../model/errors.ts'
import type { ExecuteRequest } from '../model/execute-request.ts'
import { record, toRecord } from './record.ts'

/** Answers a call that is not to be made, for a fault that shows before the pipeline, and records that. */
export async function refuse(
  engine: Engine,
  request: ExecuteRequest,
  error: GatewayError,
): Promise<Answer> {
  const execution = beginExecution(engine, request)
  execution.card = engine.catalog.get(request.capability) ?? null
  const answer = answerError(execution, error)
  const finished = toRecord(engine, execution, answer)
  beginSpans(engine, execution)?.end(finished)
  await record(engine, finished)
  return { ...answer, subject: subjectOf(execution) }
}
