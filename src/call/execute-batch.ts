import type { Engine } from '../engine/engine.ts'
import { callTime } from '../engine/execution.ts'
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
  /** Why the gateway cannot make the call at all: it could not read it. */
  readonly refused: GatewayError | null
}

export interface BatchRequest {
  readonly batch: Batch
  readonly calls: readonly BatchedCall[]
  /** Deadline of the whole batch. @default the policy's, or the longest time of a call in it */
  readonly timeoutMs?: number
  /** Aborts when the caller goes away. */
  readonly signal: Signal
  readonly onSent?: ExecuteRequest['onSent']
}

/** How calls may run: `joint` ones share a request, `reads` have one each, `changes` run one after the other. */
type Lane = 'joint' | 'reads' | 'changes'

/** How many calls of a lane run at once. */
const AT_ONCE = {
  joint: Number.POSITIVE_INFINITY,
  reads: 8,
  // In the given order: services ask for sequential writes, and the caller knows which came first.
  changes: 1,
} as const satisfies Record<Lane, number>

/** Runs several calls, each through the whole pipeline. Returns the answers in the same order. Never rejects. */
export async function executeBatch(
  engine: Engine,
  { batch, calls, timeoutMs, signal, onSent }: BatchRequest,
): Promise<readonly Answer[]> {
  const times = calls.map(call => timeOf(engine, call))
  const deadline = new Deadline(engine.clock, timeOfBatch(engine, timeoutMs, times))
  await lookForPrograms(engine, calls)
  const whole = Math.max(1, deadline.remaining())
  const answers: Answer[] = []
  let ended = 0
  const run = async (index: number) => {
    const call = calls[index] as BatchedCall
    // Calls that begin with the batch get equal timeouts, so that identical reads among them share a run.
    const left = ended === 0 ? whole : Math.max(1, deadline.remaining())
    const request = {
      ...call.request,
      batch,
      signal,
      timeoutMs: Math.min(times[index] ?? left, left),
      ...(onSent ? { onSent } : {}),
    }
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

function timeOf({ catalog, policy }: Engine, { request }: BatchedCall): number | null {
  return callTime(policy, request, catalog.get(request.capability) ?? null)
}

function timeOfBatch(
  { policy: { timeoutMs, maxTimeoutMs } }: Engine,
  named: number | undefined,
  times: readonly (number | null)[],
): number {
  const longest = Math.max(timeoutMs, ...times.map(time => time ?? 0))
  return Math.min(named ?? longest, maxTimeoutMs)
}

/**
 * Probes the programs before the first call. A first probe takes a while, and calls that could share a request
 * would arrive one by one behind it.
 */
async function lookForPrograms({ catalog }: Engine, calls: readonly BatchedCall[]): Promise<void> {
  const cards = new Set(calls.map(({ request }) => catalog.get(request.capability)))
  const routes = [...cards].flatMap(card => card?.routes ?? [])
  await Promise.allSettled(routes.map(async ({ call }) => await call.unavailable()))
}

function laneOf({ catalog }: Engine, call: BatchedCall | undefined): Lane {
  const card = call?.refused === null ? catalog.get(call.request.capability) : undefined
  // It sends nothing.
  if (!card) return 'joint'
  if (card.effect !== 'read') return 'changes'
  const first = call?.request.route ?? card.routes[0]?.route
  return first === 'graphql' ? 'joint' : 'reads'
}

async function answerCall(engine: Engine, { request, refused }: BatchedCall): Promise<Answer> {
  if (refused) return await refuse(engine, request, refused)
  // A caller who leaves does not stop a running change, but no further one may begin.
  if (request.signal?.aborted) {
    return await refuse(engine, request, toGatewayError(request.signal.reason))
  }
  return await execute(engine, request)
}
