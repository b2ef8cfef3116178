import { Type } from '@sinclair/typebox'

/** Node fires a timer of more than 2^31-1 ms at once, and some timers get a little more than their setting: 23 days. */
const LONGEST_MS = 2_000_000_000
export const Milliseconds = (description: string) =>
  Type.Integer({ minimum: 1, maximum: LONGEST_MS, description })
export const MillisecondsOrNone = (description: string) =>
  Type.Integer({ minimum: 0, maximum: LONGEST_MS, description })
/** No path, no user, no wildcard: an origin is compared as a whole. */
export const ORIGIN = '^https?://[^/?#@*\\s,]+$'
export const PUBLIC_URL = '^https?://[^/?#@*\\s,]+/?$'
export const Days = (description: string) => Type.Number({ exclusiveMinimum: 0, description })
