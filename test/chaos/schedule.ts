import * as fc from 'fast-check'
import type { FaultAction } from '../../sandbox/index.ts'
import { ROUTES, type Route } from '../../src/outcome.ts'

export const CAPABILITIES = [
  'issue.create',
  'issue.comments.create',
  'issue.update',
  'pr.list',
] as const
export type Capability = (typeof CAPABILITIES)[number]

/** How the cards of a chaos run settle (the shipped 3 s would make ten thousand runs take a day). */
export const SETTLES_MS = 250
/** The longest that the upstream works on a request: less than `settles_ms`, as the card promises. */
const LONGEST_DELAY_MS = 150

/** One call. Calls of equal capability, title and marker have the same input; equal titles alone make twins. */
export interface Call {
  readonly capability: Capability
  readonly title: number
  readonly marker: number
  readonly key: string | null
  readonly pin: Route | null
  readonly timeoutMs: number
  /** After the beginning of the run. */
  readonly atMs: number
  /** When the client hangs up, after its call began. */
  readonly leavesAfterMs: number | null
}

/** A fault of the sandbox, in the words of a schedule. */
export interface Strike {
  readonly route: 'rest' | 'graphql' | null
  readonly on: 'read' | 'write' | null
  readonly action: FaultAction
  readonly times: number
}

/** Everything that a run does, and all that it does to the gateway. */
export interface Schedule {
  readonly calls: readonly Call[]
  readonly strikes: readonly Strike[]
  /** Routes whose circuit breakers are open at the start. */
  readonly tripped: readonly Route[]
  /** How far the clock of the upstream is ahead of the gateway's. */
  readonly skewMs: number
  /** Issues of somebody else that all appear at once, and push ours off the first page. */
  readonly crowd: { readonly count: number; readonly atMs: number } | null
  /** When the gateway is killed; keyed calls are then repeated at the one that takes its place. */
  readonly killAfterMs: number | null
}

/** What one kind of lane makes of a schedule. */
export interface Flavour {
  readonly kills: boolean
  readonly pins: readonly Route[]
  readonly leastTimeoutMs: number
}

const STATUSES = [401, 403, 404, 409, 422, 429, 500, 502, 503, 504] as const
const WEB_PAGE: FaultAction = {
  status: 200,
  headers: { 'content-type': 'text/html' },
  body: '<!doctype html><title>Log in</title>',
}

const action: fc.Arbitrary<FaultAction> = fc.oneof(
  { weight: 4, arbitrary: fc.constantFrom(...STATUSES).map(status => ({ status })) },
  {
    weight: 1,
    arbitrary: fc.constant({ status: 503, headers: { 'retry-after': '1' } }),
  },
  { weight: 1, arbitrary: fc.constant(WEB_PAGE) },
  {
    weight: 5,
    arbitrary: fc.constantFrom('before', 'midbody', 'after').map(reset => ({ reset })),
  },
  {
    weight: 3,
    arbitrary: fc.integer({ min: 1, max: LONGEST_DELAY_MS }).map(delay_ms => ({ delay_ms })),
  },
  { weight: 2, arbitrary: fc.constant({ hang: true }) },
  {
    weight: 2,
    arbitrary: fc.constantFrom('primary', 'secondary').map(rate_limit => ({ rate_limit })),
  },
  { weight: 2, arbitrary: fc.constantFrom(0, 1, 40, 200).map(truncate => ({ truncate })) },
) as fc.Arbitrary<FaultAction>

const strike: fc.Arbitrary<Strike> = fc.record({
  route: sometimes<'rest' | 'graphql'>(fc.constantFrom('rest', 'graphql'), 3),
  on: sometimes<'read' | 'write'>(fc.constantFrom('write', 'write', 'read'), 3),
  action,
  times: fc.oneof(fc.constant(1), fc.integer({ min: 2, max: 4 })),
})

function call({ pins, leastTimeoutMs }: Flavour): fc.Arbitrary<Call> {
  return fc.record({
    capability: fc.constantFrom(...CAPABILITIES, 'issue.create'),
    title: fc.nat(1),
    marker: fc.nat(1),
    key: sometimes(fc.constantFrom('a', 'b'), 1),
    pin: sometimes(fc.constantFrom(...pins), 1 / 3),
    timeoutMs: fc.integer({ min: leastTimeoutMs, max: leastTimeoutMs + 1200 }),
    atMs: fc.oneof(fc.constant(0), fc.nat(30), fc.nat(400)),
    leavesAfterMs: sometimes(
      fc.oneof(fc.integer({ min: 4, max: 20 }), fc.integer({ min: 4, max: 300 })),
      1 / 6,
    ),
  })
}

export function schedules(flavour: Flavour): fc.Arbitrary<Schedule> {
  return fc.record({
    calls: fc.array(call(flavour), { minLength: 1, maxLength: 4 }),
    strikes: fc.array(strike, { maxLength: 4 }),
    tripped: sometimes(fc.subarray([...ROUTES]), 1 / 8).map(routes => routes ?? []),
    skewMs: sometimes(fc.integer({ min: -20_000, max: 20_000 }), 1 / 5).map(skew => skew ?? 0),
    crowd: sometimes(
      fc.record({ count: fc.integer({ min: 1, max: 40 }), atMs: fc.nat(200) }),
      1 / 8,
    ),
    killAfterMs: flavour.kills ? fc.oneof(fc.nat(20), fc.nat(250)) : fc.constant(null),
  })
}

/** The value with these odds to one, else null. Shrinks to null. */
function sometimes<T>(value: fc.Arbitrary<T>, odds: number): fc.Arbitrary<T | null> {
  const weight = Math.max(1, Math.round(odds * 24))
  return fc.oneof(
    { withCrossShrink: true },
    { weight: 24, arbitrary: fc.constant(null) },
    { weight, arbitrary: value },
  )
}
