import { createHash } from 'node:crypto'
import type { Engine } from '../engine/engine.ts'
import type { Execution } from '../engine/execution.ts'
import type { Job } from '../engine/job.ts'
import { canonicalJson } from '../lib/canonical.ts'
import type { Answer } from '../model/envelope.ts'
import { GatewayError } from '../model/errors.ts'
import { createFailure } from '../model/failure.ts'
import type { Outcome, Verdict } from '../model/outcome.ts'
import type { Claim, Claimed } from '../state/idempotency.ts'

/** An answer given once already, under the same Idempotency-Key. */
export interface Replay {
  readonly replay: Answer
}

/** Sends a change, unless what it is given to settle first has come to an outcome already. */
type Send = (settled: () => Promise<Outcome | null>) => Promise<Outcome>

/**
 * Sends a change at most once for its Idempotency-Key. Without a key it is simply sent. What a dead
 * gateway left in flight is found out about before anything is sent again.
 * @throws {GatewayError} VALIDATION (422) for another input under the same key, CONFLICT while the first is running.
 */
export async function sendOnce(
  engine: Engine,
  execution: Execution,
  job: Job,
  send: Send,
): Promise<Outcome | Replay> {
  const { idempotencyKey, caller, route } = execution.request
  if (idempotencyKey === undefined) return await send(nothingToSettle)
  const fingerprint = createHash('sha256')
    .update(canonicalJson([job.input, route ?? null]))
    .digest('base64url')
  const claim: Claim = {
    caller: caller.name,
    capability: job.card.id,
    key: idempotencyKey,
    fingerprint,
    time: job.time,
  }
  const claimed = await claimKey(engine, claim)
  switch (claimed.kind) {
    case 'done':
      return { replay: claimed.answer }
    case 'running':
      throw new GatewayError(
        'CONFLICT',
        'The first request with this Idempotency-Key is still running. Wait for it.',
        {
          source: 'caller',
          retryAfterMs: 1000,
        },
      )
    case 'mismatch':
      throw new GatewayError(
        'VALIDATION',
        'This Idempotency-Key was used with another input. Use a new key.',
        {
          source: 'caller',
          status: 422,
          details: {
            fields: [{ path: 'idempotency-key', message: 'was used with another input' }],
          },
        },
      )
    case 'interrupted':
      execution.claim = claim
      return await send(() => settleInterrupted(job, claimed.time))
    case 'new':
      execution.claim = claim
      return await send(nothingToSettle)
  }
}

const nothingToSettle = async () => null

/**
 * After the answer is known: kept if anything may have been applied, forgotten if surely nothing was. If
 * that cannot be stored, the key stays taken: a repeat is refused, and this answer is as good as any.
 */
export async function settleClaim(
  engine: Engine,
  { claim, id }: Execution,
  answer: Answer,
): Promise<void> {
  if (!claim) return
  const { idempotency } = engine.state
  const { envelope } = answer
  const surelyNothing =
    !envelope.ok && (envelope.error.write_outcome ?? 'not_applied') === 'not_applied'
  try {
    await (surelyNothing ? idempotency.release(claim) : idempotency.complete(claim, answer))
  } catch (error) {
    engine.onBug(error as Error, id)
  }
}

/** Without the store nobody can promise that the change is made once, so it is not made at all. */
async function claimKey(engine: Engine, claim: Claim): Promise<Claimed> {
  try {
    return await engine.state.idempotency.claim(claim)
  } catch (error) {
    throw new GatewayError(
      'SERVER',
      'Whether this Idempotency-Key was used cannot be found out now, so nothing was sent. Try again.',
      { status: 503, retryAfterMs: 1000, cause: error },
    )
  }
}

/** Null when it may be sent (again). */
async function settleInterrupted(job: Job, time: number): Promise<Outcome | null> {
  if (job.card.effect !== 'write') return null
  const verdict: Verdict = job.card.verify ? await job.verify(time) : { kind: 'unknown' }
  const route = job.plan.candidates[0]?.route ?? null
  switch (verdict.kind) {
    case 'absent':
      return null
    case 'found':
      return { ok: true, data: verdict.data, route: route ?? 'rest', reason: 'RECOVERED' }
    case 'unknown':
      return { ok: false, failure: interrupted(), route, reason: 'WRITE_OUTCOME_UNKNOWN' }
  }
}

function interrupted() {
  return createFailure(
    'UNKNOWN',
    'The gateway stopped while the first request with this Idempotency-Key was in flight; whether it was applied is not known.',
  )
}
