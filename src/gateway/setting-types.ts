import { Type } from '@sinclair/typebox'

/** Node fires a timer of more than 2^31-1 ms at once, and some timers get a little more than their setting: 23 days. */
const LONGEST_MS = 2_000_000_000
export const Milliseconds = (description: string) =>
  Type.Integer({ minimum: 1, maximum: LONGEST_MS, description })
export const MillisecondsOrNone = (description: string) =>
  Type.Integer({ minimum: 0, maximum: LONGEST_MS, description })
/** No path, no user, no wildcard: an origin is compared as a whole. */
export const Origin = Type.String({
  pattern: '^https?://[^/?#@*\\s,]+$',
  examples: ['https://app.example.com'],
})
/** A name or an address, without a port: that is a setting of its own. An IPv6 address has two colons at least. */
export const Host = Type.String({
  pattern: '^(?:[^\\s:/\\[\\]]+|[0-9A-Fa-f.]*:[0-9A-Fa-f.]*:[0-9A-Fa-f:.]*(?:%\\w+)?)$',
  description: 'Address to listen on, without a port.',
})
export const PublicUrl = Type.String({
  pattern: '^$|^https?://[^/?#@*\\s,]+/?$',
  description: "The gateway's own address behind a TLS proxy, such as https://gateway.example.com.",
})
export const Days = (description: string) => Type.Number({ exclusiveMinimum: 0, description })
