import { createHash } from 'node:crypto'
import { needsApproval } from '../access/permission.ts'
import type { Engine } from '../engine/engine.ts'
import type { Execution } from '../engine/execution.ts'
import type { Run } from '../engine/run.ts'
import { canonicalJson } from '../lib/canonical.ts'
import { parseJson } from '../lib/exact-json.ts'
import type { Card } from '../model/card.ts'
import { type ErrorCode, GatewayError } from '../model/errors.ts'
import { touchedReads } from '../model/kept-reads.ts'
import type { MemoryUse } from '../model/memory.ts'
import type { Outcome } from '../model/outcome.ts'
import type { PlanRequest, Recollection } from '../model/plan.ts'
import { createWarning } from '../model/warnings.ts'
import type { FoundAnswer, KeptAnswer, Look, Place } from '../state/answers.ts'
import type { Replay } from './send-once.ts'

/** A change of unknown outcome may still take effect, so what is read within this time is not kept. */
const DOUBT_MS = 60_000

/** The failures that say nothing about the thing that was asked for, so that an older answer helps. */
const PASSING = {
  RATE_LIMIT: true,
  TIMEOUT: true,
  NETWORK: true,
  SERVER: true,
  NOT_READY: true,
  OUTPUT_INVALID: true,
  AUTH: false,
  FORBIDDEN: false,
  NOT_FOUND: false,
  VALIDATION: false,
  CONFLICT: false,
  APPROVAL_REQUIRED: false,
  TOO_LARGE: false,
  ADAPTER_UNSUPPORTED: false,
  CANCELLED: false,
  UNKNOWN: false,
} as const satisfies Record<ErrorCode, boolean>

type Ended = Outcome | Replay

/** A call whose input has been checked. */
export interface ReadyCall {
  readonly card: Card
  readonly asked: PlanRequest
}

/**
 * Answers a read from memory as far as its caller allows it, else by its routes, and keeps what those answer. A change goes
 * to its routes.
 * @throws {GatewayError} VALIDATION (504) when the caller wants nothing sent, and the answer is not in memory.
 */
export async function throughMemory(
  engine: Engine,
  execution: Execution,
  call: ReadyCall,
  memory: MemoryUse,
  ask: () => PromiseLike<Ended>,
): Promise<Ended> {
  if (mayRemember(execution, call)) {
    return await readThrough({ engine, execution, call, memory, ask })
  }
  if (memory.onlyKept) throw notKept(`memory cannot answer ${call.card.id} for you`)
  return await ask()
}

/** A person who has to approve a read approves each one. */
function mayRemember({ request }: Execution, { card }: ReadyCall): boolean {
  return card.effect === 'read' && !needsApproval(request.caller, card)
}

interface Reading {
  readonly engine: Engine
  readonly execution: Execution
  readonly call: ReadyCall
  readonly memory: MemoryUse
  readonly ask: () => PromiseLike<Ended>
}

async function readThrough(reading: Reading): Promise<Ended> {
  const { engine, execution, call, memory, ask } = reading
  const place = placeOf(execution, call)
  const look = await lookFor(engine, execution, place)
  const young = youngerThan(memory.maxAgeMs, look)
  if (young && makeRoom(engine, execution, young)) return recall(execution, young)
  if (memory.onlyKept) {
    throw notKept(`the gateway has no answer to ${call.card.id} that is young enough`)
  }
  const ended = await settled(ask)
  if (isFailure(ended)) return orOlder(reading, look, ended)
  if (memory.keeps) keep(engine, execution, { place, look, ended })
  return ended
}

/** An answer that is older than the caller wants, or the failure if none helps. */
function orOlder(
  { engine, execution, memory: { maxAgeMs, staleIfErrorMs } }: Reading,
  look: Look,
  failed: Failed,
): Outcome {
  const older = youngerThan(maxAgeMs + staleIfErrorMs, look)
  if (older && isPassing(execution, failed) && makeRoom(engine, execution, older)) {
    return recallStale(execution, older)
  }
  if (failed instanceof GatewayError) throw failed
  return failed
}

function youngerThan(ms: number, { found }: Look): FoundAnswer | null {
  return found !== null && found.ageMs < ms ? found : null
}

interface Answered {
  readonly place: Place
  readonly look: Look
  readonly ended: Ended
}

/**
 * Keeps an answer for later calls. One with a warning lacks something or is stale; one that joined the run of another call
 * was asked for before this call looked.
 */
function keep(
  { state }: Engine,
  { id: requestId, warnings, joined }: Execution,
  { place, look: { mark }, ended }: Answered,
): void {
  if (mark === null || warnings.length > 0 || joined) return
  if (!('ok' in ended) || !ended.ok) return
  const { data, route } = ended
  state.keptAnswers.keep(place, { data, route, requestId }, mark)
}

/** Says whether memory would answer a call now. Null: its caller does not ask for that. */
export async function recollectionOf(
  engine: Engine,
  execution: Execution,
  call: ReadyCall,
): Promise<Recollection | null> {
  const { memory } = execution.request
  if (memory === undefined || !mayRemember(execution, call)) return null
  const { found } = await lookFor(engine, execution, placeOf(execution, call))
  if (!found) return { answers: 'no', age_ms: null }
  const { maxAgeMs, staleIfErrorMs } = memory
  const isStale = found.ageMs >= maxAgeMs
  const age_ms = Math.round(found.ageMs)
  if (!isStale) return { answers: 'yes', age_ms }
  return { answers: found.ageMs < maxAgeMs + staleIfErrorMs ? 'if_routes_fail' : 'no', age_ms }
}

/**
 * Drops the answers that a change has touched, or may have, whoever they were for. Resolves when no call finds them any more.
 */
export async function forgetTouched(
  { engine, card, deadline }: Run,
  outcome: Outcome,
): Promise<void> {
  const made = outcome.ok ? 'applied' : outcome.failure.writeOutcome
  if (made === 'not_applied') return
  const reads = engine.catalog.all().filter(({ effect }) => effect === 'read')
  const touched = {
    upstream: card.upstream.id,
    capabilities: touchedReads(card, reads),
    doubtMs: made === 'unknown' ? DOUBT_MS : 0,
  }
  const { keptAnswers } = engine.state
  await keptAnswers.drop(touched, engine.clock.monotonic(), deadline.remaining())
}

function lookFor(
  { state, clock }: Engine,
  { deadline }: Execution,
  place: Place,
): Look | Promise<Look> {
  return state.keptAnswers.look(place, clock.monotonic(), deadline.remaining())
}

/** The key holds the whole token of a caller, because nobody checks it again before it is answered. */
function placeOf({ request, credential }: Execution, { card, asked }: ReadyCall): Place {
  const { upstream } = card
  const subject = [card.id, card.digest(), upstream.id, upstream.baseUrl]
  const identity = [credential?.id, request.upstreamToken]
  const facts = [subject, identity, asked.pin ?? asked.cursorRoute, asked.input]
  const key = createHash('sha256').update(canonicalJson(facts)).digest('base64url')
  return { key, upstream: upstream.id, capability: card.id }
}

/** Counts the bytes of an answer among those that the gateway holds. False when there is no room for them. */
function makeRoom({ answers }: Engine, execution: Execution, { bytes }: FoundAnswer): boolean {
  execution.held ??= answers.open({ mayFail: true, mayWait: false })
  return execution.held.take(bytes)
}

function recall(execution: Execution, { json, ageMs }: FoundAnswer): Outcome {
  const { data, route, requestId = null } = parseJson(json) as KeptAnswer
  execution.ageMs = ageMs
  execution.answerFrom = { how: 'memory', request_id: requestId, borrowed: execution.joined }
  return { ok: true, data, route, reason: 'CACHE_HIT' }
}

function recallStale(execution: Execution, found: FoundAnswer): Outcome {
  const age = Math.round(found.ageMs / 1000)
  const message = `Every route failed; this answer comes from memory and is ${age} s old.`
  const details = { age_ms: Math.round(found.ageMs) }
  execution.warnings.push(createWarning('STALE_ANSWER', message, { details }))
  return recall(execution, found)
}

/** The outcome, or the error that no route can be used. */
async function settled(ask: () => PromiseLike<Ended>): Promise<Ended | GatewayError> {
  try {
    return await ask()
  } catch (error) {
    if (error instanceof GatewayError) return error
    throw error
  }
}

type Failed = GatewayError | (Outcome & { readonly ok: false })

function isFailure(ended: Ended | GatewayError): ended is Failed {
  return ended instanceof GatewayError || ('ok' in ended && !ended.ok)
}

/** A route that was refused, or that found nothing, counts even if another one was reported. */
function isPassing({ attempts }: Execution, failed: Failed): boolean {
  const codes = attempts.flatMap(({ error_code, status }) =>
    status === 'error' && error_code ? [error_code] : [],
  )
  const reported = failed instanceof GatewayError ? failed.code : failed.failure.code
  return [...codes, reported].every(code => PASSING[code])
}

const GATEWAY_TIMEOUT = 504

/** As RFC 9111 wants it, section 5.2.1.7. */
function notKept(reason: string): GatewayError {
  return new GatewayError(
    'VALIDATION',
    `Not sent: ${reason}, and Cache-Control has only-if-cached. Leave it out to ask the service.`,
    {
      source: 'caller',
      status: GATEWAY_TIMEOUT,
      details: { fields: [{ path: 'cache-control', message: 'only-if-cached forbids to ask' }] },
    },
  )
}
