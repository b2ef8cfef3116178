import type { Engine } from '../engine/engine.ts'
import { Deadline } from '../lib/deadline.ts'
import { inParallel } from '../lib/in-parallel.ts'
import type { Signal } from '../lib/signal.ts'
import type { Batch } from '../model/adapter.ts'
import type { Answer } from '../model/envelope.ts'
import type { GatewayError } from '../model/errors.ts'
import type { ExecuteRequest } from '../model/execute-request.ts'
import { execute } from './execute.ts'
import { refuse } from './refuse.ts'
import { toGatewayError } from './to-gateway-error.ts'

/** One call of a batch. */
export interface BatchedCall {
  readonly request: ExecuteRequest
  /** Why it cannot be made at all: it was not understood. */
  readonly refused: GatewayError | null
}

export interface BatchRequest {
  readonly batch: Batch
  readonly calls: readonly BatchedCall[]
  /** For all of it; the policy's when absent. */
  readonly timeoutMs?: number
  /** Aborts when the caller goes away. */
  readonly signal: Signal
}

/** Calls by how they may be made: `joint` ones share a request, `reads` have one each, `changes` wait for each other. */
type Lane = 'joint' | 'reads' | 'changes'

/** How many calls of a lane run at once. */
const AT_ONCE = {
  joint: Number.POSITIVE_INFINITY,
  reads: 8,
  // In the order given: services ask for it, and a caller can tell what came first.
  changes: 1,
} as const satisfies Record<Lane, number>

/** Runs several calls, each through the whole pipeline; answers in their order. Never rejects. */
export async function executeBatch(
  engine: Engine,
  { batch, calls, timeoutMs, signal }: BatchRequest,
): Promise<readonly Answer[]> {
  const { clock, policy } = engine
  const deadline = new Deadline(clock, Math.min(timeoutMs ?? policy.timeoutMs, policy.maxTimeoutMs))
  await lookForPrograms(engine, calls)
  const whole = Math.max(1, deadline.remaining())
  const answers: Answer[] = []
  let ended = 0
  const run = async (index: number) => {
    const call = calls[index] as BatchedCall
    // Those that begin with the batch have the same time: identical reads among them are one run.
    const left = ended === 0 ? whole : Math.max(1, deadline.remaining())
    const { timeoutMs: own = left } = call.request
    const request = { ...call.request, batch, signal, timeoutMs: Math.min(own, left) }
    answers[index] = await answerCall(engine, { ...call, request })
    ended++
  }
  const lanes = Object.entries(AT_ONCE).map(([lane, most]) => {
    const own = [...calls.keys()].filter(index => laneOf(engine, calls[index]) === lane)
    return inParallel(own, most, run)
  })
  await Promise.all(lanes)
  return answers
}

/**
 * Whether a program is there, and in which version, takes a while the first time. It is found out before the
 * first call: those that can go together must not come one by one.
 */
async function lookForPrograms({ catalog }: Engine, calls: readonly BatchedCall[]): Promise<void> {
  const cards = new Set(calls.map(({ request }) => catalog.get(request.capability)))
  const routes = [...cards].flatMap(card => card?.routes ?? [])
  await Promise.allSettled(routes.map(async ({ call }) => await call.unavailable()))
}

function laneOf({ catalog }: Engine, call: BatchedCall | undefined): Lane {
  const card = call?.refused === null ? catalog.get(call.request.capability) : undefined
  // Nothing is sent for it.
  if (!card) return 'joint'
  if (card.effect !== 'read') return 'changes'
  const first = call?.request.route ?? card.routes[0]?.route
  return first === 'graphql' ? 'joint' : 'reads'
}

async function answerCall(engine: Engine, { request, refused }: BatchedCall): Promise<Answer> {
  if (refused) return await refuse(engine, request, refused)
  // A change that is under way is seen through when the caller leaves; one that is not must not begin.
  if (request.signal?.aborted) {
    return await refuse(engine, request, toGatewayError(request.signal.reason))
  }
  return await execute(engine, request)
}
