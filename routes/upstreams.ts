import type { FastifyPluginCallbackTypebox } from '@fastify/type-provider-typebox'
import { type TSchema, Type } from '@sinclair/typebox'
import type { Engine } from '../src/engine/engine.ts'
import { describeUpstreams, type UpstreamStatus } from '../src/observe/upstream-status.ts'
import { success } from './support/answer.ts'
import { answersOf, listOf, RouteName } from './support/schemas.ts'

const nullable = <T extends TSchema>(schema: T) => Type.Union([schema, Type.Null()])

const RouteStatus = Type.Object({
  route: RouteName,
  unavailable: nullable(
    Type.Object({ reason: Type.String(), message: Type.String(), fix: Type.String() }),
  ),
  breaker: Type.Object({
    state: Type.String({ description: 'closed, open, or half_open: one request finds out.' }),
    failures: Type.Integer({ description: 'Counted towards opening, while it is closed.' }),
    retry_after_ms: nullable(Type.Number()),
  }),
  bulkhead: nullable(
    Type.Object({
      running: Type.Integer(),
      max_running: Type.Integer(),
      waiting: Type.Integer(),
      max_waiting: Type.Integer(),
    }),
  ),
})

const PoolStatus = Type.Object({
  pool: Type.String(),
  credential: nullable(Type.String({ description: 'A name for it that tells nothing of it.' })),
  limit: nullable(Type.Number()),
  remaining: nullable(Type.Number({ description: 'As last reported; null when never told.' })),
  reset_at: nullable(Type.String({ description: 'RFC 3339, UTC.' })),
  reset_in_ms: nullable(Type.Number()),
  exhausted: Type.Boolean({ description: 'Not asked again before the reset.' }),
})

const UpstreamList = Type.Object({
  items: Type.Unsafe<readonly UpstreamStatus[]>(
    listOf(
      Type.Object({
        id: Type.String(),
        description: nullable(Type.String()),
        routes: Type.Array(RouteStatus),
        pools: Type.Array(PoolStatus),
      }),
    ),
  ),
})

/** The services behind the capabilities: quotas, circuit breakers, bounds. */
export function upstreamRoutes(engine: Engine): FastifyPluginCallbackTypebox {
  return (app, _options, done) => {
    app.get(
      '/v1/upstreams',
      {
        schema: {
          tags: ['journal'],
          summary:
            'Show upstreams: quotas, circuit breakers, running calls, as this gateway sees them',
          response: answersOf(UpstreamList),
        },
      },
      async request =>
        success(request, { items: await describeUpstreams(engine, !request.caller.operator) }),
    )
    done()
  }
}
