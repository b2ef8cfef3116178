import type { Catalog } from '../cards/catalog.ts'
import type { Hints } from '../hints/registry.ts'
import type { Journal, RequestRecord } from '../journal/journal.ts'
import type { Clock } from '../lib/clock.ts'
import type { ConnectedUpstream } from '../model/card.ts'
import type { RunResult } from '../model/outcome.ts'
import { Breakers } from '../state/breakers.ts'
import type { IdempotencyStore } from '../state/idempotency.ts'
import { InFlight } from '../state/in-flight.ts'
import { Pools } from '../state/pools.ts'
import { RecentWrites } from '../state/recent-writes.ts'
import type { Shared } from '../state/redis/open.ts'
import { RetryBudget } from '../state/retry-budget.ts'
import { Revalidation } from '../state/revalidation.ts'
import type { Tracing } from './spans.ts'

/** How calls are attempted. All times in milliseconds. */
export interface AttemptPolicy {
  /** For a whole request, when the caller names none. */
  readonly timeoutMs: number
  /** The most that a caller may ask for. */
  readonly maxTimeoutMs: number
  /** For one attempt, while another route could still be tried. */
  readonly attemptTimeoutMs: number
  /** Kept back for mapping and replying; an attempt that has less than this is not started. */
  readonly reserveMs: number
  /** Retries on one route, beyond its first call. */
  readonly retries: number
}

/** What the gateway remembers between requests. Everything is keyed by credential where it could tell. */
export interface State {
  readonly pools: Pools
  readonly breakers: Breakers
  readonly retryBudget: RetryBudget
  readonly inFlight: InFlight<RunResult>
  readonly revalidation: Revalidation
  readonly recentWrites: RecentWrites
  readonly idempotency: IdempotencyStore
  /** What it shares with other gateways; null when it is all its own. */
  readonly shared: Shared | null
}

export function createState(idempotency: IdempotencyStore): State {
  return {
    pools: new Pools(),
    breakers: new Breakers(),
    retryBudget: new RetryBudget(),
    inFlight: new InFlight(),
    revalidation: new Revalidation(),
    recentWrites: new RecentWrites(),
    idempotency,
    shared: null,
  }
}

/** What the pipeline works with. Made once by the composition root. */
export interface Engine {
  readonly catalog: Catalog
  readonly hints: Hints
  /** The services behind the cards, with their connections. */
  readonly upstreams: () => readonly ConnectedUpstream[]
  readonly journal: Journal
  readonly clock: Clock
  readonly state: State
  readonly policy: AttemptPolicy
  /** Told of each request when it is answered, before it is recorded. */
  readonly observers: Set<(finished: RequestRecord) => void>
  /** Null when nobody collects traces. */
  readonly tracing: Tracing | null
  /** For what callers are not told: the cause of a failure of the gateway itself. */
  readonly onBug: (error: Error, requestId: string) => void
  readonly random: () => number
  readonly createRequestId: () => string
}
