import type { Engine } from '../engine/engine.ts'
import type { Caller } from '../model/caller.ts'
import { describeUpstreams, type UpstreamStatus } from './upstream-status.ts'

type Route = UpstreamStatus['routes'][number]
type Bulkhead = NonNullable<Route['bulkhead']>
type Credential = UpstreamStatus['credentials'][number]

/** The knowledge of one worker about the upstreams. */
export interface KnownUpstreams {
  readonly items: readonly UpstreamStatus[]
  /** When a service last answered each credential, epoch milliseconds; 0 for never. */
  readonly answered: Readonly<Record<string, number>>
}

export async function knownUpstreams(
  engine: Engine,
  caller: Pick<Caller, 'operator' | 'credentials'>,
): Promise<KnownUpstreams> {
  const items = await describeUpstreams(engine, caller)
  const ids = items.flatMap(({ credentials }) => credentials.map(({ credential }) => credential))
  const answered = ids.map(id => {
    const { acceptedAt, refusedAt } = engine.state.credentialUses.of(id)
    return [id, Math.max(acceptedAt ?? 0, refusedAt ?? 0)] as const
  })
  return { items, answered: Object.fromEntries(answered) }
}

/**
 * Joins the knowledge of all workers of a gateway. Quotas and circuits are the same for all; running calls and counts
 * add up; for a credential, the worker counts that got an answer of the service last.
 */
export function mergeUpstreams(all: readonly KnownUpstreams[]): readonly UpstreamStatus[] {
  const [first] = all
  return (first?.items ?? []).map(status => {
    const same = all.flatMap(({ items }) => items.find(({ id }) => id === status.id) ?? [])
    return {
      ...status,
      routes: status.routes.map(route => mergeRoutes(route, same)),
      credentials: status.credentials.map(one => mergeCredentials(one.credential, all, status.id)),
    }
  })
}

function mergeRoutes(route: Route, all: readonly UpstreamStatus[]): Route {
  const same = all.flatMap(({ routes }) => routes.find(one => one.route === route.route) ?? [])
  const bulkheads = same.flatMap(({ bulkhead }) => bulkhead ?? [])
  const failures = Math.max(...same.map(({ breaker }) => breaker.failures))
  return {
    ...route,
    breaker: { ...route.breaker, failures },
    bulkhead: bulkheads.length === 0 ? null : bulkheads.reduce(add),
  }
}

function add(one: Bulkhead, other: Bulkhead): Bulkhead {
  const names = Object.keys(one) as (keyof Bulkhead)[]
  const sums = names.map(name => [name, (one[name] ?? 0) + (other[name] ?? 0)])
  return Object.fromEntries(sums) as Bulkhead
}

function mergeCredentials(
  id: string,
  all: readonly KnownUpstreams[],
  upstream: string,
): Credential {
  const known = all.flatMap(({ items, answered }) => {
    const found = items
      .find(one => one.id === upstream)
      ?.credentials.find(({ credential }) => credential === id)
    return found ? [{ found, at: answered[id] ?? 0 }] : []
  })
  const [latest] = known.toSorted((a, b) => b.at - a.at)
  const issued = known.reduce((sum, { found }) => sum + found.issued, 0)
  return { ...(latest?.found as Credential), issued }
}
