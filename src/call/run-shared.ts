import { runPlan } from '../attempt/run-plan.ts'
import type { Execution } from '../engine/execution.ts'
import { beginRun, type RunFacts } from '../engine/run.ts'
import { canonicalJson } from '../lib/canonical.ts'
import type { Signal } from '../lib/signal.ts'
import type { Outcome, RunResult } from '../model/outcome.ts'

/** Lets identical concurrent reads of one credential share a run. Each caller gets an envelope of its own. */
export function runShared(execution: Execution, facts: RunFacts): PromiseLike<Outcome> {
  const { request, credential } = execution
  const { engine, card, input, plan } = facts
  const routes = plan.candidates.map(candidate => candidate.route)
  const key = `${card.id} ${credential?.id} ${routes.join()} ${execution.deadline.timeoutMs} ${canonicalJson(input)}`
  const { held } = facts
  const work = (signal: Signal): PromiseLike<RunResult> => {
    // The caller that began the run may leave before it ends.
    held.share()
    const run = beginRun(facts, signal)
    const { attempts, warnings, requestId } = run
    return runPlan(run).then(outcome => ({ outcome, attempts, warnings, requestId, held }))
  }
  return engine.state.inFlight.run(key, request.signal ?? null, {
    work,
    end: () => held.release(),
    take: (value, joined) =>
      joined ? joinRun(execution, value) : noteConfirmed(execution, value.outcome),
  })
}

/** Notes whose answer a 304 has confirmed. */
function noteConfirmed(execution: Execution, outcome: Outcome): Outcome {
  if (outcome.ok && outcome.confirms !== undefined) {
    execution.answerFrom = { how: 'revalidated', request_id: outcome.confirms, borrowed: false }
  }
  return outcome
}

/** Takes over the outcome of a run that another caller began. */
function joinRun(execution: Execution, value: RunResult): Outcome {
  execution.joined = true
  execution.answerFrom = { how: 'coalesced', request_id: value.requestId, borrowed: true }
  value.held.share()
  execution.held = value.held
  execution.attempts.push(...value.attempts)
  execution.warnings.push(...value.warnings)
  return { ...value.outcome, reason: 'COALESCED' }
}
