import type { Catalog } from '../cards/catalog.ts'
import type { Hints } from '../hints/registry.ts'
import type { Journal, RequestRecord } from '../journal/journal.ts'
import type { ByteBudget } from '../lib/byte-budget.ts'
import type { Clock } from '../lib/clock.ts'
import type { NoteDecision } from '../model/audit.ts'
import type { ConnectedUpstream } from '../model/card.ts'
import type { Credential, CredentialError } from '../model/credential.ts'
import type { RunResult } from '../model/outcome.ts'
import { KeptAnswers } from '../state/answers.ts'
import type { ApprovalStore } from '../state/approvals.ts'
import { Breakers } from '../state/breakers.ts'
import { CredentialUses } from '../state/credential-uses.ts'
import { InFlight } from '../state/in-flight.ts'
import type { KeyClaims } from '../state/key-claims.ts'
import { KeyLimits } from '../state/key-limits.ts'
import { Pools } from '../state/pools.ts'
import { RecentWrites } from '../state/recent-writes.ts'
import type { Shared } from '../state/redis/open.ts'
import { Resets } from '../state/resets.ts'
import { RetryBudget } from '../state/retry-budget.ts'
import { Revalidation } from '../state/revalidation.ts'
import { KnownWriters } from '../state/writers.ts'
import type { Tracing } from './spans.ts'

/** Limits of attempts. All times in milliseconds. */
export interface AttemptPolicy {
  /** Deadline of a request whose caller names none. */
  readonly timeoutMs: number
  /** The longest deadline that a caller may ask for. */
  readonly maxTimeoutMs: number
  /** Limit of one attempt while another route is left. */
  readonly attemptTimeoutMs: number
  /** Reserved for mapping and replying: with less time than this, no attempt starts. */
  readonly reserveMs: number
  /** Retries on one route, beyond its first call. */
  readonly retries: number
}

/** How calls get the approval of a person. */
export interface Approvals {
  readonly store: ApprovalStore
  /** How long an approval can be decided on, and then used, milliseconds. */
  readonly lastMs: number
  /** Secrets of the gateway's own callers, which no approval shows. */
  readonly secrets: () => readonly string[]
  /** Address of the page on which a person decides. */
  readonly page: (id: string) => string
}

/** Records decisions about keys, credentials, approvals and settings. */
export interface Decisions {
  readonly note: NoteDecision
  /** @param credential the id of an identity */
  readonly credentialChosen: (caller: string, credential: string) => void
  readonly credentialOpened: (id: string, credential: Credential) => void
  readonly credentialFailed: (id: string, error: CredentialError) => void
}

/** State that outlives a request, keyed by credential wherever it could reveal anything. */
export interface State {
  /** Epoch milliseconds. The memory of writes begins here. */
  readonly startedAt: number
  readonly pools: Pools
  readonly credentialUses: CredentialUses
  readonly breakers: Breakers
  readonly retryBudget: RetryBudget
  readonly resets: Resets
  readonly inFlight: InFlight<RunResult>
  readonly revalidation: Revalidation
  readonly keptAnswers: KeptAnswers
  readonly recentWrites: RecentWrites
  readonly idempotency: KeyClaims
  readonly keyLimits: KeyLimits
  readonly knownWriters: KnownWriters
  /** The connection to the state that several gateways share; null for a gateway on its own. */
  readonly shared: Shared | null
}

/**
 * @param maxKeptBytes of the answers kept for callers who allow it. @default none are kept
 * @param share of what one gateway may do, for one of several workers. @default 1
 */
export function createState(
  idempotency: KeyClaims,
  startedAt: number,
  maxKeptBytes = 0,
  share = 1,
): State {
  const retryBudget = new RetryBudget(share)
  const learned = { pools: new Pools(), breakers: new Breakers(), retryBudget }
  return {
    startedAt,
    ...learned,
    resets: new Resets(learned),
    credentialUses: new CredentialUses(),
    inFlight: new InFlight(),
    revalidation: new Revalidation(),
    keptAnswers: new KeptAnswers(maxKeptBytes),
    recentWrites: new RecentWrites(),
    idempotency,
    keyLimits: new KeyLimits(),
    knownWriters: new KnownWriters(),
    shared: null,
  }
}

/** Everything the pipeline works with. The composition root makes it once. */
export interface Engine {
  readonly catalog: Catalog
  readonly hints: Hints
  /** The services behind the cards, with their connections. */
  readonly upstreams: () => readonly ConnectedUpstream[]
  readonly journal: Journal
  readonly clock: Clock
  readonly state: State
  readonly policy: AttemptPolicy
  readonly approvals: Approvals
  readonly decisions: Decisions
  /** Bounds the bytes of answers held at once. */
  readonly answers: ByteBudget
  /** Called with each answered request, before the journal gets it. */
  readonly observers: Set<(finished: RequestRecord) => void>
  /** Null when no collector of traces is configured. */
  readonly tracing: Tracing | null
  /** Receives the cause of a failure of the gateway itself, which callers must not see. */
  readonly onBug: (error: Error, requestId: string) => void
  /** Whether the gateway has broken off the requests to services, because it stops. */
  readonly isCutOff: () => boolean
  readonly random: () => number
  readonly createRequestId: () => string
}
