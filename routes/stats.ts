import type { FastifyPluginCallbackTypebox } from '@fastify/type-provider-typebox'
import { type Static, Type } from '@sinclair/typebox'
import type { JournalReader, StatsFilter } from '../src/journal/journal.ts'
import { Stats } from '../src/journal/row-schemas.ts'
import type { Clock } from '../src/lib/clock.ts'
import { GatewayError } from '../src/model/errors.ts'
import { OneOf } from '../src/model/one-of.ts'
import { RouteName } from '../src/model/schema-parts.ts'
import { success } from './support/answer.ts'
import { Time, toTime, visibleTo } from './support/journal-list.ts'
import { answersOf } from './support/schemas.ts'

const MINUTE = 60_000
const HOUR = 60 * MINUTE
const DAY = 24 * HOUR

const BUCKETS = {
  '1m': MINUTE,
  '5m': 5 * MINUTE,
  '15m': 15 * MINUTE,
  '1h': HOUR,
  '6h': 6 * HOUR,
  '1d': DAY,
} as const
type Bucket = keyof typeof BUCKETS

/** A plot can show this many points; the limit also bounds the work of one query. */
const MAX_BUCKETS = 400
/** The longest time that is read from the counters of single minutes, because those are many. */
const MAX_SPAN_IN_MINUTES = 6 * HOUR
/** Without a given bucket length, the gateway chooses one that gives at most this many buckets. */
const USUAL_BUCKETS = 200

const StatsQuery = Type.Object(
  {
    since: Type.Optional(Time),
    until: Type.Optional(Time),
    bucket: Type.Optional(
      OneOf(
        Object.keys(BUCKETS) as Bucket[],
        'Length of one bucket; chosen by the length of the time when omitted.',
      ),
    ),
    capability: Type.Optional(Type.String({ minLength: 1, maxLength: 200 })),
    route: Type.Optional(RouteName),
    caller: Type.Optional(Type.String({ minLength: 1, maxLength: 200 })),
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
}

/** Shows how often, how well and how fast each capability and each of its routes answers. */
export function statsRoutes({ journal, clock }: StatsOptions): FastifyPluginCallbackTypebox {
  return (app, _options, done) => {
    app.get('/v1/stats', SHOW, async request => {
      const { caller, query } = request
      const filter = toStatsFilter(query, clock.now())
      const visible = visibleTo(caller, filter)
      return success(request, visible ? await journal.stats(visible) : emptyStats(filter))
    })
    done()
  }
}

/** Defaults to the last day; widens the time to whole buckets. */
function toStatsFilter({ bucket, ...query }: StatsQuery, now: number): StatsFilter {
  const until = query.until === undefined ? now : toTime('until', query.until)
  const since = query.since === undefined ? until - DAY : toTime('since', query.since)
  if (since >= until) throw invalid('since', 'must be before until')
  const bucketMs = bucket ? BUCKETS[bucket] : chooseBucket(until - since)
  if (until - since > longest(bucketMs)) throw invalid('bucket', 'is too short for so long a time')
  return {
    ...query,
    since: Math.floor(since / bucketMs) * bucketMs,
    until: Math.ceil(until / bucketMs) * bucketMs,
    bucketMs,
  }
}

function chooseBucket(span: number): number {
  const fits = (ms: number) => span <= Math.min(ms * USUAL_BUCKETS, longest(ms))
  return Object.values(BUCKETS).find(fits) ?? DAY
}

function longest(bucketMs: number): number {
  return bucketMs < 15 * MINUTE ? MAX_SPAN_IN_MINUTES : bucketMs * MAX_BUCKETS
}

function emptyStats({ since, until, bucketMs }: StatsFilter): Stats {
  return {
    since: new Date(since).toISOString(),
    until: new Date(until).toISOString(),
    bucket_ms: bucketMs,
    totals: [],
    buckets: [],
  }
}

function invalid(field: string, message: string): GatewayError {
  return new GatewayError('VALIDATION', `"${field}" ${message}.`, {
    source: 'caller',
    details: { fields: [{ path: field, message }] },
  })
}
