import type { FastifyPluginCallbackTypebox } from '@fastify/type-provider-typebox'
import { Type } from '@sinclair/typebox'
import type { Journal } from '../src/journal/journal.ts'
import { GatewayError } from '../src/model/errors.ts'
import type { Shared } from '../src/state/redis/open.ts'
import { success } from './support/answer.ts'
import { answersOf } from './support/schemas.ts'

const Live = Type.Object({ status: Type.Literal('alive') })
const Ready = Type.Object({
  status: Type.Union([Type.Literal('ready'), Type.Literal('degraded')]),
  journal: Type.Object({
    ok: Type.Boolean(),
    message: Type.Union([Type.String(), Type.Null()]),
    waiting: Type.Integer({ description: 'Records in memory that are not written yet.' }),
    dropped: Type.Integer({ description: 'Records lost for lack of room since the start.' }),
  }),
  state: Type.Union(
    [
      Type.Object({
        ok: Type.Boolean(),
        message: Type.Union([Type.String(), Type.Null()]),
      }),
      Type.Null(),
    ],
    { description: 'What it shares with other gateways; null when it shares nothing.' },
  ),
})

export interface HealthOptions {
  readonly journal: Journal
  readonly shared: Shared | null
  /** True once the gateway has begun to shut down. */
  readonly draining: () => boolean
}

/** For load balancers: is the process alive, and should it get requests? */
export function healthRoutes({
  journal,
  shared,
  draining,
}: HealthOptions): FastifyPluginCallbackTypebox {
  return (app, _options, done) => {
    app.get(
      '/livez',
      { schema: { tags: ['health'], summary: 'Is the process alive?', response: answersOf(Live) } },
      request => success(request, { status: 'alive' as const }),
    )
    app.get(
      '/readyz',
      {
        schema: {
          tags: ['health'],
          summary:
            'Should it get requests? A failing journal or shared state degrades it, and fails no request',
          response: answersOf(Ready),
        },
      },
      request => {
        if (draining()) {
          throw new GatewayError('SERVER', 'The gateway is shutting down.', {
            status: 503,
            retryAfterMs: 1000,
          })
        }
        const [health, state] = [journal.health(), shared?.health() ?? null]
        return success(request, {
          status: health.ok && (state?.ok ?? true) ? 'ready' : 'degraded',
          journal: health,
          state,
        } as const)
      },
    )
    done()
  }
}
