import type { EnvelopeError, Meta } from '../../src/model/envelope.ts'
import type { WriteOutcome } from '../../src/model/errors.ts'
import type { Observation, Seen } from './run.ts'
import { lostSince, type Stall } from './stalls.ts'

/** Allowed delay after the deadline, measured by the gateway. */
const DEADLINE_SLACK_MS = 100
/** Allowed delay by the client's clock. It includes HTTP, in a process that is busy with other runs. */
const WALL_SLACK_MS = 400
/** If a client leaves sooner, the gateway may not have read its request. */
const READ_MS = 50

type Check = (seen: Observation) => readonly string[]

/** The violations in a run, as sentences. Empty if there are none. */
export function findViolations(seen: Observation): readonly string[] {
  return CHECKS.flatMap(check => check(seen))
}

const CHECKS: readonly Check[] = [
  everyAnswerIsAnEnvelope,
  everyRequestIsInTheJournal,
  everyDeadlineIsKept,
  noAdviceRepeatsAWrite,
  noAgentMakesAWriteTwice,
  everyAdvisedReadShowsTheWrite,
  everyClaimIsTrue,
  everyListIsWhole,
  everyRequestUpstreamIsRecorded,
]

function everyAnswerIsAnEnvelope({ calls }: Observation): string[] {
  return calls.flatMap(({ call, requestId, answer, heard, killed }) => {
    if (heard !== null) return heard.faults.map(fault => `${requestId}: ${fault}`)
    if (answer === null) {
      const expected = killed || call.leavesAfterMs !== null
      return expected ? [] : [`${requestId} was never answered`]
    }
    const { envelope } = answer
    const { error, meta } = envelope
    const isWhole =
      Object.keys(envelope).join() === 'ok,data,error,meta' &&
      envelope.ok === (error === null) &&
      (envelope.ok ? envelope.data !== null : envelope.data === null) &&
      meta.attempts.every(
        ({ status, duration_ms }) => status === 'skipped' || Number(duration_ms) >= 0,
      )
    return [
      ...(isWhole
        ? []
        : [`${requestId} was answered with a broken envelope: ${JSON.stringify(envelope)}`]),
      ...(isBug(error) ? [`${requestId} hit a bug in the gateway: ${error?.message}`] : []),
    ]
  })
}

function isBug(error: EnvelopeError | null): boolean {
  return error?.code === 'UNKNOWN' && error.message.startsWith('The gateway failed')
}

function everyRequestIsInTheJournal({ calls, stalls }: Observation): string[] {
  return calls.flatMap(({ call, requestId, answer, record, killed, began }) => {
    if (record === null) {
      const leftAt = call.leavesAfterMs ?? Number.POSITIVE_INFINITY
      const unread = leftAt < READ_MS + lostSince(stalls.gateway, began)
      return answer === null && (killed || unread) ? [] : [`${requestId} is not in the journal`]
    }
    if (answer === null) return []
    const { ok, error } = answer.envelope
    const answered = [ok, error?.code ?? null, error?.write_outcome ?? null]
    const recorded = [record.ok, record.code, record.write_outcome]
    return answered.join() === recorded.join()
      ? []
      : [`${requestId}: answer ${answered.join()}, journal ${recorded.join()}`]
  })
}

function everyDeadlineIsKept({ calls, stalls }: Observation): string[] {
  return calls.flatMap(({ call, requestId, answer, began, wallMs }) => {
    if (answer === null) return []
    const { timeoutMs } = call
    const { meta } = answer.envelope
    const isLate = (took: number, slack: number, lost: readonly Stall[]) =>
      took > timeoutMs + slack + lostSince(lost, began + timeoutMs - READ_MS)
    const late =
      isLate(meta.duration_ms, DEADLINE_SLACK_MS, stalls.gateway) ||
      isLate(wallMs, WALL_SLACK_MS, [...stalls.gateway, ...stalls.own])
    if (!late) return []
    const took = `${meta.duration_ms} ms, by the client's clock ${Math.round(wallMs)}`
    return [`${requestId} had ${timeoutMs} ms and took ${took}: ${storyOf(meta)}`]
  })
}

function storyOf({ attempts }: Meta): string {
  const ran = attempts.filter(({ status }) => status !== 'skipped')
  return ran
    .map(
      ({ route, status, started_ms, duration_ms }) =>
        `${route} ${status} after ${started_ms}, for ${duration_ms}`,
    )
    .join('; ')
}

function noAdviceRepeatsAWrite({ calls }: Observation): string[] {
  return calls.flatMap(({ call, requestId, answer }) => {
    const error = answer?.envelope.error
    if (!error || !isUnsafe(call)) return []
    const mayHaveHappened = error.write_outcome === 'unknown' || error.write_outcome === 'applied'
    const { action } = error.next
    const isSafe = !mayHaveHappened || action === 'verify' || action === 'ask_human'
    return isSafe ? [] : [`${requestId} may have been applied, and the advice is to ${action}`]
  })
}

/** Agents only do what the answers in their dialect say. */
function noAgentMakesAWriteTwice({ calls }: Observation): string[] {
  return calls.flatMap(({ call, requestId, heard, applied }) => {
    if (call.agent === null || !isUnsafe(call)) return []
    const twice = `${requestId}: an agent that reads ${call.agent} made its write ${applied} times`
    const untrue = `${requestId}: an agent that reads ${call.agent} was answered with a write that was not made`
    return [
      ...(applied > 1 ? [twice] : []),
      ...(heard?.failure === null && applied === 0 ? [untrue] : []),
    ]
  })
}

function everyAdvisedReadShowsTheWrite({ unseen }: Observation): string[] {
  return unseen.map(requestId => `${requestId}: the advised read does not show the write`)
}

function isUnsafe({ capability }: Seen['call']): boolean {
  return capability === 'issue.create' || capability === 'issue.comments.create'
}

/**
 * The main check: compares the reports about each write, in answers and in the journal, with the
 * sandbox's state. Calls with one Idempotency-Key are one write; other calls are one write each.
 */
function everyClaimIsTrue({ calls }: Observation): string[] {
  const writes = Map.groupBy(
    calls.filter(({ call }) => call.capability !== 'pr.list'),
    ({ write }) => write,
  )
  return [...writes].flatMap(([write, same]) => {
    const claims = [...Map.groupBy(same, unitOf).values()].map(strongestClaim)
    const sure = claims.filter(claim => claim === 'applied').length
    const perhaps = claims.filter(claim => claim === 'unknown').length
    const applied = same[0]?.applied ?? 0
    // Setting a title twice is visible only once.
    const least = same.some(({ call }) => isUnsafe(call)) ? sure : Math.min(1, sure)
    if (applied >= least && applied <= sure + perhaps) return []
    return [`${write}: claimed ${claims.join(' and ')}, applied ${applied} times`]
  })
}

function unitOf({ call, requestId }: Seen): string {
  return call.key === null ? requestId : `key ${call.key}`
}

/** A refused repeat under the same key says nothing about the first call. */
function strongestClaim(unit: readonly Seen[]): WriteOutcome {
  const claims = unit.map(claimOf)
  return (
    claims.find(claim => claim === 'applied') ??
    claims.find(claim => claim === 'unknown') ??
    'not_applied'
  )
}

/** The outcome in the answer, or in the journal if there was no answer. Without either, nothing was sent. */
export function claimOf({ answer, record }: Seen): WriteOutcome {
  if (answer)
    return answer.envelope.ok ? 'applied' : (answer.envelope.error.write_outcome ?? 'not_applied')
  if (record) return record.ok ? 'applied' : (record.write_outcome ?? 'not_applied')
  return 'not_applied'
}

function everyListIsWhole({ calls, pullRequests }: Observation): string[] {
  return calls.flatMap(({ call, requestId, answer }) => {
    if (call.capability !== 'pr.list' || !answer?.envelope.ok) return []
    const { items } = answer.envelope.data as { items: unknown[] }
    const expected = Math.min(call.title === 0 ? 5 : 100, pullRequests)
    return items.length === expected ? [] : [`${requestId} lists ${items.length} of ${expected}`]
  })
}

/** Attempts report how many requests they sent. The sum must equal the requests that arrived, except for `gh`. */
export function everyRequestUpstreamIsRecorded({ calls, log }: Observation): string[] {
  if (calls.some(({ killed }) => killed)) return []
  return (['rest', 'graphql'] as const).flatMap(route => {
    const arrived = log.filter(row => row.route === route && row.via === 'tcp').length
    const { least, most } = recordedRequests(calls, route)
    return arrived >= least && arrived <= most
      ? []
      : [`${arrived} requests arrived by ${route}, recorded: ${most}`]
  })
}

/** The smallest and largest number of requests that can have arrived. */
function recordedRequests(calls: readonly Seen[], route: 'rest' | 'graphql') {
  const reported = new Set<string>()
  let least = 0
  let most = 0
  for (const { call, answer, record } of calls) {
    const meta = answer?.envelope.meta ?? record?.meta
    // A replay repeats the attempts of the first call.
    const attempts = meta && meta.reason !== 'IDEMPOTENT_REPLAY' ? meta.attempts : []
    for (const attempt of attempts.filter(
      made => made.route === route && made.status !== 'skipped',
    )) {
      const { upstream_requests = 1, upstream_status, error_code } = attempt
      most += upstream_requests
      // Callers that share a read report the same attempts.
      const isShared = call.capability === 'pr.list' && reported.has(JSON.stringify(attempt))
      reported.add(JSON.stringify(attempt))
      // The time may have run out before the last request was sent.
      const isCutShort =
        upstream_status === undefined && (error_code === 'TIMEOUT' || error_code === 'CANCELLED')
      least += isShared ? 0 : upstream_requests - (isCutShort ? 1 : 0)
    }
  }
  return { least, most }
}
