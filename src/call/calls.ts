import type { Engine } from '../engine/engine.ts'
import type { Answer } from '../model/envelope.ts'
import type { GatewayError } from '../model/errors.ts'
import type { ExecuteRequest } from '../model/execute-request.ts'
import type { ExplainedBatch } from '../model/explained-batch.ts'
import type { ExplainedPlan } from '../model/plan.ts'
import { execute } from './execute.ts'
import { type BatchedAnswer, type BatchRequest, executeBatch } from './execute-batch.ts'
import { explain } from './explain.ts'
import { explainBatch } from './explain-batch.ts'
import { createRefusalRecorder, type Refusal, refuse } from './refuse.ts'

/** The pipeline as endpoints see it: all that can be done with a call. */
export interface Calls {
  execute(request: ExecuteRequest): PromiseLike<Answer>
  executeBatch(batch: BatchRequest): Promise<readonly BatchedAnswer[]>
  explain(request: ExecuteRequest): Promise<ExplainedPlan>
  explainBatch(batch: Pick<BatchRequest, 'calls' | 'stopOnError'>): Promise<ExplainedBatch>
  /** Answers a call with an error found before the pipeline, and records it. */
  refuse(request: ExecuteRequest, error: GatewayError): Promise<Answer>
  /** Records a call that an endpoint has already refused. Never rejects. */
  readonly recordRefusal: (refusal: Refusal) => Promise<void>
}

export function createCalls(engine: Engine): Calls {
  return {
    execute: request => execute(engine, request),
    executeBatch: batch => executeBatch(engine, batch),
    explain: request => explain(engine, request),
    explainBatch: batch => explainBatch(engine, batch),
    refuse: (request, error) => refuse(engine, request, error),
    recordRefusal: createRefusalRecorder(engine),
  }
}
