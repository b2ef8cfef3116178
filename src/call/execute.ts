import { type Settled, toAnswer } from '../answer/answer.ts'
import { operationWarnings } from '../answer/warn.ts'
import { runPlan } from '../attempt/run-plan.ts'
import { verifyWrite } from '../attempt/verify.ts'
import { findCard } from '../cards/catalog.ts'
import { parseFields } from '../cards/fields.ts'
import type { Engine } from '../engine/engine.ts'
import {
  beginExecution,
  beginSpans,
  chooseCredential,
  type Execution,
  subjectOf,
} from '../engine/execution.ts'
import type { Job } from '../engine/job.ts'
import { canonicalJson } from '../lib/canonical.ts'
import { withTimeout } from '../lib/deadline.ts'
import { Aborter, type Signal } from '../lib/signal.ts'
import type { Answer } from '../model/envelope.ts'
import { withWarnings } from '../model/envelope.ts'
import { GatewayError } from '../model/errors.ts'
import type { ExecuteRequest } from '../model/execute-request.ts'
import { createFailure } from '../model/failure.ts'
import type { Outcome } from '../model/outcome.ts'
import type { Plan } from '../model/plan.ts'
import { planRoutes } from '../plan/plan.ts'
import { createHealth } from '../plan/route-health.ts'
import { foreignCursor, noRoute, requireScope } from './call-errors.ts'
import { record, toRecord } from './record.ts'
import { dropSkipped, resumePage } from './resume.ts'
import { type Replay, sendOnce, settleClaim } from './send-once.ts'

/** A request that may be sent. */
type Prepared = Pick<Job, 'card' | 'plan' | 'input'>

const NEVER = new Aborter()

/**
 * Runs one capability: find the card, check the input, plan, attempt, answer, record. HTTP, MCP, batch
 * and the command line all come through here. Never rejects: every end is an envelope.
 */
export async function execute(engine: Engine, request: ExecuteRequest): Promise<Answer> {
  const execution = beginExecution(engine, request)
  execution.spans = beginSpans(engine, execution)
  const comes = engine.journal.expect()
  let answer: Answer
  try {
    answer = await answerTo(engine, execution)
  } finally {
    comes()
  }
  const finished = toRecord(engine, execution, answer)
  execution.spans?.end(finished)
  await record(engine, finished)
  return { ...answer, subject: subjectOf(execution) }
}

async function answerTo(engine: Engine, execution: Execution): Promise<Answer> {
  const settled = await settle(async () => {
    const prepared = await prepare(engine, execution)
    const outcome = await attemptPlan(engine, execution, prepared)
    return 'replay' in outcome ? outcome : dropSkipped(prepared.card, execution.page, outcome)
  })
  if (settled instanceof GatewayError && settled.cause instanceof Error) {
    engine.onBug(settled.cause, execution.id)
  }
  const health = engine.journal.health()
  const shared = engine.state.shared?.health() ?? null
  const told = toAnswer(execution, settled)
  const warnings = operationWarnings(execution, settled, health, shared)
  const answer = { ...told, envelope: withWarnings(told.envelope, warnings) }
  await settleClaim(engine, execution, answer)
  return answer
}

/** The plan for an input as things stand now. Nothing is sent. */
export async function explain(engine: Engine, request: ExecuteRequest): Promise<Plan> {
  const { plan } = await prepare(engine, beginExecution(engine, request))
  return plan
}

async function prepare(engine: Engine, execution: Execution): Promise<Prepared> {
  const { request } = execution
  const card = findCard(engine.catalog, request.capability)
  execution.card = card
  requireScope(card, request.caller)
  execution.credential = chooseCredential(card, request)
  if (request.fields !== undefined) parseFields(request.fields, card)
  execution.asked = card.parseInput(request.input ?? {})
  const { input, cursorRoute, page } = resumePage(card, execution.asked)
  execution.input = input
  execution.page = page
  const pin = request.route ?? null
  if (pin && cursorRoute && pin !== cursorRoute) throw foreignCursor(card, pin, cursorRoute)
  const hasCredential = execution.credential !== null
  const health = await createHealth(engine, card, execution.credential, pin ?? cursorRoute)
  execution.planRequest = { input, pin, cursorRoute, hasCredential }
  const plan = planRoutes(card, execution.planRequest, health)
  execution.plan = plan
  return { card, plan, input }
}

async function attemptPlan(
  engine: Engine,
  execution: Execution,
  prepared: Prepared,
): Promise<Outcome | Replay> {
  const { card, plan } = prepared
  const [first] = plan.candidates
  if (!first) throw noRoute(card, plan)
  if (card.effect === 'read') return await runShared(engine, execution, prepared)
  const job = createJob(engine, execution, prepared, execution.request.signal ?? NEVER)
  return await sendOnce(engine, execution, job, async settled => {
    await recordIntent(engine, execution, job)
    return await engine.state.recentWrites.track(job, engine.clock.now, () =>
      sendChange(engine, job, settled),
    )
  })
}

/**
 * On record before anything is sent: after a crash there is a trace, and not a guess. A journal that cannot
 * be written fails no request: the answer has a warning, and the journal has told its own log.
 */
async function recordIntent(engine: Engine, execution: Execution, job: Job): Promise<void> {
  const intent = {
    request_id: job.requestId,
    time: job.time,
    caller: execution.request.caller.name,
    capability_id: job.card.id,
    route: job.plan.candidates[0]?.route ?? 'rest',
  }
  const written = engine.journal.intend(intent).catch(() => {})
  // A database that is busy for longer than the request has time ends it, with nothing sent.
  await withTimeout(job.deadline.remaining(), null, signal =>
    Promise.race([
      written,
      new Promise<void>(resolve => signal.addEventListener('abort', () => resolve())),
    ]),
  )
}

/**
 * Sends, unless what is to be settled first has come to an outcome. Something may have been sent here, so
 * not even a bug may be told as if nothing had been.
 */
async function sendChange(
  engine: Engine,
  job: Job,
  settled: () => Promise<Outcome | null>,
): Promise<Outcome> {
  try {
    return (await settled()) ?? (await runPlan(engine, job))
  } catch (error) {
    const bug = toGatewayError(error)
    engine.onBug(error as Error, job.requestId)
    const failure = createFailure(bug.code, bug.message, { writeOutcome: 'unknown' })
    return { ok: false, failure, route: null, reason: 'WRITE_OUTCOME_UNKNOWN' }
  }
}

/** Identical concurrent reads of one credential are one run; each caller keeps an envelope of its own. */
async function runShared(
  engine: Engine,
  execution: Execution,
  prepared: Prepared,
): Promise<Outcome> {
  const { request, credential } = execution
  const { card, input, plan } = prepared
  const routes = plan.candidates.map(candidate => candidate.route)
  const key = `${card.id} ${credential?.id} ${routes.join()} ${request.timeoutMs} ${canonicalJson(input)}`
  const { value, joined } = await engine.state.inFlight.run(
    key,
    request.signal ?? null,
    async signal => {
      const job = createJob(engine, execution, prepared, signal)
      const outcome = await runPlan(engine, job)
      return { outcome, attempts: job.attempts, warnings: job.warnings }
    },
  )
  if (!joined) return value.outcome
  execution.joined = true
  execution.attempts.push(...value.attempts)
  execution.warnings.push(...value.warnings)
  return value.outcome.ok ? { ...value.outcome, reason: 'COALESCED' } : value.outcome
}

function createJob(engine: Engine, execution: Execution, prepared: Prepared, signal: Signal): Job {
  const { credential, id, deadline, time, attempts, steps, warnings, request, spans } = execution
  const job: Job = {
    ...prepared,
    credential,
    requestId: id,
    traceparent: request.traceparent ?? null,
    spans,
    batch: request.batch ?? null,
    deadline,
    time,
    signal,
    attempts,
    steps,
    warnings,
    verify: since => verifyWrite(engine, job, since),
  }
  return job
}

/** Turns whatever is thrown into an error that can be told. A bug is told as one, without its text. */
async function settle(work: () => Promise<Outcome | Replay>): Promise<Settled> {
  try {
    return await work()
  } catch (error) {
    return toGatewayError(error)
  }
}

export function toGatewayError(error: unknown): GatewayError {
  if (error instanceof GatewayError) return error
  if (error instanceof Error && error.name === 'AbortError') {
    return new GatewayError('CANCELLED', 'The caller left before the answer.', { source: 'caller' })
  }
  return new GatewayError(
    'UNKNOWN',
    'The gateway failed; the cause is in its log under this request id.',
    {
      cause: error,
    },
  )
}
