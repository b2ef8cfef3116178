import { mayCall } from '../access/permission.ts'
import { answerError } from '../answer/to-answer.ts'
import type { Engine } from '../engine/engine.ts'
import { beginExecution } from '../engine/execution.ts'
import type { EnvelopeError } from '../model/envelope.ts'
import { GatewayError } from '../model/errors.ts'
import type { ExecuteRequest } from '../model/execute-request.ts'
import type { ExplainedBatch, ExplainedStep } from '../model/explained-batch.ts'
import type { ExplainedPlan } from '../model/plan.ts'
import type { BatchedCall } from './batch-run.ts'
import type { Step } from './batch-steps.ts'
import { noRoute } from './call-errors.ts'
import { type BatchRequest, orderCalls } from './execute-batch.ts'
import { explain } from './explain.ts'
import { type Origin, UNRESOLVED } from './references.ts'

/**
 * Says what a batch would do, as far as it is known before the batch runs. Sends nothing.
 * @throws {GatewayError} VALIDATION for calls that refer to others in a way that cannot work
 */
export async function explainBatch(
  engine: Engine,
  request: Pick<BatchRequest, 'calls' | 'stopOnError'>,
): Promise<ExplainedBatch> {
  const steps = orderCalls(engine, request)
  const calls = await Promise.all(steps.map(step => explainStep(engine, request.calls, step)))
  const faulty = calls.filter(({ error }) => error !== null).length
  return { status: faulty === 0 ? 'ready' : 'faulty', total: calls.length, faulty, calls }
}

async function explainStep(
  engine: Engine,
  calls: readonly BatchedCall[],
  step: Step,
): Promise<ExplainedStep> {
  const call = calls[step.index] as BatchedCall
  const { capability, caller } = call.request
  const card = engine.catalog.get(capability)
  const [list] = step.items?.origins ?? []
  return {
    id: call.id,
    capability_id: capability,
    effect: card && mayCall(caller, card) ? card.effect : null,
    order: step.wave + 1,
    needs: step.needs.map(need => calls[need]?.id ?? ''),
    for_each: list ? { from: list.reference.from ?? '', path: list.reference.path } : null,
    resolved_later: step.input.origins.map(resolvedLater),
    ...(await planStep(engine, call, step)),
  }
}

function resolvedLater({ path, reference }: Origin) {
  return { member: path, from: reference.from, path: reference.path }
}

async function planStep(
  engine: Engine,
  { request, refused }: BatchedCall,
  { input }: Step,
): Promise<{ readonly plan: ExplainedPlan | null; readonly error: EnvelopeError | null }> {
  try {
    if (refused) throw refused
    const known = { ...request, input: input.bind(UNRESOLVED) }
    const plan = await explain(engine, known, input.origins)
    const card = engine.catalog.get(request.capability)
    const isStuck = card !== undefined && plan.candidates.length === 0
    return { plan, error: isStuck ? describe(engine, request, noRoute(card, plan)) : null }
  } catch (error) {
    if (!(error instanceof GatewayError)) throw error
    return { plan: null, error: describe(engine, request, error) }
  }
}

/** The error as the call itself would get it. */
function describe(engine: Engine, request: ExecuteRequest, error: GatewayError) {
  const execution = beginExecution(engine, request)
  execution.card = engine.catalog.get(request.capability) ?? null
  return answerError(execution, error).envelope.error
}
