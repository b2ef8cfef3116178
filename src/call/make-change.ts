import { runPlan } from '../attempt/run-plan.ts'
import { verifyWrite } from '../attempt/verify.ts'
import type { Execution } from '../engine/execution.ts'
import { beginRun, type Run, type RunFacts } from '../engine/run.ts'
import { keyHashOf } from '../journal/key-hash.ts'
import { withTimeout } from '../lib/deadline.ts'
import { batchNamesOf } from '../model/batch-names.ts'
import { createFailure } from '../model/failure.ts'
import type { Outcome } from '../model/outcome.ts'
import { requireApproval } from './approve.ts'
import { requireRoute } from './call-errors.ts'
import { forgetTouched } from './from-memory.ts'
import { type Replay, sendOnce } from './send-once.ts'
import { toGatewayError } from './to-gateway-error.ts'

/** Makes a change, once per Idempotency-Key. */
export function makeChange(execution: Execution, facts: RunFacts): Promise<Outcome | Replay> {
  const { state, clock } = facts.engine
  const run: Run = beginRun({
    ...facts,
    verify: since => verifyWrite(run, since),
    mayChange: () => execution.claim === null || state.idempotency.holds(execution.claim),
  })
  return sendOnce(execution, run, async settled => {
    // An interrupted request may have made the change: find out about that before asking a person.
    const approve = () => requireApproval(execution, facts)
    if (settled === null) {
      requireRoute(facts)
      await approve()
    }
    await recordIntent(execution, run)
    const outcome = await state.recentWrites.track(run, clock.now, async () => {
      const earlier = settled && (await orUnknown(run, settled))
      if (earlier) return earlier
      if (settled) {
        requireRoute(facts)
        await approve()
      }
      return await orUnknown(run, () => runPlan(run))
    })
    await forgetTouched(run, outcome)
    return outcome
  })
}

/**
 * Records a write before it is sent, so that a crash leaves a trace and not a guess. A journal that cannot be
 * written fails no request: the answer carries a warning, and the journal has logged why.
 */
async function recordIntent({ request }: Execution, run: Run): Promise<void> {
  const { correlationId } = request
  const intent = {
    request_id: run.requestId,
    ...(correlationId === undefined ? {} : { correlation_id: correlationId }),
    ...batchNamesOf(request),
    time: run.time,
    caller: request.caller.name,
    capability_id: run.card.id,
    upstream: run.card.upstream.id,
    effect: run.card.effect,
    keyHash: request.idempotencyKey === undefined ? null : keyHashOf(request.idempotencyKey),
    route: run.plan.candidates[0]?.route ?? 'rest',
  }
  const written = run.engine.journal.intend(intent).catch(() => {})
  // If the database stays busy past the deadline, stop waiting: nothing has been sent yet.
  await withTimeout(run.deadline.remaining(), null, signal =>
    Promise.race([
      written,
      new Promise<void>(resolve => signal.addEventListener('abort', () => resolve())),
    ]),
  )
}

/** Once something may have been sent, even a bug must be reported with an unknown outcome. */
async function orUnknown<T>(run: Run, work: () => PromiseLike<T>): Promise<T | Outcome> {
  try {
    return await work()
  } catch (error) {
    const bug = toGatewayError(error)
    run.engine.onBug(error as Error, run.requestId)
    const failure = createFailure(bug.code, bug.message, { writeOutcome: 'unknown' })
    return { ok: false, failure, route: null, reason: 'WRITE_OUTCOME_UNKNOWN' }
  }
}
