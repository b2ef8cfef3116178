import { needsApproval } from '../access/permission.ts'
import { plannedSteps } from '../attempt/follow-ups.ts'
import { inputError } from '../cards/input-error.ts'
import type { Engine } from '../engine/engine.ts'
import { beginExecution } from '../engine/execution.ts'
import { isObject } from '../lib/is-object.ts'
import type { Card } from '../model/card.ts'
import { GatewayError } from '../model/errors.ts'
import type { ExecuteRequest } from '../model/execute-request.ts'
import { problemsOf } from '../model/failed-envelope.ts'
import type { ExplainedPlan } from '../model/plan.ts'
import { findAllowed, planRun, readCall } from './execute.ts'
import { recollectionOf } from './from-memory.ts'
import type { Origin } from './references.ts'

/**
 * The plan for an input as things stand now, and whether memory would answer. Sends nothing.
 * @param unknown members that the input has no value for yet: they are null, and nobody faults them
 */
export async function explain(
  engine: Engine,
  request: ExecuteRequest,
  unknown: readonly Pick<Origin, 'path'>[] = [],
): Promise<ExplainedPlan> {
  const execution = beginExecution(engine, request)
  const card = findAllowed(engine, execution)
  const call = readCall(engine, execution, card, input => parseKnown(card, input, unknown))
  const { plan } = await planRun(engine, execution, call)
  // Memory keeps answers by their whole input.
  const memory = unknown.length > 0 ? null : await recollectionOf(engine, execution, call)
  const steps = plannedSteps(card, plan, execution.input ?? {})
  return {
    ...plan,
    ...(steps.length > 0 && { follow_ups: steps }),
    ...(memory === null ? {} : { memory }),
    ...(needsApproval(request.caller, card) ? { needs_approval: true } : {}),
  }
}

/** @throws {GatewayError} VALIDATION for the faults that later values cannot mend */
function parseKnown(
  card: Card,
  input: unknown,
  unknown: readonly Pick<Origin, 'path'>[],
): Readonly<Record<string, unknown>> {
  try {
    return card.parseInput(input)
  } catch (error) {
    if (unknown.length === 0 || !(error instanceof GatewayError)) throw error
    const known = problemsOf(error).filter(
      fault => !unknown.some(origin => isNear(fault.path, origin.path)),
    )
    if (known.length > 0) throw inputError(card.id, card.input, known)
    return isObject(input) ? input : {}
  }
}

/** Whether one place is within the other: a fault of a list may come from one of its items. */
function isNear(one: string, other: string): boolean {
  return isWithin(one, other) || isWithin(other, one)
}

function isWithin(inner: string, outer: string): boolean {
  return outer === '' || inner === outer || inner.startsWith(`${outer}.`)
}
