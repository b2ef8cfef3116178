import { ExpressionError } from '../expressions/expression.ts'
import { isTruthy } from '../expressions/truth.ts'
import { shorten } from '../lib/text.ts'
import type { CallContext } from '../model/adapter.ts'
import type { Card, FollowUp } from '../model/card.ts'
import type { Failure } from '../model/failure.ts'
import type { Plan, PlannedStep } from '../model/plan.ts'
import { createWarning, type Warning } from '../model/warnings.ts'

/** The value of `then.<name>` in `result`; null when its `when` was false. */
interface FollowUpResult {
  readonly done: boolean
  /** With `each` the list of the bodies, with null for each request that failed. */
  readonly body: unknown
}

type Scope = Readonly<Record<string, unknown>>

/** One request of a follow-up. */
interface Request {
  readonly scope: Scope
  /** The member of `each` that it is about, for warnings; null when there is none. */
  readonly subject: string | null
}

interface Sent {
  readonly result: FollowUpResult
  readonly warnings: readonly Warning[]
  readonly upstreamRequests: number
}

/**
 * Sends the requests that follow an applied change, in order, once each, by the same route. The change is made
 * already, so a follow-up that fails adds a warning and does not fail the call.
 */
export async function runFollowUps(
  followUps: readonly FollowUp[],
  scope: Scope,
  context: CallContext,
) {
  const results: Record<string, FollowUpResult | null> = {}
  const warnings: Warning[] = []
  let upstreamRequests = 0
  for (const followUp of followUps) {
    results[followUp.name] = null
    const requests = evaluate(() => requestsOf(followUp, { ...scope, ...asThen(results) }))
    if (requests === null) continue
    const sent =
      requests instanceof ExpressionError
        ? unreadable(followUp, requests)
        : await sendAll(followUp, requests, context)
    results[followUp.name] = sent.result
    warnings.push(...sent.warnings)
    upstreamRequests += sent.upstreamRequests
  }
  return { results: asThen(results), warnings, upstreamRequests }
}

/** Sends each request, also after one that failed: the others may well succeed. */
async function sendAll(
  followUp: FollowUp,
  requests: readonly Request[],
  context: CallContext,
): Promise<Sent> {
  const warnings: Warning[] = []
  const bodies: unknown[] = []
  let done = true
  let upstreamRequests = 0
  for (const { scope, subject } of requests) {
    const reply = await followUp.call.call(scope, { ...context, effect: followUp.effect })
    upstreamRequests += reply.exchange.upstreamRequests
    const failure = reply.ok ? reply.partialFailure : reply.failure
    bodies.push(reply.ok ? reply.body : null)
    if (failure) warnings.push(failureWarning(followUp, subject, failure))
    else if (reply.ok) warnings.push(...reply.warnings)
    done &&= failure === null
  }
  const body = followUp.each ? bodies : bodies[0]
  return { result: { done, body }, warnings, upstreamRequests }
}

/** The requests that a follow-up makes; null when its `when` is false. @throws {ExpressionError} */
function requestsOf({ when, each, subject }: FollowUp, scope: Scope): readonly Request[] | null {
  if (when && !isTruthy(when(scope))) return null
  if (!each) return [{ scope, subject: null }]
  const members = each(scope)
  if (!Array.isArray(members)) throw new ExpressionError('the value of each is not a list')
  return members.map((item: unknown, index) => {
    const own = { ...scope, item }
    const name = subject?.(own)
    const place = `number ${index + 1} of ${members.length}`
    return { scope: own, subject: typeof name === 'string' ? name : place }
  })
}

/** The follow-ups of the first route that an input calls for, as far as that can be known before the change. */
export function plannedSteps({ routes }: Card, { candidates }: Plan, input: Scope): PlannedStep[] {
  const first = routes.find(({ route }) => route === candidates[0]?.route)
  return (first?.followUps ?? []).flatMap(followUp => {
    const requests = requestsBefore(followUp, input)
    if (requests === null) return []
    const { name: step, purpose } = followUp
    const subjects = requests.flatMap(({ subject }) => subject ?? [])
    return [{ step, purpose, ...(subjects.length > 0 && { subjects }) }]
  })
}

/**
 * Warns about follow-ups of a write whose answer nobody has, so that only `verify` confirmed it.
 * @param tell makes a sentence of "The request to add the note"
 */
export function unsentFollowUps(
  followUps: readonly FollowUp[],
  input: Scope,
  tell: (what: string) => string,
): readonly Warning[] {
  return followUps.flatMap(followUp =>
    (requestsBefore(followUp, input) ?? []).map(({ subject }) =>
      notDone(followUp, subject, tell(requestTo(followUp, subject))),
    ),
  )
}

/** An expression that cannot be read without the answer may call for the request. */
function requestsBefore(followUp: FollowUp, input: Scope): readonly Request[] | null {
  const scope = { input, lookup: {}, body: null, ...asThen({}) }
  const requests = evaluate(() => requestsOf(followUp, scope))
  return requests instanceof ExpressionError ? [{ scope, subject: null }] : requests
}

/** Expressions see the results as `then`. */
function asThen(results: Readonly<Record<string, FollowUpResult | null>>): Scope {
  // oxlint-disable-next-line unicorn/no-thenable -- the value is no function
  return { then: results }
}

function evaluate<T>(work: () => T): T | ExpressionError {
  try {
    return work()
  } catch (error) {
    if (error instanceof ExpressionError) return error
    throw error
  }
}

function unreadable(followUp: FollowUp, { message }: ExpressionError): Sent {
  const warning = notDone(followUp, null, `${requestTo(followUp, null)} failed: ${message}`)
  return { result: { done: false, body: null }, warnings: [warning], upstreamRequests: 0 }
}

function failureWarning(
  followUp: FollowUp,
  subject: string | null,
  { code, message, writeOutcome }: Failure,
): Warning {
  const request = requestTo(followUp, subject)
  const isUnknown = writeOutcome === 'unknown'
  const what = isUnknown
    ? `It is not known whether t${request.slice(1)} was carried out`
    : `${request} failed`
  return notDone(followUp, subject, `${what}: ${message}`, { code, write_outcome: writeOutcome })
}

function requestTo({ purpose }: FollowUp, subject: string | null): string {
  return subject === null
    ? `The request to ${purpose}`
    : `The request to ${purpose} (${shorten(subject, LONGEST_SUBJECT)})`
}

/** Subjects come from the caller, and may have any length. */
const LONGEST_SUBJECT = 100

function notDone(
  { name }: FollowUp,
  subject: string | null,
  message: string,
  facts: object = {},
): Warning {
  const details = { step: name, ...(subject !== null && { subject }), ...facts }
  return createWarning('STEP_NOT_DONE', message, { details })
}
