import { ExpressionError } from '../expressions/expression.ts'
import type { CallContext, RouteCall } from '../model/adapter.ts'
import type { Expression, ExpressionScope } from '../model/expression.ts'
import { createFailure, type Failure } from '../model/failure.ts'
import { type GoodReply, NO_EXCHANGE, type Reply } from '../model/reply.ts'

/** Makes one call that sends a request for each member of a list. Its `body` is the list of their bodies. */
export function forEach(call: RouteCall, list: Expression): RouteCall {
  return { ...call, call: (scope, context) => callEach(call, list, scope, context) }
}

/** Sends one request after the other, as GitHub and others ask for. The first failure ends the call. */
async function callEach(
  call: RouteCall,
  list: Expression,
  scope: ExpressionScope,
  given: CallContext,
): Promise<Reply> {
  // The ETag of one answer does not identify the others.
  const { etag: _, ...context } = given
  const members = membersOf(list, scope)
  if (!members) return { ok: false, failure: NO_LIST, exchange: NO_EXCHANGE }
  const replies: GoodReply[] = []
  let last: Reply = NOTHING_TO_DO
  let upstreamRequests = 0
  for (const item of members) {
    last = await call.call({ ...scope, item }, context)
    upstreamRequests += last.exchange.upstreamRequests
    if (!last.ok) break
    replies.push(last)
  }
  const exchange = { ...last.exchange, upstreamRequests }
  if (!last.ok) return { ok: false, failure: afterOthers(last.failure, replies.length), exchange }
  return {
    ...last,
    body: replies.map(({ body }) => body),
    warnings: replies.flatMap(({ warnings }) => warnings),
    partialFailure: replies.find(({ partialFailure }) => partialFailure)?.partialFailure ?? null,
    exchange,
  }
}

function membersOf(list: Expression, scope: ExpressionScope): readonly unknown[] | null {
  try {
    const members = list(scope)
    return Array.isArray(members) ? members : null
  } catch (error) {
    if (error instanceof ExpressionError) return null
    throw error
  }
}

/** After earlier members have been changed, a failure must not claim that the call applied nothing. */
function afterOthers(failure: Failure, done: number): Failure {
  return done > 0 && failure.writeOutcome === 'not_applied'
    ? { ...failure, writeOutcome: 'unknown' }
    : failure
}

const NOTHING_TO_DO: GoodReply = {
  ok: true,
  body: [],
  status: null,
  headers: {},
  warnings: [],
  partialFailure: null,
  exchange: NO_EXCHANGE,
}

const NO_LIST = createFailure('OUTPUT_INVALID', 'The value of each is not a list.', {
  writeOutcome: 'not_applied',
})
