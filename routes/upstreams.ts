import type { FastifyPluginCallbackTypebox } from '@fastify/type-provider-typebox'
import { type Static, Type } from '@sinclair/typebox'
import { requireOperator } from '../src/access/operator.ts'
import type { JournalReader } from '../src/journal/journal.ts'
import { UpstreamHistory } from '../src/journal/row-schemas.ts'
import type { Clock } from '../src/lib/clock.ts'
import type { Caller } from '../src/model/caller.ts'
import { type Forgotten, RESET_PARTS, type ResetPart } from '../src/model/reset.ts'
import { UpstreamStatus } from '../src/observe/upstream-status.ts'
import { success } from './support/answer.ts'
import { answersOf } from './support/schemas.ts'
import { timeMembers, toBuckets } from './support/time-buckets.ts'

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

const Params = Type.Object({ upstream_id: Type.String({ minLength: 1, maxLength: 100 }) })

const HISTORY = {
  schema: {
    tags: ['journal'],
    operationId: 'showUpstreamHistory',
    summary: 'Show quotas and circuits of an upstream over time',
    description:
      "Shows how much was left of each quota of the gateway's own credentials, and when circuits were open. The last day by default.",
    params: Params,
    querystring: Type.Object(timeMembers, { additionalProperties: false }),
    response: answersOf(UpstreamHistory),
  },
}

const Parts = Type.Object(
  {
    quota: Type.Optional(
      Type.Literal(true, {
        description: 'Forget what is left of its quotas, for all credentials.',
      }),
    ),
    circuit: Type.Optional(
      Type.Literal(true, { description: 'Close its circuits, and fill its retry budget.' }),
    ),
  },
  { additionalProperties: false },
)

const RESET = {
  schema: {
    tags: ['operating'],
    operationId: 'resetUpstream',
    summary: 'Forget the quotas and circuits of an upstream (operators)',
    description:
      'The next calls ask the upstream again, at once and at all gateways that share the state. An empty object resets both.',
    params: Params,
    body: Parts,
    response: answersOf(
      Type.Object({
        upstream: Type.String(),
        quotas: Type.Array(Type.String(), { description: 'The quotas that were known.' }),
        circuits: Type.Array(Type.String(), {
          description: 'The circuits that were open, or had counted failures.',
        }),
      }),
    ),
  },
}

export interface UpstreamOptions {
  readonly journal: Pick<JournalReader, 'upstreamHistory'>
  readonly clock: Pick<Clock, 'now'>
  readonly describeUpstreams: (caller: Caller) => Promise<readonly UpstreamStatus[]>
  /** @throws {GatewayError} NOT_FOUND */
  readonly resetUpstream: (id: string, parts: readonly ResetPart[], by: string) => Forgotten
}

/** Shows quotas, circuit breakers and bulkheads of the services behind the capabilities, and resets them. */
export function upstreamRoutes({
  journal,
  clock,
  describeUpstreams,
  resetUpstream,
}: UpstreamOptions): FastifyPluginCallbackTypebox {
  return (app, _options, done) => {
    app.get('/v1/upstreams', LIST, async request =>
      success(request, { items: await describeUpstreams(request.caller) }),
    )
    app.get('/v1/upstreams/:upstream_id/history', HISTORY, async request => {
      const { upstream_id: upstream } = request.params
      const filter = { upstream, ...toBuckets(request.query, clock.now()) }
      return success(request, await journal.upstreamHistory(filter))
    })
    app.post('/v1/upstreams/:upstream_id/reset', RESET, async request => {
      requireOperator(request.caller, 'reset an upstream')
      const { upstream_id: upstream } = request.params
      const forgotten = resetUpstream(upstream, partsOf(request.body), request.caller.name)
      return success(request, { upstream, ...forgotten })
    })
    done()
  }
}

function partsOf(wanted: Static<typeof Parts>): readonly ResetPart[] {
  const named = RESET_PARTS.filter(part => wanted[part])
  return named.length === 0 ? RESET_PARTS : named
}
