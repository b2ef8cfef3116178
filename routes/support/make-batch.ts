import type { Calls } from '../../src/call/calls.ts'
import type { BatchRequest } from '../../src/call/execute-batch.ts'
import type { Answer, Meta } from '../../src/model/envelope.ts'
import type { ExplainedBatch } from '../../src/model/explained-batch.ts'
import { type Budget, toBudget } from '../../src/render/budget/budget.ts'
import { createFitting } from '../../src/render/fitting.ts'
import type { Knowledge, Presentation } from '../../src/render/render.ts'
import { answerBatch, requireRoom } from './batch-answer.ts'
import {
  type FittedCall,
  type PresentedCall,
  readBatch,
  type SharedOptions,
} from './batch-calls.ts'
import type { BatchBody } from './batch-schema.ts'

/** A batch, as a door has read it. */
export interface AskedBatch {
  readonly body: BatchBody
  readonly shared: SharedOptions
  /** For the calls that choose none themselves. */
  readonly presentation: Presentation
  readonly metaNow: () => Meta
  /** The text that the door sends. */
  readonly write: (answer: Answer) => string
}

interface Ready {
  readonly calls: readonly FittedCall[]
  readonly budget: Budget | null
  readonly stopOnError: boolean
}

/** @throws {GatewayError} VALIDATION, before anything is sent, for a batch that is faulty as a whole */
function prepare(knowledge: Knowledge, { body, metaNow, ...asked }: AskedBatch): Ready {
  const { calls: values, stop_on_error: stopOnError = false, token_budget } = body
  const budget = token_budget === undefined ? null : toBudget(token_budget)
  const calls = readBatch(asked.shared, values, asked.presentation).map(call =>
    withFitting(knowledge, call),
  )
  requireRoom(knowledge, calls, { meta: metaNow(), budget, write: asked.write })
  return { calls, budget, stopOnError }
}

/** The record of each call tells what its own budget leaves of its answer. How much the batch's leaves is known only after all calls. */
function withFitting(knowledge: Knowledge, call: PresentedCall): FittedCall {
  const fitting = createFitting(knowledge, call.presentation)
  return { ...call, fitting, request: { ...call.request, fit: fitting.fit } }
}

/**
 * Makes the calls of a batch, and answers for all of them.
 * @throws {GatewayError} VALIDATION, before anything is sent, for a batch that is faulty as a whole
 */
export async function makeBatch(
  calls: Pick<Calls, 'executeBatch'>,
  knowledge: Knowledge,
  asked: AskedBatch,
  how: Omit<BatchRequest, 'calls' | 'stopOnError'>,
): Promise<Answer> {
  const ready = prepare(knowledge, asked)
  const door = { meta: asked.metaNow(), budget: ready.budget, write: asked.write }
  const counts = new Map<number, number>()
  const onItems = (index: number, count: number) => {
    const whole = new Map(counts).set(index, count)
    const made = ready.calls.flatMap((call, at) => Array(whole.get(at) ?? 1).fill(call))
    requireRoom(knowledge, made, door, 'None of these calls was made.')
    counts.set(index, count)
  }
  const answers = await calls.executeBatch({ ...how, ...ready, onItems })
  return answerBatch(knowledge, ready.calls, answers, { ...door, meta: asked.metaNow() })
}

/**
 * Says what a batch would do. Sends nothing.
 * @throws {GatewayError} VALIDATION for a batch that is faulty as a whole
 */
export async function explainBatch(
  calls: Pick<Calls, 'explainBatch'>,
  knowledge: Knowledge,
  asked: AskedBatch,
): Promise<ExplainedBatch> {
  return await calls.explainBatch(prepare(knowledge, asked))
}
