import { type Answer, toAnswer, type Settled } from './answer.ts'
import type { Card } from './cards/card.ts'
import { findCard } from './catalog.ts'
import { decodeCursor } from './cursor.ts'
import type { Engine } from './engine.ts'
import { GatewayError } from './errors.ts'
import {
  beginExecution,
  chooseCredential,
  type ExecuteRequest,
  type Execution,
} from './execution.ts'
import type { RequestRecord } from './journal/journal.ts'
import { type Route } from './outcome.ts'
import { type Plan, planRoutes, type RouteHealth } from './plan.ts'
import { type Outcome, runPlan } from './run-plan.ts'

type Input = Readonly<Record<string, unknown>>

/**
 * Runs one capability: find the card, check the input, plan, attempt, answer, record. HTTP, MCP, batch
 * and the command line all come through here. Never rejects: every end is an envelope.
 */
export async function execute(engine: Engine, request: ExecuteRequest): Promise<Answer> {
  const execution = beginExecution(engine, request)
  const settled = await settle(async () => {
    const { card, plan, input } = await prepare(engine, execution)
    return await attemptPlan(engine, execution, card, plan, input)
  })
  if (settled instanceof GatewayError && settled.cause instanceof Error) {
    engine.onBug(settled.cause, execution.id)
  }
  const answer = toAnswer(execution, settled)
  await engine.journal.append(toRecord(execution, answer))
  return answer
}

/** The plan for an input as things stand now. Nothing is sent. */
export async function explain(engine: Engine, request: ExecuteRequest): Promise<Plan> {
  const { plan } = await prepare(engine, beginExecution(engine, request))
  return plan
}

async function prepare(engine: Engine, execution: Execution) {
  const { request } = execution
  const card = findCard(engine.catalog, request.capability)
  execution.card = card
  execution.credential = chooseCredential(card, request)
  const { input, cursorRoute } = resumeCursor(card, card.parseInput(request.input ?? {}))
  execution.input = input
  const pin = request.route ?? null
  if (pin && cursorRoute && pin !== cursorRoute) throw foreignCursor(card, pin, cursorRoute)
  const hasCredential = execution.credential !== null
  const plan = planRoutes(card, { pin, cursorRoute, hasCredential }, await healthOf(card))
  execution.plan = plan
  return { card, plan, input }
}

async function attemptPlan(
  engine: Engine,
  execution: Execution,
  card: Card,
  plan: Plan,
  input: Input,
): Promise<Outcome> {
  if (plan.candidates.length === 0) throw noRoute(card, plan)
  if (card.effect === 'read') return await runPlan(engine, execution, card, plan, input)
  const [first] = plan.candidates
  await engine.journal.intend({
    request_id: execution.id,
    time: execution.time,
    caller: execution.request.caller.name,
    capability_id: card.id,
    route: first?.route ?? 'rest',
  })
  return await runPlan(engine, execution, card, plan, input)
}

/** Takes the gateway's wrapping off a list cursor, so that expressions see the route's own. */
function resumeCursor(card: Card, input: Input): { input: Input; cursorRoute: Route | null } {
  const name = card.page?.cursor
  const value = name === undefined ? undefined : input[name]
  if (name === undefined || typeof value !== 'string') return { input, cursorRoute: null }
  const cursor = decodeCursor(value, name)
  return { input: { ...input, [name]: cursor.value }, cursorRoute: cursor.route }
}

function foreignCursor(card: Card, pin: Route, made: Route): GatewayError {
  const field = card.page?.cursor ?? ''
  return new GatewayError(
    'VALIDATION',
    `"${field}" comes from the ${made} route and cannot go on by ${pin}. Leave route out, or start over.`,
    {
      source: 'caller',
      details: { fields: [{ path: field, message: `belongs to the ${made} route` }] },
    },
  )
}

async function healthOf(card: Card): Promise<ReadonlyMap<Route, RouteHealth>> {
  const health = new Map<Route, RouteHealth>()
  for (const { route, call } of card.routes) {
    const probe = call.unavailable()
    health.set(route, { unavailable: probe instanceof Promise ? await probe : probe })
  }
  return health
}

/** With every route ruled out, the first one's reason is the error. */
function noRoute(card: Card, { skipped }: Plan): GatewayError {
  const [first] = skipped
  if (!first) throw new Error(`${card.id} has no routes`)
  return new GatewayError(first.code, first.fix ? `${first.message} ${first.fix}` : first.message, {
    details: { route: first.route, reason: first.reason, fix: first.fix },
  })
}

/** Turns whatever is thrown into an error that can be told. A bug is told as one, without its text. */
async function settle(work: () => Promise<Outcome>): Promise<Settled> {
  try {
    return await work()
  } catch (error) {
    return toGatewayError(error)
  }
}

export function toGatewayError(error: unknown): GatewayError {
  if (error instanceof GatewayError) return error
  return new GatewayError(
    'UNKNOWN',
    'The gateway failed; the cause is in its log under this request id.',
    {
      cause: error,
    },
  )
}

function toRecord(execution: Execution, { envelope, status }: Answer): RequestRecord {
  const { card, plan, request, input } = execution
  return {
    request_id: execution.id,
    time: execution.time,
    caller: request.caller.name,
    capability_id: card?.id ?? null,
    upstream: card?.upstream.id ?? null,
    effect: card?.effect ?? null,
    http_status: status,
    plan,
    envelope,
    input,
  }
}
