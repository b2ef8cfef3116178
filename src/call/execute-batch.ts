import type { Engine } from '../engine/engine.ts'
import { callTime } from '../engine/execution.ts'
import { Deadline } from '../lib/deadline.ts'
import { inParallel } from '../lib/in-parallel.ts'
import type { Signal } from '../lib/signal.ts'
import { shorten } from '../lib/text.ts'
import type { Batch } from '../model/adapter.ts'
import type { Answer } from '../model/envelope.ts'
import type { ExecuteRequest } from '../model/execute-request.ts'
import {
  type BatchedCall,
  BatchRun,
  type Job,
  leftBefore,
  nameOrigins,
  stopped,
} from './batch-run.ts'
import { planSteps, type Step } from './batch-steps.ts'
import { execute } from './execute.ts'
import { ReferenceRoom } from './reference-room.ts'
import { refuse } from './refuse.ts'

export interface BatchRequest {
  readonly batch: Batch
  readonly calls: readonly BatchedCall[]
  /** Deadline of the whole batch. @default the policy's, or the longest time of a call in it */
  readonly timeoutMs?: number
  /** Begins no further call once one has failed. @default false */
  readonly stopOnError?: boolean
  /**
   * Called with the number of calls that for_each is about to make.
   * @throws {GatewayError} the answer in place of these calls
   */
  readonly onItems?: (index: number, count: number) => void
  /** Aborts when the caller goes away. */
  readonly signal: Signal
  readonly onSent?: ExecuteRequest['onSent']
}

/** The answer of a call. */
export interface BatchedAnswer {
  /** The position of the call in the batch. */
  readonly index: number
  /** The position of the item that for_each made the call for; null without. */
  readonly item: number | null
  readonly answer: Answer
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

/**
 * Runs several calls, each through the whole pipeline. Returns the answers in the order of the calls, and of their items.
 * @throws {GatewayError} VALIDATION, before anything is sent, for calls that refer to others in a way that cannot work
 */
export async function executeBatch(
  engine: Engine,
  request: BatchRequest,
): Promise<readonly BatchedAnswer[]> {
  const { calls, timeoutMs } = request
  const steps = orderCalls(engine, request)
  const times = calls.map(call => timeOf(engine, call))
  const deadline = new Deadline(engine.clock, timeOfBatch(engine, timeoutMs, times))
  await lookForPrograms(engine, calls)
  const held = engine.answers.open({ mayFail: true, mayWait: false })
  const run = new BatchRun(calls, new ReferenceRoom(held), request.onItems)
  try {
    return await runWaves(engine, { request, deadline, state: { hasFailed: false } }, run, steps)
  } finally {
    held.release()
  }
}

async function runWaves(
  engine: Engine,
  context: WaveContext,
  run: BatchRun,
  steps: readonly Step[],
): Promise<readonly BatchedAnswer[]> {
  const answers: BatchedAnswer[][] = []
  const last = Math.max(...steps.map(({ wave }) => wave))
  for (let wave = 0; wave <= last; wave++) {
    const own = steps.filter(step => step.wave === wave)
    const answered = await runWave(engine, context, run, own)
    for (const [at, { index }] of own.entries()) answers[index] = answered[at] ?? []
  }
  return answers.flat()
}

/** @throws {GatewayError} VALIDATION for calls that refer to others in a way that cannot work */
export function orderCalls(
  { catalog }: Pick<Engine, 'catalog'>,
  { calls, stopOnError }: Pick<BatchRequest, 'calls' | 'stopOnError'>,
): readonly Step[] {
  const known = calls.map(call => ({
    ...call,
    input: call.refused ? null : call.request.input,
    effect: catalog.get(call.request.capability)?.effect ?? null,
  }))
  return planSteps(known, stopOnError)
}

interface WaveContext {
  readonly request: BatchRequest
  readonly deadline: Deadline
  /** Shared by all waves. */
  readonly state: { hasFailed: boolean }
}

/** Makes the calls of steps that wait for none of each other. Returns the answers of each step. */
async function runWave(
  engine: Engine,
  { request, deadline, state }: WaveContext,
  run: BatchRun,
  steps: readonly Step[],
): Promise<readonly BatchedAnswer[][]> {
  const jobs = steps.flatMap(step => run.expand(step))
  const { batch, signal, onSent, stopOnError = false } = request
  const whole = Math.max(1, deadline.remaining())
  const answers = new Map<Job, Answer>()
  const make = async (job: Job) => {
    // Calls that begin together get equal timeouts, so that identical reads among them share a run.
    const withinMs = answers.size === 0 ? whole : Math.max(1, deadline.remaining())
    const step = { name: nameOfCall(request.calls, job.step.index), item: job.item }
    const call = { ...job.request, batch, step, signal, withinMs, ...(onSent ? { onSent } : {}) }
    const refused = job.refused ?? (stopOnError && state.hasFailed ? stopped() : null)
    const answer = await answerCall(engine, { request: call, refused })
    if (!answer.envelope.ok) state.hasFailed = true
    answers.set(job, nameOrigins(answer, job.step.input.origins))
  }
  const lanes = Object.entries(AT_ONCE).map(([lane, most]) => {
    const own = jobs.filter(job => laneOf(engine, job) === lane)
    return inParallel(own, most, make)
  })
  await Promise.all(lanes)
  return steps.map(step => {
    const ended = jobs
      .filter(job => job.step === step)
      .map(job => ({ index: step.index, item: job.item, answer: answers.get(job) as Answer }))
    const own = ended.map(({ answer }) => answer)
    run.end(step, own)
    return ended
  })
}

/** As errors name a call: by its id, or by its position. The id of a refused call may be any text. */
export function nameOfCall(calls: readonly Pick<BatchedCall, 'id'>[], index: number): string {
  const id = calls[index]?.id ?? `calls[${index}]`
  // PostgreSQL keeps no NUL.
  return shorten(id, LONGEST_NAME).replaceAll(/\p{Cc}/gu, '\uFFFD')
}

const LONGEST_NAME = 128

function timeOf({ catalog, policy }: Engine, { request }: Pick<BatchedCall, 'request'>) {
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

function laneOf({ catalog }: Engine, call: ReadyCall): Lane {
  const card = call.refused === null ? catalog.get(call.request.capability) : undefined
  // It sends nothing.
  if (!card) return 'joint'
  if (card.effect !== 'read') return 'changes'
  const first = call.request.route ?? card.routes[0]?.route
  return first === 'graphql' ? 'joint' : 'reads'
}

type ReadyCall = Pick<Job, 'request' | 'refused'>

async function answerCall(engine: Engine, { request, refused }: ReadyCall): Promise<Answer> {
  if (refused) return await refuse(engine, request, refused)
  // A caller who leaves does not stop a running change, but no further one may begin.
  if (request.signal?.aborted) {
    return await refuse(engine, request, leftBefore())
  }
  return await execute(engine, request)
}
