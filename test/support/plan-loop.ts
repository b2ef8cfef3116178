import { pino } from 'pino'
import { runPlan } from '../../src/attempt/run-plan.ts'
import { verifyWrite } from '../../src/attempt/verify.ts'
import { VirtualClock } from '../../src/call/replay/virtual-clock.ts'
import { createCatalog } from '../../src/cards/catalog.ts'
import { createState, type Engine } from '../../src/engine/engine.ts'
import { beginRun, type Run } from '../../src/engine/run.ts'
import { loadSettings } from '../../src/gateway/config.ts'
import { createEngine } from '../../src/gateway/create-engine.ts'
import { unlimitedHold } from '../../src/lib/byte-budget.ts'
import { Deadline } from '../../src/lib/deadline.ts'
import { Aborter, type Signal } from '../../src/lib/signal.ts'
import type { CallContext, RouteCall } from '../../src/model/adapter.ts'
import type { Card, CardRoute } from '../../src/model/card.ts'
import { NEEDS_NOTHING } from '../../src/model/credential.ts'
import type { Attempt } from '../../src/model/envelope.ts'
import type { ErrorCode } from '../../src/model/errors.ts'
import type { Failure } from '../../src/model/failure.ts'
import { createFailure } from '../../src/model/failure.ts'
import type { Reply } from '../../src/model/reply.ts'
import { NO_EXCHANGE } from '../../src/model/reply.ts'
import type { Route } from '../../src/model/route.ts'
import { planRoutes } from '../../src/plan/plan.ts'
import { createHealth } from '../../src/plan/route-health.ts'
import { fakeCard } from './cards.ts'
import { noCredentials } from './credentials.ts'

/** One answer of a route. It may look at the clock, pass time, or make the caller leave. */
export type Scripted = (scene: Moment) => Reply

interface Moment {
  readonly clock: VirtualClock
  readonly leave: () => void
  readonly state: Engine['state']
}

/** The routes of the card in order, each with what it answers, call by call. */
export type Script = Readonly<Partial<Record<Route, readonly Scripted[]>>>

export interface LoopOptions {
  readonly card?: Partial<Card>
  /** Changes to the routes of the card. */
  readonly routes?: Readonly<Partial<Record<Route, Partial<CardRoute>>>>
  /** Answers of the read that verifies a write; without them the card has no `verify`. */
  readonly reads?: readonly Scripted[]
  /** @default 30 s */
  readonly timeoutMs?: number
  /** The caller's `?route=`. */
  readonly pin?: Route
  /** The random number that backoff draws. @default 0.5 */
  readonly random?: number
  /** Runs before the plan is made. */
  readonly before?: (state: Engine['state'], clock: VirtualClock) => void
  /** Runs between the plan and its first attempt. */
  readonly meanwhile?: (state: Engine['state'], clock: VirtualClock) => void
  /** Runs while the loop waits before a retry. */
  readonly whileWaiting?: (moment: Moment) => void
}

export const POLICY = {
  timeoutMs: 30_000,
  maxTimeoutMs: 600_000,
  attemptTimeoutMs: 10_000,
  reserveMs: 20,
  retries: 2,
}

/** How long a write takes to show in the read that verifies it. */
export const SETTLES_MS = 2_000
export const BEGAN = Date.UTC(2026, 0, 2)

/**
 * Runs plans over routes that answer by script, on a clock that only they and waiting move. Everything else
 * is the engine as it ships. A change of what the loop takes or returns ends here: tests see none of it.
 */
export async function openLoop() {
  const env = { SIGNALBOX_JOURNAL: ':memory:' }
  const logger = pino({ level: 'silent' })
  const shipped = await createEngine({ settings: loadSettings(env, null), env, logger })
  return {
    run: async (script: Script, options: LoopOptions = {}) =>
      await begin(shipped, script, options).run(),
    /** Several runs that share state, clock and script. */
    begin: (script: Script, options: LoopOptions = {}) => begin(shipped, script, options),
    [Symbol.asyncDispose]: () => shipped[Symbol.asyncDispose](),
  }
}

function begin(shipped: Engine, script: Script, options: LoopOptions) {
  const clock = new VirtualClock(BEGAN)
  const state = createState(shipped.state.idempotency, BEGAN)
  const caller = new Aborter()
  const leave = () => caller.abort(new DOMException('the caller left', 'AbortError'))
  const moment: Moment = { clock, leave, state }
  const sleeps: number[] = []
  const sent: { readonly route: Route; readonly context: CallContext }[] = []
  const call = (route: Route, replies: readonly Scripted[]) =>
    scriptedCall(replies, moment, context => sent.push({ route, context }))
  const card = cardOf(script, options, call)
  const reader = readerOf(options.reads ?? [], call)
  const engine: Engine = {
    ...shipped,
    state,
    catalog: createCatalog(new Map([card, reader].map(one => [one.id, one]))),
    policy: POLICY,
    random: () => options.random ?? 0.5,
    clock: {
      now: clock.now,
      monotonic: clock.monotonic,
      sleep: async (ms: number, signal: Signal) => {
        sleeps.push(ms)
        options.whileWaiting?.(moment)
        if (signal.aborted) throw signal.reason as Error
        clock.pass(ms)
      },
    },
  }
  options.before?.(state, clock)
  const run = async () => {
    const begun = await createRun(engine, card, options, caller)
    options.meanwhile?.(state, clock)
    const outcome = await runPlan(begun)
    const { attempts, steps, warnings } = begun
    return {
      outcome,
      /** The result of each attempt, a line each. */
      trail: attempts.map(describeAttempt),
      attempts,
      verdicts: steps.flatMap(step => (step.kind === 'verdict' ? [step.verdict] : [])),
      warnings,
      /** Milliseconds that the loop asked the clock to wait. */
      sleeps,
      sent,
    }
  }
  return { run, state, clock }
}

async function createRun(
  engine: Engine,
  card: Card,
  { pin = null, timeoutMs = POLICY.timeoutMs }: { readonly pin?: Route | null; timeoutMs?: number },
  signal: Signal,
): Promise<Run> {
  const credential = noCredentials().ofCaller('token')
  const health = await createHealth(engine, card, credential, pin)
  const request = { input: {}, pin, cursorRoute: null }
  const run: Run = beginRun({
    engine,
    card,
    plan: planRoutes(card, request, health),
    input: {},
    credential,
    requestId: '01JE5YVJ3M8Q4W6Z9X2C7B1N0P',
    traceparent: null,
    spans: null,
    batch: null,
    held: unlimitedHold(),
    deadline: new Deadline(engine.clock, timeoutMs),
    time: engine.clock.now(),
    signal,
    attempts: [],
    steps: [],
    warnings: [],
    verify: since => verifyWrite(run, since),
  })
  return run
}

type CallOf = (route: Route, replies: readonly Scripted[]) => RouteCall

function cardOf(script: Script, { card = {}, routes = {}, reads }: LoopOptions, call: CallOf) {
  return fakeCard({
    id: 'thing.create',
    output: { type: 'object', properties: { id: {} } },
    verify: reads ? VERIFY : null,
    routes: Object.entries(script).map(([name, replies]) => {
      const route = name as Route
      return { ...routeOf(route, call(route, replies)), ...routes[route] }
    }),
    ...card,
  })
}

const VERIFY: Card['verify'] = {
  capability: 'thing.list',
  input: () => ({}),
  found: scope => (scope.data as { readonly items: readonly unknown[] }).items,
  created: value => value.created_at,
  author: null,
  viewer: null,
  identity: ['id'],
  settlesMs: SETTLES_MS,
}

function readerOf(reads: readonly Scripted[], call: CallOf): Card {
  return fakeCard({ id: 'thing.list', routes: [routeOf('rest', call('rest', reads))] })
}

function routeOf(route: Route, call: RouteCall): CardRoute {
  return {
    route,
    call,
    when: null,
    followUps: [],
    lookups: [],
    missing: null,
    unsupported: null,
    result: scope => scope.body,
    pages: null,
    needs: NEEDS_NOTHING,
    pool: null,
    breaker: `shop:${route}`,
  }
}

function scriptedCall(
  replies: readonly Scripted[],
  moment: Moment,
  onCall: (context: CallContext) => void,
): RouteCall {
  let calls = 0
  return {
    unavailable: () => null,
    call: async (_scope, context) => {
      onCall(context)
      const reply = replies[calls++]
      if (!reply) throw new Error(`the script has no answer to call ${calls}`)
      return reply(moment)
    },
  }
}

export function answers(body: unknown = { id: 1 }, status = 200): Scripted {
  const exchange = { ...NO_EXCHANGE, upstreamStatus: status, upstreamRequests: 1 }
  const rest = { headers: {}, warnings: [], partialFailure: null }
  return () => ({ ok: true, body, status, exchange, ...rest })
}

/** Fails in a way that another route may do better, unless `known` says otherwise. */
export function fails(code: ErrorCode, known: Partial<Failure> = {}): Scripted {
  const failure = createFailure(code, `${code} by script`, { fallback: true, ...known })
  return () => ({ ok: false, failure, exchange: { ...NO_EXCHANGE, upstreamRequests: 1 } })
}

export function after(ms: number, reply: Scripted): Scripted {
  return moment => {
    moment.clock.pass(ms)
    return reply(moment)
  }
}

/** `rest SERVER → retry_same`, `rest (retry 1) success`, `cli skipped: DEADLINE`. */
function describeAttempt(attempt: Attempt): string {
  const { route, status, error_code, reason, retry, next, purpose } = attempt
  const which = `${purpose ? `${purpose} by ` : ''}${route}${retry ? ` (retry ${retry})` : ''}`
  if (status === 'skipped') return `${which} skipped: ${reason} after ${error_code}`
  return status === 'success' ? `${which} success` : `${which} ${error_code} → ${next}`
}
