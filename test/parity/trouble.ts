import * as fc from 'fast-check'
import type { Fault, FaultAction, FaultMatch } from '../../sandbox/index.ts'
import type { Route } from '../../src/model/route.ts'
import type { Step } from './pull-request-life.ts'

/** Answers that mean that nothing was done, so that the gateway may use another route. */
const REFUSALS = {
  'not passed on': { status: 503, headers: { 'x-envoy-overloaded': 'true' } },
  'refused unseen': { status: 425 },
  overloaded: { status: 529 },
  'quota used up': { rate_limit: 'primary' },
} as const satisfies Record<string, FaultAction>

/** The outcome is unknown: the gateway verifies it, or retries if that is harmless. */
const CUTS = {
  'cut before': { reset: 'before' },
  'cut after': { reset: 'after' },
} as const satisfies Record<string, FaultAction>

const ACTIONS = { ...REFUSALS, ...CUTS }
type How = keyof typeof ACTIONS

/** The fault of one step. */
export interface Trouble {
  readonly how: How
  /** The routes that fail. */
  readonly on: readonly Route[]
}

/** Any trouble that leaves a step at least one working route. */
export function troubleFor(step: Step, routes: readonly Route[]): fc.Arbitrary<Trouble | null> {
  if (routes.length < 2) return fc.constant(null)
  const [first, ...others] = kindsFor(step)
  const some = fc.subarray([...routes], { minLength: 1, maxLength: routes.length - 1 })
  const plain = fc.record(
    { how: fc.constantFrom(first, ...others), on: some },
    { noNullPrototype: true },
  )
  // `gh` uses the same two quotas, so only one of them may be used up.
  const [rest, graphql] = [routes.includes('rest'), routes.includes('graphql')]
  if (!rest || !graphql) return plain
  const limited = fc.constantFrom<Route>('rest', 'graphql')
  return fc.oneof({ weight: 5, arbitrary: plain }, { weight: 1, arbitrary: limited.map(quotaOf) })
}

function quotaOf(route: Route): Trouble {
  return { how: 'quota used up', on: [route] }
}

function kindsFor({ staysInDoubt }: Step): [How, ...How[]] {
  const refusals: [How, ...How[]] = ['not passed on', 'refused unseen', 'overloaded']
  return staysInDoubt ? refusals : [...refusals, 'cut before', 'cut after']
}

/** Matches the requests of one route. `gh` is recognized by the socket. */
const REQUESTS_OF = {
  rest: { via: 'tcp', route: 'rest' },
  graphql: { via: 'tcp', route: 'graphql' },
  cli: { via: 'socket' },
} as const satisfies Record<Route, FaultMatch>

const ALWAYS = 1000

export function faultsOf({ how, on }: Trouble, step: Step): Fault[] {
  const matches = on.flatMap(route => (how in CUTS ? changesBy(route, step) : [REQUESTS_OF[route]]))
  return matches.map(match => ({ on: match, do: ACTIONS[how], times: ALWAYS }))
}

/** Matches the requests that make the change. Lookups and verification still work. */
function changesBy(route: Route, { mutation, capability }: Step): FaultMatch[] {
  const requests = REQUESTS_OF[route]
  if (capability.endsWith('.list')) return [requests]
  const methods = ['POST', 'PUT', 'PATCH'].map(
    method => ({ route: 'rest', ...requests, method }) as const,
  )
  const operations = mutation ? [{ ...requests, operation: mutation }] : []
  return [...(route === 'graphql' ? [] : methods), ...(route === 'rest' ? [] : operations)]
}
