import { ExpressionError } from '../expressions/expression.ts'
import { canonicalJson } from '../lib/canonical.ts'
import type { CallContext } from '../model/adapter.ts'
import type { Card, CardRoute, FieldProblem } from '../model/card.ts'
import { encodeCursor } from '../model/cursor.ts'
import type { Failure } from '../model/failure.ts'
import { createFailure } from '../model/failure.ts'
import type { Exchange, GoodReply, Reply } from '../model/reply.ts'
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

/** Calls a route, with its lookups before and its follow-ups after, and maps the answer onto the card's output. */
export async function attemptRoute(
  card: Card,
  route: CardRoute,
  input: Input,
  context: CallContext,
  revalidation: Revalidation,
): Promise<AttemptResult> {
  const { lookup, failed, requests } =
    route.lookups.length === 0 ? NO_LOOKUPS : await runLookups(route, input, context)
  if (failed) return failed
  const scope = { input, lookup }
  const call = (full: Input) => {
    // Only reads may be answered from memory, and only from answers to the same credential.
    if (card.effect !== 'read') return route.call.call(full, context)
    const keyOf = () => `${context.credential?.id} ${card.id} ${route.route} ${canonicalJson(full)}`
    return revalidation.call(keyOf, context, async revised => {
      const reply = await route.call.call(full, revised)
      return route.pages ? withoutFragileEtag(route.pages, full, reply) : reply
    })
  }
  const paged = route.pages ? await callPaged(card, route, scope, call) : null
  const reply = withRequests(paged === null ? await call(scope) : paged.reply, requests)
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
