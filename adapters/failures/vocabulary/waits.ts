import { isObject } from '../../../src/lib/is-object.ts'
import type { Failure } from '../../../src/model/failure.ts'
import type { Headers } from '../../../src/model/headers.ts'
import { readErrorBody } from '../read/error-body.ts'
import { readQuota, upstreamClock } from '../read/quota.ts'
import { readResetName, readWaitName } from './wait-names.ts'
import { waitOfSentence } from './wait-sentences.ts'
import { type Clocks, waitOfValue } from './wait-values.ts'

export interface Wait {
  readonly ms: number
  readonly source: NonNullable<Failure['retryAfterSource']>
}

/**
 * The wait that the upstream asks for: in a header, in a member of the body, or in a sentence of it; null when it asks for
 * none.
 * @param sentences more texts by the service, such as the lines that a program printed
 */
export function announcedWait(
  headers: Headers,
  body: unknown,
  now: number,
  sentences: readonly string[] = [],
): Wait | null {
  const clocks = { now, upstream: upstreamClock(headers, now) }
  const header = waitInHeaders(headers, clocks)
  if (header !== null) return { ms: header, source: 'header' }
  const ms = waitInBody(body, clocks) ?? waitInSentences(body, sentences, clocks)
  return ms === null ? null : { ms, source: 'body' }
}

export interface Refusal {
  readonly headers: Headers
  readonly body: unknown
  /** Messages in which the words that users chose are hidden. */
  readonly messages: readonly string[]
  readonly now: number
}

/** Whether a refusal names a time to come back, other than in a sentence that a user may have written. */
export function namesReturn({ headers, body, messages, now }: Refusal): boolean {
  const clocks = { now, upstream: upstreamClock(headers, now) }
  return (
    waitInHeaders(headers, clocks) !== null ||
    waitInBody(body, clocks) !== null ||
    messages.some(message => waitOfSentence(message, clocks) !== null)
  )
}

/** `Retry-After` (RFC 9110 §10.2.3) comes first, then headers whose names have its shape. */
function waitInHeaders(headers: Headers, clocks: Clocks): number | null {
  const standard = waitOfValue(headers['retry-after'], null, clocks)
  if (standard !== null) return standard
  for (const [name, value] of Object.entries(headers)) {
    const wait = readWaitName(name)
    const ms = wait && waitOfValue(value, wait.unit, clocks)
    if (ms !== null) return ms
  }
  return null
}

/** Members under which there may be a wait. */
const PARENTS = new Set(
  `error errors details detail parameters extensions data meta fault info error_info errorInfo error_data rate_limit
  rateLimit`.split(/\s+/),
)
const MAX_DEPTH = 4
const MAX_ITEMS = 10
const MAX_MEMBERS = 50

function waitInBody(value: unknown, clocks: Clocks, depth = 0): number | null {
  if (depth > MAX_DEPTH) return null
  if (Array.isArray(value)) {
    return first(value.slice(0, MAX_ITEMS), item => waitInBody(item, clocks, depth + 1))
  }
  if (!isObject(value)) return null
  const members = Object.entries(value).slice(0, MAX_MEMBERS)
  return (
    first(members, ([name, member]) => {
      const wait = readWaitName(name)
      return wait && waitOfValue(member, wait.unit, clocks)
    }) ??
    first(members, ([name, member]) =>
      PARENTS.has(name) ? waitInBody(member, clocks, depth + 1) : null,
    )
  )
}

function waitInSentences(
  body: unknown,
  sentences: readonly string[],
  clocks: Clocks,
): number | null {
  const messages = isObject(body) || Array.isArray(body) ? readErrorBody(body).messages : []
  return first([...messages, ...sentences], sentence => waitOfSentence(sentence, clocks))
}

/** The time until the quota in the headers resets; of several quotas, the one that ran out for the longest time. */
export function waitForReset(headers: Headers, now: number): Wait | null {
  const resetAt = readQuota(headers, now)?.resetAt ?? null
  const ms = resetAt === null ? resetByShape(headers, now) : Math.max(0, resetAt - now)
  return ms === null ? null : { ms, source: 'reset' }
}

function resetByShape(headers: Headers, now: number): number | null {
  const clocks = { now, upstream: upstreamClock(headers, now) }
  const resets = Object.entries(headers).flatMap(([name, value]) => {
    const reset = readResetName(name)
    const left = headers[name.replace(/resets?(?:-(?:after|in|at|ms))*/, 'remaining')]
    const ms = reset && waitOfValue(value, reset.unit, clocks)
    return ms === null || (left !== undefined && Number(left) > 0) ? [] : [ms]
  })
  return resets.length === 0 ? null : Math.max(...resets)
}

function first<T>(items: readonly T[], read: (item: T) => number | null): number | null {
  for (const item of items) {
    const found = read(item)
    if (found !== null) return found
  }
  return null
}
