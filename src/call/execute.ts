import { mayCall, needsApproval, requirePermission } from '../access/permission.ts'
import { operationWarnings } from '../answer/operation-warnings.ts'
import { type Settled, toAnswer } from '../answer/to-answer.ts'
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
import type { RunFacts } from '../engine/run.ts'
import { JsonText } from '../lib/json-text.ts'
import { NEVER } from '../lib/signal.ts'
import type { Card } from '../model/card.ts'
import { type Answer, withWarnings } from '../model/envelope.ts'
import { GatewayError } from '../model/errors.ts'
import type { ExecuteRequest } from '../model/execute-request.ts'
import type { Outcome } from '../model/outcome.ts'
import { planCall } from '../plan/planner.ts'
import { createHealth, type Health } from '../plan/route-health.ts'
import { admit } from './admit.ts'
import { requireApproval, settleApproval } from './approve.ts'
import { foreignCursor, requireRoute } from './call-errors.ts'
import { type ReadyCall, throughMemory } from './from-memory.ts'
import { makeChange } from './make-change.ts'
import { asGiven, record, toRecord } from './record.ts'
import { dropSkipped, resumePage } from './resume.ts'
import { runShared } from './run-shared.ts'
import { type Replay, settleClaim } from './send-once.ts'
import { treatStrangers } from './strangers.ts'
import { toGatewayError } from './to-gateway-error.ts'

/**
 * Runs one capability: find the card, check the input, plan, attempt, answer, record. HTTP, MCP, batch and the
 * command line all call it. Never rejects: every end is an envelope.
 */
export function execute(engine: Engine, request: ExecuteRequest): PromiseLike<Answer> {
  const execution = beginExecution(engine, request)
  execution.spans = beginSpans(engine, execution)
  const onArrival = engine.journal.announce()
  const arrive = () => {
    onArrival()
    execution.lease?.release()
  }
  return settle(engine, execution)
    .then(settled => answerTo(engine, execution, settled))
    .then(
      answer => {
        arrive()
        return recorded(engine, execution, answer)
      },
      (error: unknown) => {
        arrive()
        throw error
      },
    )
}

/** Synchronous unless it has to settle an approval or an Idempotency-Key, or to ask who may write. */
function answerTo(
  engine: Engine,
  execution: Execution,
  settled: Settled,
): Answer | Promise<Answer> {
  const given = toOwnAnswer(engine, execution, settled)
  const treat = () => treatStrangers(engine, execution, given, asked => execute(engine, asked))
  if (execution.approval === null && !execution.claim) return treat()
  return settleOnce(engine, execution, given).then(treat)
}

/** Notes what became of a call that may be made only once. */
async function settleOnce(engine: Engine, execution: Execution, given: Answer): Promise<void> {
  if (execution.approval !== null) await settleApproval(engine, execution, given)
  if (execution.claim) await settleClaim(engine, execution, given)
}

/** The answer, once its record is written. */
function recorded(engine: Engine, execution: Execution, answer: Answer): PromiseLike<Answer> {
  const finished = toRecord(engine, execution, asGiven(execution, answer))
  execution.spans?.end(finished)
  const { deadline } = execution
  return record(engine, finished, deadline.remaining(), secretsOf(execution)).then(() => {
    releaseWhenSent(execution)
    return answer
  })
}

function toOwnAnswer(engine: Engine, execution: Execution, settled: Settled): Answer {
  const health = engine.journal.health()
  if (settled instanceof GatewayError && settled.cause instanceof Error) {
    // 503 says that a store is away, which reports each of its outages once.
    if (settled.status !== 503) engine.onBug(settled.cause, execution.id)
  }
  const shared = engine.state.shared?.health() ?? null
  const plain = toAnswer(engine, execution, settled)
  const warnings = operationWarnings(execution, settled, health, shared)
  const envelope = withWarnings(plain.envelope, warnings)
  const borrowed = execution.answerFrom?.borrowed ? ({ borrowed: true } as const) : {}
  return {
    ...plain,
    ...borrowed,
    envelope,
    metaJson: new JsonText(envelope.meta),
    dataJson: new JsonText(envelope.data),
    subject: subjectOf(execution),
  }
}

/** Runs the call, and turns whatever is thrown into an error that a caller may see. */
function settle(engine: Engine, execution: Execution): PromiseLike<Settled> {
  try {
    const card = findAllowed(engine, execution)
    const ended =
      execution.request.caller.limits === undefined
        ? answerCall(engine, execution, card)
        : admit(engine, execution).then(() => answerCall(engine, execution, card))
    return ended.then(outcome => wholeOf(card, execution, outcome), toGatewayError)
  } catch (error) {
    return Promise.resolve(toGatewayError(error))
  }
}

function wholeOf(card: Card, { page }: Execution, outcome: Outcome | Replay): Settled {
  try {
    return 'replay' in outcome ? outcome : dropSkipped(card, page, outcome)
  } catch (error) {
    return toGatewayError(error)
  }
}

/** Answers a call that its key's limits admit. */
function answerCall(
  engine: Engine,
  execution: Execution,
  card: Card,
): PromiseLike<Outcome | Replay> {
  const { memory } = execution.request
  const call = readCall(engine, execution, card)
  const ask = () => askRoutes(engine, execution, call)
  return memory ? throughMemory(engine, execution, call, memory, ask) : ask()
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
): PromiseLike<Outcome | Replay> {
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

/** @throws {GatewayError} when no route can be used for a read */
function attemptPlan(execution: Execution, facts: RunFacts): PromiseLike<Outcome | Replay> {
  const { card } = facts
  // An Idempotency-Key may hold the answer, which needs no route.
  if (card.effect !== 'read') return makeChange(execution, facts)
  requireRoute(facts)
  return needsApproval(execution.request.caller, card)
    ? requireApproval(execution, facts).then(() => runShared(execution, facts))
    : runShared(execution, facts)
}
