import { createHash } from 'node:crypto'
import type { Engine } from '../engine/engine.ts'
import type { Execution } from '../engine/execution.ts'
import type { Run } from '../engine/run.ts'
import { canonicalJson } from '../lib/canonical.ts'
import type { Answer } from '../model/envelope.ts'
import { GatewayError } from '../model/errors.ts'
import { MEMBER_NAMES } from '../model/option-names.ts'
import type { Outcome } from '../model/outcome.ts'
import type { RefusalReason } from '../model/refusal-reason.ts'
import { type Claim, type Claimed, KEY_KEPT_MS } from '../state/idempotency.ts'
import { settleInterrupted } from './settle-interrupted.ts'

/** The stored answer of an earlier request with the same Idempotency-Key. */
export interface Replay {
  readonly replay: Answer
}

/**
 * Sends a change, unless `settled` finds that an earlier attempt at it came to an outcome; null if there was no earlier
 * attempt.
 */
type Send = (settled: (() => Promise<Outcome | null>) | null) => Promise<Outcome>

/**
 * Sends a change at most once per Idempotency-Key; without a key it simply sends it. If a gateway died while the
 * first request was in flight, finds out what became of that request before sending anything again.
 * @throws {GatewayError} VALIDATION (422) for another input or credential under the same key, CONFLICT while the first is running.
 */
export async function sendOnce(
  execution: Execution,
  run: Run,
  send: Send,
): Promise<Outcome | Replay> {
  const { idempotencyKey } = execution.request
  if (idempotencyKey === undefined) return await send(null)
  const claim = claimOf(execution, run, idempotencyKey)
  const claimed = await claimKey(run, claim)
  switch (claimed.kind) {
    case 'done':
      execution.sentAfter = run.time - KEY_KEPT_MS
      execution.answerFrom = {
        how: 'replay',
        request_id: claimed.answer.envelope.meta.request_id,
        borrowed: true,
      }
      return { replay: claimed.answer }
    case 'running':
      throw stillRunning(claimed.time)
    case 'mismatch':
      throw otherCall(execution, claimed.time)
    case 'interrupted':
      execution.claim = claim
      execution.sentAfter = claimed.time
      return await send(() => takeUp(execution, run, claimed.time))
    case 'new':
      execution.claim = claim
      return await send(null)
  }
}

/** Finds out what became of an interrupted request, and notes which one it was, also if this one has to be sent. */
async function takeUp(execution: Execution, run: Run, time: number): Promise<Outcome | null> {
  const outcome = await settleInterrupted(run, time)
  const request_id = await findInterrupted(execution, run, time)
  execution.answerFrom = { how: 'interrupted', request_id, borrowed: false }
  return outcome
}

/** The interrupted request, if the journal has it: the claim knows only its time. */
async function findInterrupted(
  { request }: Execution,
  { engine, card }: Run,
  time: number,
): Promise<string | null> {
  const filter = { capability: card.id, caller: request.caller.name, since: time, until: time + 1 }
  try {
    const { items } = await engine.journal.requests(filter, { limit: 2 })
    return items.length === 1 ? (items[0]?.request_id ?? null) : null
  } catch {
    return null
  }
}

/**
 * The same change by another route is no other change: an agent that pins another route after a failure must get the first
 * answer, not the advice to use a new key, which would make the change again.
 */
function claimOf({ request, credential }: Execution, run: Run, key: string): Claim {
  const fingerprint = createHash('sha256')
    // The place of the route, which earlier versions included: their claims hold for a day.
    .update(canonicalJson([run.input, null, credential?.id ?? null]))
    .digest('base64url')
  return {
    caller: request.caller.name,
    capability: run.card.id,
    key,
    fingerprint,
    time: run.time,
  }
}

/** @param time when the request that holds the key began; epoch milliseconds */
function stillRunning(time: number): GatewayError {
  return new GatewayError(
    'CONFLICT',
    'The first request with this Idempotency-Key is still running. Wait for it.',
    {
      source: 'caller',
      retryable: true,
      writeOutcome: null,
      retryAfterMs: 1000,
      details: heldSince(time),
    },
  )
}

/** A new key for the same input would make the change of the first request again, which may have been made. */
function otherCall({ request }: Execution, time: number): GatewayError {
  const { idempotencyKey: path } = request.optionNames ?? MEMBER_NAMES
  const message = 'was used with another input or credential'
  return new GatewayError(
    'VALIDATION',
    `This Idempotency-Key ${message}. Use a new key only for another change; to learn what became of the first, send that call again.`,
    {
      source: 'caller',
      status: 422,
      details: {
        fields: [{ path, message }],
        ...heldSince(time),
      },
    },
  )
}

/** Leads to the request that holds the key: the journal knows when it began. */
function heldSince(time: number): { readonly held_since: string } {
  return { held_since: new Date(time).toISOString() }
}

/**
 * Stores the answer under its key if anything may have been applied, and releases the key if certainly nothing
 * was. If the store fails the key stays taken: a repeat is then refused, and the caller still has this answer.
 */
export async function settleClaim(
  engine: Engine,
  { claim, deadline }: Execution,
  answer: Answer,
): Promise<void> {
  if (!claim) return
  const { idempotency } = engine.state
  const { envelope, status } = answer
  const isUnapplied =
    !envelope.ok && (envelope.error.write_outcome ?? 'not_applied') === 'not_applied'
  try {
    const left = deadline.remaining()
    await (isUnapplied
      ? idempotency.release(claim, left)
      : idempotency.complete(claim, { envelope, status }, left))
  } catch {
    // The store has reported its outage.
  }
}

/** Without the store nobody can promise that a change is made once, so don't make it at all. */
async function claimKey({ engine, deadline }: Run, claim: Claim): Promise<Claimed> {
  try {
    return await engine.state.idempotency.claim(claim, deadline.remaining())
  } catch (error) {
    throw new GatewayError(
      'SERVER',
      'The Idempotency-Key store is unavailable, so nothing was sent. Try again.',
      {
        status: 503,
        retryAfterMs: 1000,
        details: { refused: 'keys' satisfies RefusalReason },
        cause: error,
      },
    )
  }
}
