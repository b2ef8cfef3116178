import type { FastifyPluginCallbackTypebox } from '@fastify/type-provider-typebox'
import { Type } from '@sinclair/typebox'
import type { Engine } from '../src/engine/engine.ts'
import { describeUpstreams, UpstreamStatus } from '../src/observe/upstream-status.ts'
import { success } from './support/answer.ts'
import { answersOf, listOf } from './support/schemas.ts'

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
          response: answersOf(Type.Object({ items: listOf(UpstreamStatus) })),
        },
      },
      async request =>
        success(request, { items: await describeUpstreams(engine, !request.caller.operator) }),
    )
    done()
  }
}
