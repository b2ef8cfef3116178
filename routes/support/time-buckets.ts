/** The time of statistics, in buckets of equal length. */
import { type Static, Type } from '@sinclair/typebox'
import { GatewayError } from '../../src/model/errors.ts'
import { OneOf } from '../../src/model/one-of.ts'
import { Time, toTime } from './journal-list.ts'

const MINUTE = 60_000
export const HOUR = 60 * MINUTE
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

export const timeMembers = {
  since: Type.Optional(Time),
  until: Type.Optional(Time),
  bucket: Type.Optional(
    OneOf(
      Object.keys(BUCKETS) as Bucket[],
      'Length of one bucket; chosen by the length of the time when omitted.',
    ),
  ),
}
const TimeQuery = Type.Object(timeMembers)

/** Times are epoch milliseconds, and whole multiples of `bucketMs`. */
interface Buckets {
  readonly since: number
  readonly until: number
  readonly bucketMs: number
}

/** Defaults to the last day; widens the time to whole buckets. */
export function toBuckets(query: Static<typeof TimeQuery>, now: number): Buckets {
  const until = query.until === undefined ? now : toTime('until', query.until)
  const since = query.since === undefined ? until - DAY : toTime('since', query.since)
  if (since >= until) throw invalid('since', 'must be before until')
  const bucketMs = query.bucket ? BUCKETS[query.bucket] : chooseBucket(until - since)
  if (until - since > longest(bucketMs)) throw invalid('bucket', 'is too short for so long a time')
  return {
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

function invalid(field: string, message: string): GatewayError {
  return new GatewayError('VALIDATION', `"${field}" ${message}.`, {
    source: 'caller',
    details: { fields: [{ path: field, message }] },
  })
}
