import * as fc from 'fast-check'
import type { FaultAction } from '../../sandbox/index.ts'
import { PROFILE_NAMES, type ProfileName } from '../../src/model/profile-name.ts'
import { ROUTES, type Route } from '../../src/model/route.ts'

export const CAPABILITIES = [
  'issue.create',
  'issue.comments.create',
  'issue.update',
  'pr.list',
] as const
export type Capability = (typeof CAPABILITIES)[number]

/** The cards' settling time. With the shipped 3 s, ten thousand runs would take half a day. */
export const SETTLES_MS = 300
/** The upstream's longest delay. It is below the settling time, as cards assume. */
const LONGEST_DELAY_MS = 240
/** The attempt timeout while another route is left. It is below the delay, so that some writes apply late. */
export const ATTEMPT_MS = 150

/** Markers of agents begin here, above those of other clients. */
const AGENT_MARKER = 10

/** One call. Equal capability, title and marker give equal input. A card treats equal titles as equal writes. */
export interface Call {
  readonly capability: Capability
  readonly title: number
  readonly marker: number
  readonly key: string | null
  readonly pin: Route | null
  readonly timeoutMs: number
  /** Start of the call, after the start of the run. */
  readonly atMs: number
  /** When the client hangs up, after the start of its call. */
  readonly leavesAfterMs: number | null
  /** How often a client with a key repeats its call, each time after it was answered or left. */
  readonly repeats: number
  /** The dialect of an agent that does what each answer says. Null for a client that reads the default envelope. */
  readonly agent: ProfileName | null
}

/** A fault of the sandbox, as a schedule describes it. */
export interface PlannedFault {
  readonly route: 'rest' | 'graphql' | null
  readonly on: 'read' | 'write' | null
  readonly action: FaultAction
  readonly times: number
}

/** All calls of a run, and all faults and settings. */
export interface Schedule {
  readonly calls: readonly Call[]
  readonly faults: readonly PlannedFault[]
  /** Routes whose circuit breakers are open at the start. */
  readonly tripped: readonly Route[]
  /** Whether the card of comments has `verify`. */
  readonly verifiesComments: boolean
  /** How far the upstream's clock is ahead of the gateway's. */
  readonly skewMs: number
  /** Another user's issues that appear at once and push ours off the first page. */
  readonly crowd: { readonly count: number; readonly atMs: number } | null
  /** When the gateway is killed. Clients with a key then repeat their call at its successor. */
  readonly killAfterMs: number | null
}

/** The options of schedules for one kind of lane. */
export interface Flavour {
  readonly kills: boolean
  readonly pins: readonly Route[]
  /** Odds, to one, that a call is pinned to one of these routes. */
  readonly pinOdds: number
  readonly leastTimeoutMs: number
}

const STATUSES = [401, 403, 404, 409, 422, 429, 500, 502, 503, 504] as const
const WEB_PAGE: FaultAction = {
  status: 200,
  headers: { 'content-type': 'text/html' },
  body: '<!doctype html><title>Log in</title>',
}

const action = weighted<FaultAction>([
  [4, fc.constantFrom(...STATUSES).map(status => ({ status }))],
  [1, fc.constant({ status: 503, headers: { 'retry-after': '1' } })],
  [1, fc.constant(WEB_PAGE)],
  [5, fc.constantFrom('before', 'midbody', 'after', 'after').map(reset => ({ reset }))],
  [5, fc.integer({ min: 1, max: LONGEST_DELAY_MS }).map(delay_ms => ({ delay_ms }))],
  [2, fc.constant({ hang: true })],
  [2, fc.constantFrom('primary', 'secondary').map(rate_limit => ({ rate_limit }))],
  [2, fc.constantFrom(0, 1, 40, 200).map(truncate => ({ truncate }))],
])

const plannedFault: fc.Arbitrary<PlannedFault> = fc.record({
  route: sometimes<'rest' | 'graphql'>(3, fc.constantFrom('rest', 'graphql')),
  on: sometimes<'read' | 'write'>(6, fc.constantFrom('write', 'write', 'write', 'read')),
  action,
  times: weighted([
    [3, fc.constant(1)],
    [1, fc.integer({ min: 2, max: 4 })],
  ]),
})

/** There are few titles, markers and keys, so that calls collide. */
function call({ pins, pinOdds, leastTimeoutMs }: Flavour): fc.Arbitrary<Call> {
  return fc.record({
    capability: fc.constantFrom('issue.create', 'issue.create', ...CAPABILITIES),
    title: fc.constantFrom(0, 0, 0, 1),
    marker: fc.constantFrom(0, 0, 1),
    key: sometimes(1, fc.constantFrom('a', 'a', 'b')),
    pin: sometimes(pinOdds, fc.constantFrom(...pins)),
    timeoutMs: fc.integer({ min: leastTimeoutMs, max: leastTimeoutMs + 1200 }),
    atMs: weighted([
      [2, fc.constant(0)],
      [2, fc.nat(40)],
      [2, fc.nat(700)],
    ]),
    leavesAfterMs: sometimes(1 / 6, fc.integer({ min: 4, max: 300 })),
    repeats: fc.constantFrom(0, 0, 0, 1, 2),
    agent: sometimes(1 / 2, fc.constantFrom(...PROFILE_NAMES)),
  })
}

/** Gives an agent a text of its own, so that its writes can be counted. It stays until it is answered. */
function ofAgent(call: Call, index: number): Call {
  return call.agent === null ? call : { ...call, marker: AGENT_MARKER + index, leavesAfterMs: null }
}

const crowd = fc.record({ count: fc.integer({ min: 20, max: 40 }), atMs: fc.nat(500) })

export function schedules(flavour: Flavour): fc.Arbitrary<Schedule> {
  return fc.record({
    calls: fc.array(call(flavour), { minLength: 1, maxLength: 4 }).map(calls => calls.map(ofAgent)),
    faults: fc.array(plannedFault, { maxLength: 3 }),
    tripped: sometimes(1 / 8, fc.subarray([...ROUTES])).map(routes => routes ?? []),
    verifiesComments: fc.boolean(),
    skewMs: sometimes(1 / 4, fc.integer({ min: -20_000, max: 20_000 })).map(skew => skew ?? 0),
    crowd: sometimes(1 / 4, crowd),
    killAfterMs: flavour.kills ? fc.nat(500) : fc.constant(null),
  })
}

/** Chooses by weight. Shrinks to the first choice. */
function weighted<T>(choices: readonly (readonly [number, fc.Arbitrary<T>])[]): fc.Arbitrary<T> {
  const weights = choices.map(([weight, arbitrary]) => ({ weight, arbitrary }))
  return fc.oneof({ withCrossShrink: true }, ...weights)
}

/** The value with these odds to one, otherwise null. */
function sometimes<T>(odds: number, value: fc.Arbitrary<T>): fc.Arbitrary<T | null> {
  return weighted<T | null>([
    [24, fc.constant(null)],
    [Math.round(odds * 24), value],
  ])
}
