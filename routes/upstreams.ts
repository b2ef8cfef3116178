import type { FastifyPluginCallbackTypebox } from '@fastify/type-provider-typebox'
import { Type } from '@sinclair/typebox'
import type { Caller } from '../src/model/caller.ts'
import { UpstreamStatus } from '../src/observe/upstream-status.ts'
import { success } from './support/answer.ts'
import { answersOf } from './support/schemas.ts'

const LIST = {
  schema: {
    tags: ['journal'],
    operationId: 'listUpstreams',
    summary:
      'Show upstreams: quotas, circuits, credentials, running calls, as this gateway sees them',
    description:
      'Shows how much of each quota is left, which circuits are open, which credentials work and until when, and how many calls run and wait.',
    response: answersOf(Type.Object({ items: Type.Array(UpstreamStatus) })),
  },
}

export interface UpstreamOptions {
  readonly describeUpstreams: (caller: Caller) => Promise<readonly UpstreamStatus[]>
}

/** Shows quotas, circuit breakers and bulkheads of the services behind the capabilities. */
export function upstreamRoutes({
  describeUpstreams,
}: UpstreamOptions): FastifyPluginCallbackTypebox {
  return (app, _options, done) => {
    app.get('/v1/upstreams', LIST, async request =>
      success(request, { items: await describeUpstreams(request.caller) }),
    )
    done()
  }
}
