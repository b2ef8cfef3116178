import type { FastifyPluginCallbackTypebox } from '@fastify/type-provider-typebox'
import { type Static, Type } from '@sinclair/typebox'
import type { Catalog } from '../src/cards/catalog.ts'
import type { JournalReader, StatsFilter } from '../src/journal/journal.ts'
import { Stats } from '../src/journal/row-schemas.ts'
import type { Clock } from '../src/lib/clock.ts'
import { OneOf } from '../src/model/one-of.ts'
import { RouteName } from '../src/model/schema-parts.ts'
import { success } from './support/answer.ts'
import { visibleTo } from './support/journal-list.ts'
import { answersOf } from './support/schemas.ts'
import { HOUR, timeMembers, toBuckets } from './support/time-buckets.ts'

const StatsQuery = Type.Object(
  {
    ...timeMembers,
    capability: Type.Optional(Type.String({ minLength: 1, maxLength: 200 })),
    route: Type.Optional(RouteName),
    caller: Type.Optional(Type.String({ minLength: 1, maxLength: 200 })),
    upstream: Type.Optional(
      Type.String({
        minLength: 1,
        maxLength: 100,
        description: 'The capabilities of this upstream, as the cards say now.',
      }),
    ),
    buckets: Type.Optional(OneOf(['true', 'false'], 'false leaves buckets empty.')),
    compare: Type.Optional(
      OneOf(['true', 'false'], 'true adds before: the same time before since, an hour at least.'),
    ),
  },
  { additionalProperties: false },
)
type StatsQuery = Static<typeof StatsQuery>

const SHOW = {
  schema: {
    tags: ['journal'],
    operationId: 'showStats',
    summary: 'Show success, codes, latency and fallbacks by capability, route and time',
    description: 'Counts the recorded calls in buckets of time. The last day by default.',
    querystring: StatsQuery,
    response: answersOf(Stats),
  },
}

export interface StatsOptions {
  readonly journal: Pick<JournalReader, 'stats'>
  readonly clock: Pick<Clock, 'now'>
  readonly catalog: Pick<Catalog, 'all'>
}

/** Shows how often, how well and how fast each capability and each of its routes answers. */
export function statsRoutes({
  journal,
  clock,
  catalog,
}: StatsOptions): FastifyPluginCallbackTypebox {
  return (app, _options, done) => {
    app.get('/v1/stats', SHOW, async request => {
      const { caller, query } = request
      const filter = toStatsFilter(query, clock.now(), catalog)
      const visible = visibleTo(caller, filter)
      if (visible === null) return success(request, emptyStats(filter))
      const earlier = query.compare === 'true' ? hourBefore(visible) : null
      const [stats, before] = await Promise.all([
        journal.stats(visible),
        earlier && journal.stats(earlier),
      ])
      return success(request, before ? { ...stats, before } : stats)
    })
    done()
  }
}

function toStatsFilter(query: StatsQuery, now: number, catalog: Pick<Catalog, 'all'>): StatsFilter {
  const { capability, route, caller, upstream } = query
  const ofUpstream = catalog.all().filter(card => card.upstream.id === upstream)
  return {
    ...(capability === undefined ? {} : { capability }),
    ...(route === undefined ? {} : { route }),
    ...(caller === undefined ? {} : { caller }),
    ...(upstream === undefined ? {} : { capabilities: ofUpstream.map(({ id }) => id) }),
    totalsOnly: query.buckets === 'false',
    ...toBuckets(query, now),
  }
}

/** The same time before, in buckets of the same length: a few minutes are compared with the hour before them. */
function hourBefore({ since, until, bucketMs, ...filter }: StatsFilter): StatsFilter {
  const length = Math.ceil(Math.max(until - since, HOUR) / bucketMs) * bucketMs
  return { ...filter, since: since - length, until: since, bucketMs, totalsOnly: true }
}

function emptyStats({ since, until, bucketMs }: StatsFilter): Stats {
  return {
    since: new Date(since).toISOString(),
    until: new Date(until).toISOString(),
    bucket_ms: bucketMs,
    totals: [],
    timeline: [],
    buckets: [],
  }
}
