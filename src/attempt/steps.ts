import { ExpressionError, isTruthy } from '../expressions/expression.ts'
import type { CallContext } from '../model/adapter.ts'
import type { Step } from '../model/card.ts'
import type { Failure } from '../model/failure.ts'
import { createWarning, type Warning } from '../model/warnings.ts'

/** What `result` sees as `then.<name>`; null when the step was not called for. */
interface StepResult {
  readonly done: boolean
  readonly body: unknown
}

type Scope = Readonly<Record<string, unknown>>

/**
 * Makes the requests that follow an applied change, in order. Each is sent once, by this route: whatever
 * becomes of it, the change has been made, so what was not done is a warning and no failure.
 */
export async function runSteps(steps: readonly Step[], scope: Scope, context: CallContext) {
  const results: Record<string, StepResult | null> = {}
  const warnings: Warning[] = []
  let upstreamRequests = 0
  for (const step of steps) {
    results[step.name] = null
    const seen = { ...scope, ...asThen(results) }
    const isDue = due(step, seen)
    if (isDue === false) continue
    if (isDue instanceof ExpressionError) {
      results[step.name] = { done: false, body: null }
      warnings.push(notDone(step, `${failed(step)}: ${isDue.message}`))
      continue
    }
    const reply = await step.call.call(seen, { ...context, effect: step.effect })
    upstreamRequests += reply.exchange.upstreamRequests
    const failure = reply.ok ? reply.partialFailure : reply.failure
    results[step.name] = { done: failure === null, body: reply.ok ? reply.body : null }
    if (failure) warnings.push(failureWarning(step, failure))
    else if (reply.ok) warnings.push(...reply.warnings)
  }
  return { results: asThen(results), warnings, upstreamRequests }
}

/** What was left out of a change that was found to have happened after its answer had been lost. */
export function unsentSteps(steps: readonly Step[], input: Scope): readonly Warning[] {
  return steps
    .filter(step => due(step, { input, lookup: {}, body: null, ...asThen({}) }) !== false)
    .map(step =>
      notDone(step, `The request to ${step.purpose} was not sent, as the answer was lost.`),
    )
}

/** The name under which expressions see the results. */
function asThen(results: Readonly<Record<string, StepResult | null>>): Scope {
  // oxlint-disable-next-line unicorn/no-thenable -- the value is no function
  return { then: results }
}

function due({ when }: Step, scope: Scope): boolean | ExpressionError {
  try {
    return !when || isTruthy(when(scope))
  } catch (error) {
    if (error instanceof ExpressionError) return error
    throw error
  }
}

function failureWarning(step: Step, { code, message, writeOutcome }: Failure): Warning {
  const what =
    writeOutcome === 'unknown'
      ? `It is not known whether the request to ${step.purpose} was carried out`
      : failed(step)
  return notDone(step, `${what}: ${message}`, { code, write_outcome: writeOutcome })
}

function failed({ purpose }: Step): string {
  return `The request to ${purpose} failed`
}

function notDone({ name }: Step, message: string, facts: object = {}): Warning {
  return createWarning('STEP_NOT_DONE', message, { details: { step: name, ...facts } })
}
