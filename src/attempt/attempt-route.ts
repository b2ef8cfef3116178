import { ExpressionError } from '../expressions/expression.ts'
import { canonicalJson } from '../lib/canonical.ts'
import type { CallContext } from '../model/adapter.ts'
import type { Card, CardRoute, FieldProblem } from '../model/card.ts'
import { encodeCursor } from '../model/cursor.ts'
import type { Failure } from '../model/failure.ts'
import { createFailure } from '../model/failure.ts'
import { type Exchange, type GoodReply, NO_EXCHANGE, type Reply } from '../model/reply.ts'
import type { Warning } from '../model/warnings.ts'
import { createWarning, staleWarning } from '../model/warnings.ts'
import type { Revalidation } from '../state/revalidation.ts'
import { runFollowUps } from './follow-ups.ts'
import { absence, evaluate, explained, misfit, NO_LOOKUPS, runLookups } from './lookups.ts'
import { callPaged, type PagedReply } from './pager.ts'
import { withoutFragileEtag } from './raw-pages.ts'

/** The result of one call on one route, mapped and checked. */
export type AttemptResult =
  | {
      readonly ok: true
      readonly data: unknown
      readonly warnings: readonly Warning[]
      readonly exchange: Exchange
    }
  | {
      readonly ok: false
      readonly failure: Failure
      readonly exchange: Exchange
      /** The service had no part in the failure, so it says nothing about its health. */
      readonly isUnsent?: boolean
    }

type Input = Readonly<Record<string, unknown>>

/** A call of one route. */
interface Trial {
  readonly card: Card
  readonly route: CardRoute
  readonly input: Input
  readonly context: CallContext
  readonly revalidation: Revalidation
}

/**
 * Calls a route, with its lookups before and its follow-ups after, and maps the answer onto the card's output.
 */
export function attemptRoute(
  card: Card,
  route: CardRoute,
  input: Input,
  context: CallContext,
  revalidation: Revalidation,
): PromiseLike<AttemptResult> {
  const trial = { card, route, input, context, revalidation }
  if (route.lookups.length > 0) {
    return runLookups(route, input, context).then(found => found.failed ?? callAfter(trial, found))
  }
  return callAfter(trial, NO_LOOKUPS)
}

type Looked = Awaited<ReturnType<typeof runLookups>>

function callAfter(trial: Trial, { lookup, requests }: Looked): PromiseLike<AttemptResult> {
  const { card, route, input } = trial
  const scope = { input, lookup }
  const call = (full: Input) => callOnce(trial, full)
  if (route.pages === null) {
    return call(scope).then(reply => readReply(trial, scope, withRequests(reply, requests), null))
  }
  return callPaged(card, route, scope, call).then(paged =>
    readReply(trial, scope, withRequests(paged.reply, requests), paged),
  )
}

/**
 * The reply to a change that this gateway no longer sends, because it has given no sign of life for so long that another one may
 * have sent it.
 */
const TAKEN_OVER: Reply = {
  ok: false,
  failure: createFailure(
    'SERVER',
    'The gateway had stood still, or lost the store of the Idempotency-Keys, for so long that another one may hold this key. It sent nothing more.',
    {
      fallback: false,
      writeOutcome: 'not_applied',
      source: 'gateway',
      retryAfterMs: 1_000,
      retryAfterSource: 'default',
    },
  ),
  exchange: NO_EXCHANGE,
}

/** Makes one request. Only reads may be answered from memory, and only from answers to the same credential. */
function callOnce({ card, route, context, revalidation }: Trial, full: Input): PromiseLike<Reply> {
  if (card.effect !== 'read') {
    if (context.mayChange?.() === false) return Promise.resolve(TAKEN_OVER)
    return route.call.call(full, context)
  }
  const keyOf = () => `${context.credential?.id} ${card.id} ${route.route} ${canonicalJson(full)}`
  const { pages } = route
  return revalidation.call(keyOf, context, revised => {
    const reply = route.call.call(full, revised)
    return pages === null ? reply : reply.then(page => withoutFragileEtag(pages, full, page))
  })
}

/** Synchronous unless there are requests to follow. */
function readReply(
  { card, route, context }: Trial,
  scope: { readonly input: Input; readonly lookup: unknown },
  reply: Reply,
  paged: PagedReply | null,
): AttemptResult | Promise<AttemptResult> {
  if (!reply.ok) return reply
  const { exchange } = reply
  const seen = scopeOf(scope, reply, paged)
  const absent = judge(route, seen)
  if (absent instanceof ExpressionError)
    return unreadable(reply, route, [{ path: '', message: absent.message }])
  if (absent) return { ok: false, failure: explained(reply, absent), exchange }
  if (route.followUps.length === 0) return mapReply(card, route, reply, seen)
  // Don't follow up on a change that was made only in part.
  if (reply.partialFailure) return { ok: false, failure: reply.partialFailure, exchange }
  return followUp(card, route, reply, seen, context)
}

async function followUp(
  card: Card,
  route: CardRoute,
  reply: GoodReply,
  seen: Input,
  context: CallContext,
): Promise<AttemptResult> {
  const { exchange } = reply
  // Traces show the main request.
  const quiet = { ...context, onSent: undefined }
  const { results, warnings, upstreamRequests } = await runFollowUps(route.followUps, seen, quiet)
  const whole = {
    ...reply,
    warnings: [...reply.warnings, ...warnings],
    exchange: { ...exchange, upstreamRequests: exchange.upstreamRequests + upstreamRequests },
  }
  return mapReply(card, route, whole, { ...seen, ...results })
}

/** Adds the requests of lookups to those of the call. */
function withRequests(reply: Reply, requests: number): Reply {
  if (requests === 0) return reply
  const { exchange } = reply
  const upstreamRequests = exchange.upstreamRequests + requests
  return { ...reply, exchange: { ...exchange, upstreamRequests } }
}

/** The values that expressions about an answer see. */
function scopeOf(
  { input, lookup }: { readonly input: Input; readonly lookup: unknown },
  { body, status, headers }: GoodReply,
  paged: PagedReply | null,
): Input {
  if (paged === null) return { input, lookup, body, status, headers }
  const { items, pageInfo, scan } = paged
  return { input, lookup, items, pageInfo, scan, body, status, headers }
}

/** Whether the answer shows that there is no such thing, or that this route cannot serve the call. */
function judge({ missing, unsupported }: CardRoute, seen: Input): Failure | ExpressionError | null {
  if (missing === null && unsupported === null) return null
  return evaluate(() => absence(missing, seen) ?? misfit(unsupported, seen))
}

const UNDESCRIBED = createWarning(
  'PARTIAL_RESULTS',
  'The upstream confirmed the change with an empty answer, so data does not describe it.',
)

function mapReply(card: Card, route: CardRoute, reply: GoodReply, scope: Input): AttemptResult {
  const { warnings, exchange } = reply
  const data = evaluate(() => route.result(scope))
  const isSilent = card.effect !== 'read' && reply.body === null && !reply.partialFailure
  if (isSilent && (data instanceof ExpressionError || card.checkOutput(data).length > 0)) {
    return { ok: true, data: {}, warnings: [...warnings, UNDESCRIBED], exchange }
  }
  if (data instanceof ExpressionError)
    return unreadable(reply, route, [{ path: '', message: data.message }])
  const answer = wrapCursor(card, route, data)
  const faults = card.checkOutput(answer)
  if (faults.length > 0) return unreadable(reply, route, faults)
  const stale = staleWarning(reply.headers)
  return { ok: true, data: answer, warnings: stale ? [...warnings, stale] : warnings, exchange }
}

/**
 * The failure of an answer that does not fit the output schema. Errors that came with partial data explain it.
 * Without them the service or the card has changed; the upstream answered, so a write has been applied.
 */
function unreadable(
  { partialFailure, exchange }: GoodReply,
  { route }: CardRoute,
  fields: readonly FieldProblem[],
): AttemptResult {
  if (partialFailure) return { ok: false, failure: partialFailure, exchange }
  const [first] = fields
  const what = `${first?.path || 'data'} ${first?.message ?? 'is not as declared'}`
  const failure = createFailure(
    'OUTPUT_INVALID',
    `The ${route} answer does not fit the output schema of the card: ${what}.`,
    { writeOutcome: 'applied', details: { fields } },
  )
  return { ok: false, failure, exchange }
}

/** Puts the route into its cursor: no other route can continue from there. */
function wrapCursor(card: Card, { route }: CardRoute, data: unknown): unknown {
  if (!card.page || !isList(data)) return data
  const { hasNextPage, endCursor } = data.pageInfo
  const cursor =
    hasNextPage === true && typeof endCursor === 'string'
      ? encodeCursor({ route, value: endCursor, skip: 0 })
      : null
  return { ...data, pageInfo: { hasNextPage, endCursor: cursor } }
}

function isList(data: unknown): data is { pageInfo: { hasNextPage: unknown; endCursor: unknown } } {
  const info = (data as { pageInfo?: unknown } | null)?.pageInfo
  return info !== null && typeof info === 'object'
}
