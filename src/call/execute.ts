import { mayCall, needsApproval, requirePermission } from '../access/permission.ts'
import { operationWarnings } from '../answer/operation-warnings.ts'
import { type Settled, toAnswer } from '../answer/to-answer.ts'
import { runPlan } from '../attempt/run-plan.ts'
import { verifyWrite } from '../attempt/verify.ts'
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
  secretsOf,
  subjectOf,
} from '../engine/execution.ts'
import { beginRun, type Run, type RunFacts } from '../engine/run.ts'
import { canonicalJson } from '../lib/canonical.ts'
import { withTimeout } from '../lib/deadline.ts'
import { JsonText } from '../lib/json-text.ts'
import { NEVER, type Signal } from '../lib/signal.ts'
import type { Card } from '../model/card.ts'
import { type Answer, withWarnings } from '../model/envelope.ts'
import { GatewayError } from '../model/errors.ts'
import type { ExecuteRequest } from '../model/execute-request.ts'
import { createFailure } from '../model/failure.ts'
import type { Outcome } from '../model/outcome.ts'
import type { Plan } from '../model/plan.ts'
import { planCall } from '../plan/planner.ts'
import { createHealth, type Health } from '../plan/route-health.ts'
import { admit } from './admit.ts'
import { requireApproval, settleApproval } from './approve.ts'
import { foreignCursor, noRoute } from './call-errors.ts'
import { record, toRecord } from './record.ts'
import { dropSkipped, resumePage } from './resume.ts'
import { type Replay, sendOnce, settleClaim } from './send-once.ts'
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
    answer = answerTo(engine, execution, await settle(engine, execution))
    if (execution.approval !== null) await settleApproval(engine, execution, answer)
    if (execution.claim) await settleClaim(engine, execution, answer)
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
    if (execution.request.caller.limits !== undefined) await admit(engine, execution)
    const prepared = prepare(engine, execution, card)
    const facts = prepared instanceof Promise ? await prepared : prepared
    const outcome = await attemptPlan(execution, facts)
    return 'replay' in outcome ? outcome : dropSkipped(facts.card, execution.page, outcome)
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

/** The plan for an input as things stand now. Sends nothing. */
export async function explain(engine: Engine, request: ExecuteRequest): Promise<Plan> {
  const execution = beginExecution(engine, request)
  const { plan } = await prepare(engine, execution, findAllowed(engine, execution))
  return plan
}

/** Finds the card, if the caller may call it. */
function findAllowed(engine: Engine, execution: Execution): Card {
  const { request } = execution
  const { caller } = request
  const card = findCard(engine.catalog, request.capability, known => mayCall(caller, known))
  execution.card = card
  requirePermission(caller, card)
  return card
}

/**
 * Everything that a run needs, or an error before anything is sent. Notes on the execution how far it came. Synchronous
 * unless a route has to find out whether it can be used.
 */
function prepare(engine: Engine, execution: Execution, card: Card): RunFacts | Promise<RunFacts> {
  const { request } = execution
  allowCardTime(engine, execution, card)
  execution.credential = chooseCredential(card, request)
  if (request.fields !== undefined) execution.selection = parseSelection(request.fields, card)
  execution.asked = card.parseInput(givenInput(request, card.input))
  const { input, cursorRoute, page } = resumePage(card, execution.asked)
  execution.input = input
  execution.page = page
  const pin = request.route ?? null
  if (pin && cursorRoute && pin !== cursorRoute) throw foreignCursor(card, pin, cursorRoute)
  const health = createHealth(engine, card, execution.credential, pin ?? cursorRoute)
  const planned = (known: Health): RunFacts => {
    execution.planRequest = { input, pin, cursorRoute }
    const { plan, json } = planCall(card, execution.planRequest, known)
    execution.plan = plan
    execution.planJson = json
    return toRunFacts(engine, execution, { card, plan, input })
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
  if (card.effect === 'read') {
    return needsApproval(execution.request.caller, card)
      ? requireApproval(execution, facts).then(() => runShared(execution, facts))
      : runShared(execution, facts)
  }
  const run: Run = beginRun({ ...facts, verify: since => verifyWrite(run, since) })
  const { engine } = run
  return sendOnce(execution, run, async settled => {
    // An interrupted request may have made the change: find out about that before asking a person.
    const approve = () => requireApproval(execution, facts)
    if (settled === null) await approve()
    await recordIntent(execution, run)
    return await engine.state.recentWrites.track(run, engine.clock.now, async () => {
      const earlier = settled && (await orUnknown(run, settled))
      if (earlier) return earlier
      if (settled) await approve()
      return await orUnknown(run, () => runPlan(run))
    })
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
    time: run.time,
    caller: request.caller.name,
    capability_id: run.card.id,
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
async function orUnknown<T>(run: Run, work: () => Promise<T>): Promise<T | Outcome> {
  try {
    return await work()
  } catch (error) {
    const bug = toGatewayError(error)
    run.engine.onBug(error as Error, run.requestId)
    const failure = createFailure(bug.code, bug.message, { writeOutcome: 'unknown' })
    return { ok: false, failure, route: null, reason: 'WRITE_OUTCOME_UNKNOWN' }
  }
}

/** Lets identical concurrent reads of one credential share a run. Each caller gets an envelope of its own. */
async function runShared(execution: Execution, facts: RunFacts): Promise<Outcome> {
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
  const { value, joined } = await inFlight.run(key, request.signal ?? null, work)
  if (!joined) return value.outcome
  execution.joined = true
  value.held.share()
  execution.held = value.held
  execution.attempts.push(...value.attempts)
  execution.warnings.push(...value.warnings)
  return value.outcome.ok ? { ...value.outcome, reason: 'COALESCED' } : value.outcome
}
