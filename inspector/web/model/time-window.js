/** The time that a page is about: a window up to now, and the range within it that the user has selected. */

const MINUTE = 60_000
const HOUR = 60 * MINUTE

/**
 * @typedef {object} Span
 * @property {string} label
 * @property {number} ms
 * @property {string} bucket the length of a bar, as `GET /v1/stats` names it
 * @property {number} bucketMs
 */

/** @type {Record<string, Span>} */
export const SPANS = {
  '1h': { label: 'Last hour', ms: HOUR, bucket: '1m', bucketMs: MINUTE },
  '6h': { label: '6 hours', ms: 6 * HOUR, bucket: '5m', bucketMs: 5 * MINUTE },
  '24h': { label: '24 hours', ms: 24 * HOUR, bucket: '15m', bucketMs: 15 * MINUTE },
  '7d': { label: '7 days', ms: 7 * 24 * HOUR, bucket: '1h', bucketMs: HOUR },
}
const DEFAULT_SPAN = '1h'

/** @typedef {{ readonly since: number, readonly until: number }} Range epoch milliseconds; `until` is exclusive */

/**
 * @typedef {object} TimeWindow
 * @property {string} name
 * @property {Span} span
 * @property {Range} window whole bars
 * @property {Range | null} selected whole bars
 * @property {boolean} isWrong whether the address has times that are no range within the span
 */

/**
 * A link may be older than the window: then the window moves so that it ends with the selected range.
 * @param {URLSearchParams} query
 * @param {number} now
 * @returns {TimeWindow}
 */
export function readWindow(query, now) {
  const wanted = query.get('span') ?? ''
  const name = Object.hasOwn(SPANS, wanted) ? wanted : spanFor(query)
  const span = /** @type {Span} */ (SPANS[name])
  const selected = readRange(query, span)
  const current = endingAt(Math.ceil(now / span.bucketMs) * span.bucketMs, span)
  const isInside = !selected || (selected.since >= current.since && selected.until <= current.until)
  const isWrong = !selected && ['since', 'until'].some(one => query.has(one))
  return {
    name,
    span,
    selected,
    isWrong,
    window: isInside ? current : endingAt(selected.until, span),
  }
}

/**
 * The shortest span that has room for the times of an address, which may name none.
 * @param {URLSearchParams} query
 */
function spanFor(query) {
  const fitting = Object.entries(SPANS).find(([, span]) => readRange(query, span))
  return fitting?.[0] ?? DEFAULT_SPAN
}

/**
 * @param {URLSearchParams} query
 * @param {Span} span
 * @returns {Range | null}
 */
function readRange(query, { bucketMs, ms }) {
  const [since, until] = ['since', 'until'].map(name => toTime(query.get(name) ?? ''))
  if (since === undefined || until === undefined || !(since < until)) return null
  const range = {
    since: Math.floor(since / bucketMs) * bucketMs,
    until: Math.ceil(until / bucketMs) * bucketMs,
  }
  return range.until - range.since <= ms ? range : null
}

/** @param {string} text */
function toTime(text) {
  return /^\d+$/.test(text) ? Number(text) : Date.parse(text)
}

/**
 * @param {number} until
 * @param {Span} span
 */
function endingAt(until, { ms }) {
  return { since: until - ms, until }
}

/**
 * @param {URLSearchParams} query
 * @param {Range | null} range
 */
export function withRange(query, range) {
  const next = new URLSearchParams(query)
  for (const name of /** @type {const} */ (['since', 'until'])) {
    if (range) next.set(name, new Date(range[name]).toISOString())
    else next.delete(name)
  }
  return next
}

/**
 * @param {URLSearchParams} query
 * @param {string} span
 */
export function withSpan(query, span) {
  const next = withRange(query, null)
  next.set('span', span)
  return next
}

/**
 * The part of an address that says which time its page is about, for a link to another page about the same time.
 * @param {URLSearchParams} query
 */
export function timeOf(query) {
  return new URLSearchParams(
    [...query].filter(([name]) => ['span', 'since', 'until'].includes(name)),
  )
}

const AROUND = 15 * MINUTE

/**
 * The part of an address that shows the time around an event, for a link to a page about a time: by itself, that page shows the
 * last hour. None for a recent event.
 * @param {string} time of the event
 * @param {number} now
 */
export function timeAround(time, now) {
  const at = Date.parse(time)
  const range = now - at > HOUR / 2 ? { since: at - AROUND, until: at + AROUND } : null
  return withRange(new URLSearchParams(), range)
}

/**
 * The path of the statistics of a range. The end is left out while it is now: the gateway knows the time better.
 * @param {Range} range
 * @param {Span} span
 * @param {Record<string, string>} [more]
 */
export function statsPath({ since, until }, { bucket }, more = {}) {
  return `/v1/stats?${new URLSearchParams({ since: String(since), until: String(until), bucket, ...more })}`
}
