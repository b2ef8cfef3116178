import * as fc from 'fast-check'
import type { Fault, FaultAction, FaultMatch } from '../../sandbox/index.ts'
import type { Route } from '../../src/model/outcome.ts'
import type { Step } from './pull-request-life.ts'

/** Answers which mean that nothing was done, so that another route may do it. */
const REFUSALS = {
  'not passed on': { status: 503, headers: { 'x-envoy-overloaded': 'true' } },
  'refused unseen': { status: 425 },
  overloaded: { status: 529 },
  'quota used up': { rate_limit: 'primary' },
} as const satisfies Record<string, FaultAction>

/** Nobody is told whether it was done: it is found out, or done again if that is harmless. */
const CUTS = {
  'cut before': { reset: 'before' },
  'cut after': { reset: 'after' },
} as const satisfies Record<string, FaultAction>

const ACTIONS = { ...REFUSALS, ...CUTS }
type How = keyof typeof ACTIONS

/** What befalls one step. */
export interface Trouble {
  readonly how: How
  /** The routes that break. */
  readonly on: readonly Route[]
}

/** Any trouble that leaves a step at least one route on which it can be done. */
export function troubleFor(step: Step, routes: readonly Route[]): fc.Arbitrary<Trouble | null> {
  if (routes.length < 2) return fc.constant(null)
  const [first, ...others] = kindsFor(step)
  const some = fc.subarray([...routes], { minLength: 1, maxLength: routes.length - 1 })
  const plain = fc.record(
    { how: fc.constantFrom(first, ...others), on: some },
    { noNullPrototype: true },
  )
  // gh draws on the same two quotas, so one of them has to be left.
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

/** How the requests of a route are told from those of the others: `gh` has a door of its own. */
const DOORS = {
  rest: { via: 'tcp', route: 'rest' },
  graphql: { via: 'tcp', route: 'graphql' },
  cli: { via: 'socket' },
} as const satisfies Record<Route, FaultMatch>

const ALWAYS = 1000

export function faultsOf({ how, on }: Trouble, step: Step): Fault[] {
  const matches = on.flatMap(route => (how in CUTS ? changesBy(route, step) : [DOORS[route]]))
  return matches.map(match => ({ on: match, do: ACTIONS[how], times: ALWAYS }))
}

/** The requests that make the change; what is looked up before, and whether it was made, can be read. */
function changesBy(route: Route, { mutation, capability }: Step): FaultMatch[] {
  const door = DOORS[route]
  if (capability.endsWith('.list')) return [door]
  const methods = ['POST', 'PUT', 'PATCH'].map(
    method => ({ route: 'rest', ...door, method }) as const,
  )
  const operations = mutation ? [{ ...door, operation: mutation }] : []
  return [...(route === 'graphql' ? [] : methods), ...(route === 'rest' ? [] : operations)]
}
