import type { Engine } from '../engine/engine.ts'
import type { Execution } from '../engine/execution.ts'
import { type Caller, describeCaller } from '../model/caller.ts'
import { GatewayError } from '../model/errors.ts'
import { isOver, type Over } from '../state/key-limits.ts'

/**
 * Counts a call against the limits of its key.
 * @throws {GatewayError} RATE_LIMIT when the key has no call left
 */
export async function admit({ state, clock }: Engine, execution: Execution): Promise<void> {
  const { caller } = execution.request
  const { name, limits } = caller
  if (limits === undefined) return
  const left = execution.deadline.remaining()
  const entry = await state.keyLimits.enter(name, limits, clock.monotonic(), left)
  if (isOver(entry)) throw overLimit(caller, entry)
  execution.lease = entry
}

function overLimit(caller: Caller, { limit, allowed, retryAfterMs }: Over): GatewayError {
  const much = limit === 'concurrency' ? `${allowed} calls at once` : `${allowed} calls per minute`
  return new GatewayError(
    'RATE_LIMIT',
    `The ${describeCaller(caller)} may make ${much}. Wait, then send the call again.`,
    {
      retryAfterMs,
      details: { reason: 'KEY_LIMIT', limit, allowed },
    },
  )
}
