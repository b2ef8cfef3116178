import type { FastifyPluginCallbackTypebox } from '@fastify/type-provider-typebox'
import { Type } from '@sinclair/typebox'
import type { Caller } from '../src/model/caller.ts'
import { GatewayError } from '../src/model/errors.ts'
import type { SharedHealth } from '../src/model/health.ts'
import { nullable } from '../src/model/schema-parts.ts'
import type { Health } from '../src/observe/health.ts'
import { success } from './support/answer.ts'
import { OPEN } from './support/request-context.ts'
import { answersOf } from './support/schemas.ts'

const Live = Type.Object({ status: Type.Literal('alive') })
const Ready = Type.Object({
  status: Type.Union([Type.Literal('ready'), Type.Literal('degraded')]),
  journal: Type.Object({
    ok: Type.Boolean(),
    message: nullable(Type.String()),
    waiting: Type.Integer({ description: 'Records in memory, not yet written.' }),
    dropped: Type.Integer({
      description: 'Records dropped since the start because the buffer was full.',
    }),
  }),
  keys: Type.Object(
    { ok: Type.Boolean(), message: nullable(Type.String()) },
    { description: 'Whether the store of the Idempotency-Keys answers.' },
  ),
  state: Type.Union(
    [Type.Object({ ok: Type.Boolean(), message: nullable(Type.String()) }), Type.Null()],
    { description: 'The state shared with other gateways; null when none is shared.' },
  ),
})

const LIVEZ = {
  config: OPEN,
  schema: {
    tags: ['health'],
    operationId: 'isAlive',
    summary: 'Is the process alive?',
    description: 'Answers as long as the process does. For liveness probes.',
    response: answersOf(Live),
  },
}
const READYZ = {
  config: OPEN,
  schema: {
    tags: ['health'],
    operationId: 'isReady',
    summary:
      'Should the gateway get requests? A failing journal or shared state degrades it, but fails no request',
    description: 'Fails while the gateway shuts down. For readiness probes and load balancers.',
    response: answersOf(Ready),
  },
}

const UNREACHABLE = 'The shared state cannot be reached.'
const SILENT = 'A worker does not answer.'

export interface HealthOptions {
  /** The health of the whole gateway, with all its workers. */
  readonly health: () => Promise<Health>
  /** True once the gateway has begun to shut down. */
  readonly draining: () => boolean
}

/** Answers load balancers and orchestrators. */
export function healthRoutes({ health, draining }: HealthOptions): FastifyPluginCallbackTypebox {
  return (app, _options, done) => {
    app.get('/livez', LIVEZ, request => success(request, { status: 'alive' as const }))
    app.get('/readyz', READYZ, async request => {
      if (draining()) {
        throw new GatewayError('SERVER', 'The gateway is shutting down.', {
          status: 503,
          retryAfterMs: 1000,
        })
      }
      const show = shownTo(request.visitor)
      const { state, silent, ...found } = await health()
      const isReady = found.journal.ok && found.keys.ok && (state?.ok ?? true)
      return success(request, {
        status: isReady ? 'ready' : 'degraded',
        journal: show(found.journal, 'The journal cannot be written.'),
        keys: show(found.keys, 'The store of the Idempotency-Keys does not answer.'),
        state: state && show(state, silent.length > 0 ? SILENT : UNREACHABLE),
      } as const)
    })
    done()
  }
}

/** Only operators get the reason of a failure, which can name addresses. */
function shownTo(visitor: Caller | null) {
  const mayKnow = visitor?.operator ?? false
  return <T extends SharedHealth>(health: T, general: string): T =>
    mayKnow || health.ok ? health : { ...health, message: general }
}
