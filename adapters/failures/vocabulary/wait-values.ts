/** A unit that the name of a value gives, in milliseconds; `date` for a point in time. */
export type Unit = number | 'date'

/** The two clocks: dates of an answer are compared with the clock of its service. */
export interface Clocks {
  readonly now: number
  readonly upstream: number
}

const SECOND = 1000
const MINUTE = 60 * SECOND
const HOUR = 60 * MINUTE
const DAY = 24 * HOUR

/** A wait farther off than ten years is a mistake of the service, such as a time in nanoseconds. */
const LONGEST_WAIT_MS = 10 * 366 * DAY

/** A number from 2001 on is a point in time; a smaller one is a number of units from now. */
const FIRST_EPOCH_S = 1e9
const FIRST_EPOCH_MS = 1e12

/** Names of units, as names of members, sentences and durations write them. */
const UNITS: readonly (readonly [RegExp, Unit])[] = [
  [/^(?:ms|msecs?|millis|milliseconds?)$/i, 1],
  [/^(?:s|secs?|seconds?)$/i, SECOND],
  [/^(?:m|mins?|minutes?)$/i, MINUTE],
  [/^(?:h|hrs?|hours?)$/i, HOUR],
  [/^(?:d|days?)$/i, DAY],
  [/^(?:at|date|time|timestamp|until|epoch|utc)$/i, 'date'],
]

export function unitOf(name: string): Unit | null {
  return UNITS.find(([pattern]) => pattern.test(name))?.[1] ?? null
}

/**
 * The milliseconds from now to which a value comes: a number of units, epoch seconds or milliseconds, a duration such as
 * `3.5s`, `6m0s` or `PT30S`, an ISO or an HTTP date. Null for anything else, and for what no service can mean.
 */
export function waitOfValue(value: unknown, unit: Unit | null, clocks: Clocks): number | null {
  const ms = typeof value === 'number' ? ofNumber(value, unit, clocks) : ofText(value, unit, clocks)
  return ms !== null && ms >= 0 && ms <= LONGEST_WAIT_MS ? ms : null
}

function ofNumber(value: number, unit: Unit | null, { upstream }: Clocks): number | null {
  if (!Number.isFinite(value) || value < 0) return null
  if (value >= FIRST_EPOCH_MS) return Math.max(0, value - upstream)
  if (value >= FIRST_EPOCH_S && unit !== 1) return Math.max(0, value * SECOND - upstream)
  return value * (unit === null || unit === 'date' ? SECOND : unit)
}

const MAX_TEXT = 100

function ofText(value: unknown, unit: Unit | null, clocks: Clocks): number | null {
  if (typeof value !== 'string' || value.length > MAX_TEXT) return ofDuration(value)
  const text = value.trim()
  if (/^\d+(\.\d+)?$/.test(text)) return ofNumber(Number(text), unit, clocks)
  return ofUnits(text.replace(/^PT(?=\d)/i, '')) ?? ofDate(text, clocks)
}

/** protobuf's Duration as an object: `{"seconds": 3, "nanos": 500000000}`. */
function ofDuration(value: unknown): number | null {
  if (value === null || typeof value !== 'object' || !('seconds' in value)) return null
  const nanos = 'nanos' in value ? Number(value.nanos) : 0
  const ms = Number(value.seconds) * SECOND + nanos / 1e6
  return Number.isFinite(ms) ? ms : null
}

/** A sum of numbers with units: `3.5s`, `6m0s`, `1 minute and 30 seconds`. */
export function ofUnits(text: string): number | null {
  if (!/^(?:\d+(?:\.\d+)? ?[a-z]+(?:,? and |,? |$|(?=\d)))+$/i.test(text)) return null
  let sum = 0
  for (const [, digits, name = ''] of text.matchAll(
    /(?<!\d)(\d{1,15}(?:\.\d{1,15})?) ?([a-z]{1,20})(?:,? and )?/gi,
  )) {
    const unit = unitOf(name)
    if (typeof unit !== 'number') return null
    sum += Number(digits) * unit
  }
  return sum
}

/** A date without a zone is in UTC: the oldest of the three HTTP date formats names none, but means GMT. */
function ofDate(text: string, { upstream }: Clocks): number | null {
  // Date.parse is lenient: it would take `-5` for a date.
  if (!/\d\d:\d\d/.test(text)) return null
  const zoned = /(?:\b(?:GMT|UTC)|Z|[+-]\d\d:?\d\d)$/i.test(text)
  const date = Date.parse(zoned ? text : `${text}${/^\d{4}-\d\d-\d\dT/.test(text) ? 'Z' : ' GMT'}`)
  return Number.isNaN(date) ? null : Math.max(0, date - upstream)
}
