import { ExpressionError } from '../expressions/expression.ts'
import { isTruthy } from '../expressions/truth.ts'
import type { CallContext } from '../model/adapter.ts'
import type { FollowUp } from '../model/card.ts'
import type { Failure } from '../model/failure.ts'
import { createWarning, type Warning } from '../model/warnings.ts'

/** The value of `then.<name>` in `result`; null when its `when` was false. */
interface FollowUpResult {
  readonly done: boolean
  readonly body: unknown
}

type Scope = Readonly<Record<string, unknown>>

/**
 * Sends the requests that follow an applied change, in order, once each, by the same route. The change is made
 * already, so a follow-up that fails adds a warning and does not fail the call.
 */
export async function runFollowUps(
  followUps: readonly FollowUp[],
  scope: Scope,
  context: CallContext,
) {
  const results: Record<string, FollowUpResult | null> = {}
  const warnings: Warning[] = []
  let upstreamRequests = 0
  for (const followUp of followUps) {
    results[followUp.name] = null
    const seen = { ...scope, ...asThen(results) }
    const isDue = due(followUp, seen)
    if (isDue === false) continue
    if (isDue instanceof ExpressionError) {
      results[followUp.name] = { done: false, body: null }
      warnings.push(notDone(followUp, `${failed(followUp)}: ${isDue.message}`))
      continue
    }
    const reply = await followUp.call.call(seen, { ...context, effect: followUp.effect })
    upstreamRequests += reply.exchange.upstreamRequests
    const failure = reply.ok ? reply.partialFailure : reply.failure
    results[followUp.name] = { done: failure === null, body: reply.ok ? reply.body : null }
    if (failure) warnings.push(failureWarning(followUp, failure))
    else if (reply.ok) warnings.push(...reply.warnings)
  }
  return { results: asThen(results), warnings, upstreamRequests }
}

/** Warns about follow-ups we never sent: the write's answer was lost, and only `verify` confirmed the write. */
export function unsentFollowUps(followUps: readonly FollowUp[], input: Scope): readonly Warning[] {
  return followUps
    .filter(followUp => due(followUp, { input, lookup: {}, body: null, ...asThen({}) }) !== false)
    .map(followUp =>
      notDone(followUp, `The request to ${followUp.purpose} was not sent, as the answer was lost.`),
    )
}

/** Expressions see the results as `then`. */
function asThen(results: Readonly<Record<string, FollowUpResult | null>>): Scope {
  // oxlint-disable-next-line unicorn/no-thenable -- the value is no function
  return { then: results }
}

function due({ when }: FollowUp, scope: Scope): boolean | ExpressionError {
  try {
    return !when || isTruthy(when(scope))
  } catch (error) {
    if (error instanceof ExpressionError) return error
    throw error
  }
}

function failureWarning(followUp: FollowUp, { code, message, writeOutcome }: Failure): Warning {
  const what =
    writeOutcome === 'unknown'
      ? `It is not known whether the request to ${followUp.purpose} was carried out`
      : failed(followUp)
  return notDone(followUp, `${what}: ${message}`, { code, write_outcome: writeOutcome })
}

function failed({ purpose }: FollowUp): string {
  return `The request to ${purpose} failed`
}

function notDone({ name }: FollowUp, message: string, facts: object = {}): Warning {
  return createWarning('STEP_NOT_DONE', message, { details: { step: name, ...facts } })
}
