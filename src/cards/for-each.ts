import { ExpressionError } from '../expressions/expression.ts'
import type { CallContext, RouteCall } from '../model/adapter.ts'
import type { Expression } from '../model/expression.ts'
import type { Failure } from '../model/failure.ts'
import { createFailure } from '../model/failure.ts'
import type { GoodReply, Reply } from '../model/reply.ts'
import { NO_EXCHANGE } from '../model/reply.ts'

type Scope = Readonly<Record<string, unknown>>

/** Makes one call out of one for each member of a list; its `body` is the list of their bodies. */
export function forEach(call: RouteCall, list: Expression): RouteCall {
  return {
    unavailable: () => call.unavailable(),
    call: (scope, context) => callEach(call, list, scope, context),
  }
}

/** One after the other, since services like GitHub ask for it; the first that fails ends it. */
async function callEach(
  call: RouteCall,
  list: Expression,
  scope: Scope,
  asked: CallContext,
): Promise<Reply> {
  // The tag of one answer says nothing of the others.
  const { etag: _, ...context } = asked
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
  if (!last.ok) return { ok: false, failure: inPart(last.failure, replies.length), exchange }
  return {
    ...last,
    body: replies.map(({ body }) => body),
    warnings: replies.flatMap(({ warnings }) => warnings),
    partialFailure: replies.find(({ partialFailure }) => partialFailure)?.partialFailure ?? null,
    exchange,
  }
}

function membersOf(list: Expression, scope: Scope): readonly unknown[] | null {
  try {
    const members = list(scope)
    return Array.isArray(members) ? members : null
  } catch (error) {
    if (error instanceof ExpressionError) return null
    throw error
  }
}

/** What was done for the members before is done, whatever the answer for this one says of itself. */
function inPart(failure: Failure, done: number): Failure {
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

const NO_LIST = createFailure('OUTPUT_INVALID', 'The list to go through is no list.', {
  writeOutcome: 'not_applied',
})
