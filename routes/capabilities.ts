import type { FastifyPluginCallbackTypebox } from '@fastify/type-provider-typebox'
import { Type } from '@sinclair/typebox'
import type { FastifyRequest } from 'fastify'
import { execute, explain } from '../src/call/execute.ts'
import { findCard } from '../src/cards/catalog.ts'
import { describeCard, summarizeCard } from '../src/cards/describe.ts'
import type { Engine } from '../src/engine/engine.ts'
import type { Signal } from '../src/lib/signal.ts'
import type { ExecuteRequest } from '../src/model/execute-request.ts'
import { checkIdempotencyKey } from '../src/model/idempotency-key.ts'
import type { Plan } from '../src/model/plan.ts'
import { sendAnswer, success } from './support/answer.ts'
import { callerSignal } from './support/caller-signal.ts'
import { PresentationQuery, readPresentation } from './support/presentation.ts'
import { answersOf, RouteName, TimeoutQuery } from './support/schemas.ts'
import { readUpstreamToken } from './support/upstream-token.ts'

const Params = Type.Object({
  id: Type.String({ maxLength: 200, description: 'For example repo.view.' }),
})

const planning = {
  route: Type.Optional(RouteName),
  timeout_ms: TimeoutQuery,
}
const ExplainQuery = Type.Object(planning, { additionalProperties: false })

export const RunQuery = Type.Object(
  { ...planning, ...PresentationQuery },
  { additionalProperties: false },
)

const PlanSchema = Type.Unsafe<Plan>(Type.Object({}, { additionalProperties: true }))
const CardList = Type.Object({
  items: Type.Unsafe<readonly object[]>(
    Type.Array(Type.Object({}, { additionalProperties: true })),
  ),
})
const CardDetail = Type.Unsafe<object>(Type.Object({}, { additionalProperties: true }))

/** What can be called, what it takes and gives, and the call itself. */
export function capabilityRoutes(engine: Engine): FastifyPluginCallbackTypebox {
  return (app, _options, done) => {
    app.get(
      '/v1/capabilities',
      {
        schema: {
          tags: ['capabilities'],
          summary: 'List what can be called',
          response: answersOf(CardList),
        },
      },
      request => success(request, { items: engine.catalog.all().map(summarizeCard) }),
    )
    app.get(
      '/v1/capabilities/:id',
      {
        schema: {
          tags: ['capabilities'],
          summary: 'Show one capability',
          params: Params,
          response: answersOf(CardDetail),
        },
      },
      request => success(request, describeCard(findCard(engine.catalog, request.params.id))),
    )
    app.post(
      '/v1/capabilities/:id',
      { schema: { hide: true, params: Params, querystring: RunQuery } },
      async (request, reply) => {
        const presentation = readPresentation(request)
        const { fields } = request.query
        const answer = await execute(engine, {
          ...toExecuteRequest(request, callerSignal(reply)),
          ...(fields === undefined ? {} : { fields }),
        })
        return sendAnswer(reply, engine, answer, presentation)
      },
    )
    app.post(
      '/v1/capabilities/:id/explain',
      {
        schema: {
          tags: ['capabilities'],
          summary: 'Show the plan for an input; nothing is sent',
          params: Params,
          querystring: ExplainQuery,
          response: answersOf(PlanSchema),
        },
      },
      async request => success(request, await explain(engine, toExecuteRequest(request, null))),
    )
    done()
  }
}

type RunRequest = Pick<FastifyRequest, 'id' | 'body' | 'caller' | 'headers'> & {
  params: { id: string }
  query: { route?: ExecuteRequest['route']; timeout_ms?: string }
}

function toExecuteRequest(request: RunRequest, signal: Signal | null): ExecuteRequest {
  const { params, query, headers } = request
  const token = readUpstreamToken(headers['x-upstream-authorization'])
  const key = headers['idempotency-key']
  const { traceparent } = headers
  return {
    capability: params.id,
    input: request.body,
    caller: request.caller,
    requestId: request.id,
    ...(signal ? { signal } : {}),
    ...(query.route ? { route: query.route } : {}),
    ...(query.timeout_ms ? { timeoutMs: Number(query.timeout_ms) } : {}),
    ...(token ? { upstreamToken: token } : {}),
    ...(key === undefined ? {} : { idempotencyKey: checkIdempotencyKey(String(key)) }),
    ...(typeof traceparent === 'string' ? { traceparent } : {}),
  }
}
