import { mayCall, needsApproval, requirePermission } from '../access/permission.ts'
import { operationWarnings } from '../answer/operation-warnings.ts'
import { type Settled, toAnswer } from '../answer/to-answer.ts'
import { runPlan } from '../attempt/run-plan.ts'
import { findCard } from '../cards/catalog.ts'
import { parseSelection } from '../cards/fields.ts'
import { givenInput } from '../cards/optional-nulls.ts'
import type { Engine } from '../engine/engine.ts'
import {
  allowCardTime,
  beginExecution,
  beginSpans,
  chooseCredential,
  type Execution,
  forAccount,
  secretsOf,
  subjectOf,
} from '../engine/execution.ts'
import { beginRun, type RunFacts } from '../engine/run.ts'
import { canonicalJson } from '../lib/canonical.ts'
import { JsonText } from '../lib/json-text.ts'
import { NEVER, type Signal } from '../lib/signal.ts'
import type { Card } from '../model/card.ts'
import { type Answer, withWarnings } from '../model/envelope.ts'
import { GatewayError } from '../model/errors.ts'
import type { ExecuteRequest } from '../model/execute-request.ts'
import type { Outcome, RunResult } from '../model/outcome.ts'
import { planCall } from '../plan/planner.ts'
import { createHealth, type Health } from '../plan/route-health.ts'
import { admit } from './admit.ts'
import { requireApproval, settleApproval } from './approve.ts'
import { foreignCursor, noRoute } from './call-errors.ts'
import { type ReadyCall, throughMemory } from './from-memory.ts'
import { makeChange } from './make-change.ts'
import { record, toRecord } from './record.ts'
import { dropSkipped, resumePage } from './resume.ts'
import { type Replay, settleClaim } from './send-once.ts'
import { treatStrangers } from './strangers.ts'
import { toGatewayError } from './to-gateway-error.ts'

/**
 * Runs one capability: find the card, check the input, plan, attempt, answer, record. HTTP, MCP, batch and the
 * command line all call it. Never rejects: every end is an envelope.
 */
export async function execute(engine: Engine, request: ExecuteRequest): Promise<Answer> {
  const execution = beginExecution(engine, request)
  execution.spans = beginSpans(engine, execution)
  const onArrival = engine.journal.announce()
  let answer: Answer
  try {
    const given = answerTo(engine, execution, await settle(engine, execution))
    if (execution.approval !== null) await settleApproval(engine, execution, given)
    if (execution.claim) await settleClaim(engine, execution, given)
    answer = await treatStrangers(engine, execution, given, asked => execute(engine, asked))
  } finally {
    onArrival()
    execution.lease?.release()
  }
  const finished = toRecord(engine, execution, answer)
  execution.spans?.end(finished)
  await record(engine, finished, execution.deadline.remaining(), secretsOf(execution))
  releaseWhenSent(execution)
  return answer
}

function answerTo(engine: Engine, execution: Execution, settled: Settled): Answer {
  if (settled instanceof GatewayError && settled.cause instanceof Error) {
    engine.onBug(settled.cause, execution.id)
  }
  const health = engine.journal.health()
  const shared = engine.state.shared?.health() ?? null
  const plain = toAnswer(engine, execution, settled)
  const warnings = operationWarnings(execution, settled, health, shared)
  const envelope = withWarnings(plain.envelope, warnings)
  const metaJson = new JsonText(envelope.meta)
  return { ...plain, envelope, metaJson, subject: subjectOf(execution) }
}

/** Runs the call, and turns whatever is thrown into an error that a caller may see. */
async function settle(engine: Engine, execution: Execution): Promise<Settled> {
  try {
    const card = findAllowed(engine, execution)
    const { caller, memory } = execution.request
    if (caller.limits !== undefined) await admit(engine, execution)
    const call = readCall(engine, execution, card)
    const ask = () => askRoutes(engine, execution, call)
    const outcome = await (memory ? throughMemory(engine, execution, call, memory, ask) : ask())
    return 'replay' in outcome ? outcome : dropSkipped(card, execution.page, outcome)
  } catch (error) {
    return toGatewayError(error)
  }
}

/** The door knows when the answer has been sent. Without one, that is now. */
function releaseWhenSent({ held, request }: Execution): void {
  if (held === null) return
  if (request.onSent) request.onSent(() => held.release())
  else held.release()
}

/** Finds the card, if the caller may call it. */
export function findAllowed(engine: Engine, execution: Execution): Card {
  const { request } = execution
  const { caller } = request
  const card = findCard(engine.catalog, request.capability, known => mayCall(caller, known))
  execution.card = card
  requirePermission(caller, card)
  return card
}

/**
 * Chooses the credential of a call and checks its input. Notes on the execution how far it came.
 * @throws {GatewayError} before anything is sent
 */
export function readCall(
  engine: Engine,
  execution: Execution,
  card: Card,
  parseInput: Card['parseInput'] = input => card.parseInput(input),
): ReadyCall {
  const { request } = execution
  allowCardTime(engine, execution, card)
  execution.credential = chooseCredential(card, request)
  noteCredential(engine, execution, card)
  if (request.fields !== undefined) execution.selection = parseSelection(request.fields, card)
  execution.asked = parseInput(givenInput(request, card.input))
  const { input, cursorRoute, page } = resumePage(card, execution.asked)
  execution.input = input
  execution.page = page
  execution.credential = forAccount(card, execution.credential, input)
  const pin = request.route ?? null
  if (pin && cursorRoute && pin !== cursorRoute) throw foreignCursor(card, pin, cursorRoute)
  return { card, asked: { input, pin, cursorRoute } }
}

/** Secrets that callers send are too many to record each. */
function noteCredential({ decisions }: Engine, execution: Execution, { upstream }: Card): void {
  const { credential, request } = execution
  if (credential === null) return
  const id = request.upstreamToken === undefined ? credential.id : `${upstream.id}:passthrough`
  decisions.credentialChosen(request.caller.name, id)
}

/** Plans a call, and runs the plan. */
function askRoutes(
  engine: Engine,
  execution: Execution,
  call: ReadyCall,
): Promise<Outcome | Replay> {
  const facts = planRun(engine, execution, call)
  if (!(facts instanceof Promise)) return attemptPlan(execution, facts)
  return facts.then(known => attemptPlan(execution, known))
}

/** Everything that a run needs. Synchronous unless a route has to find out whether it can be used. */
export function planRun(
  engine: Engine,
  execution: Execution,
  { card, asked }: ReadyCall,
): RunFacts | Promise<RunFacts> {
  const health = createHealth(engine, card, execution.credential, asked.pin ?? asked.cursorRoute)
  const planned = (known: Health): RunFacts => {
    execution.planRequest = asked
    const { plan, json } = planCall(card, asked, known)
    execution.plan = plan
    execution.planJson = json
    return toRunFacts(engine, execution, { card, plan, input: asked.input })
  }
  return health instanceof Promise ? health.then(planned) : planned(health)
}

function toRunFacts(
  engine: Engine,
  execution: Execution,
  known: Pick<RunFacts, 'card' | 'plan' | 'input'>,
): RunFacts {
  const { request, credential, id, deadline, time, attempts, steps, warnings, spans } = execution
  const held = engine.answers.open({
    mayFail: known.card.effect === 'read',
    mayWait: request.batch === undefined,
  })
  execution.held = held
  return {
    ...known,
    engine,
    credential,
    requestId: id,
    traceparent: request.traceparent ?? null,
    spans,
    batch: request.batch ?? null,
    held,
    deadline,
    time,
    signal: request.signal ?? NEVER,
    attempts,
    steps,
    warnings,
    verify: NEVER_VERIFIED,
  }
}

const NEVER_VERIFIED: RunFacts['verify'] = async () => ({ kind: 'unknown' })

/** @throws {GatewayError} when no route can be used */
function attemptPlan(execution: Execution, facts: RunFacts): Promise<Outcome | Replay> {
  const { card, plan } = facts
  if (plan.candidates.length === 0) throw noRoute(card, plan)
  if (card.effect !== 'read') return makeChange(execution, facts)
  return needsApproval(execution.request.caller, card)
    ? requireApproval(execution, facts).then(() => runShared(execution, facts))
    : runShared(execution, facts)
}

/** Lets identical concurrent reads of one credential share a run. Each caller gets an envelope of its own. */
function runShared(execution: Execution, facts: RunFacts): Promise<Outcome> {
  const { request, credential } = execution
  const { engine, card, input, plan } = facts
  const routes = plan.candidates.map(candidate => candidate.route)
  const key = `${card.id} ${credential?.id} ${routes.join()} ${request.timeoutMs} ${canonicalJson(input)}`
  const work = async (signal: Signal) => {
    const { held } = facts
    // The caller that began the run may leave before it ends.
    held.share()
    try {
      const run = beginRun(facts, signal)
      const outcome = await runPlan(run)
      return { outcome, attempts: run.attempts, warnings: run.warnings, held }
    } finally {
      held.release()
    }
  }
  const { inFlight } = engine.state
  const shared = inFlight.run(key, request.signal ?? null, work)
  return shared.then(({ value, joined }) => (joined ? joinRun(execution, value) : value.outcome))
}

/** Takes over what the run of another caller came to. */
function joinRun(execution: Execution, value: RunResult): Outcome {
  execution.joined = true
  value.held.share()
  execution.held = value.held
  execution.attempts.push(...value.attempts)
  execution.warnings.push(...value.warnings)
  return value.outcome.ok ? { ...value.outcome, reason: 'COALESCED' } : value.outcome
}
