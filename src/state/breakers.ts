import { type BreakerKind, breakerKey } from '../model/breaker.ts'
import type { ErrorCode } from '../model/errors.ts'

export type BreakerState =
  | { readonly kind: 'closed'; readonly failures: number }
  | { readonly kind: 'open'; readonly until: number; readonly waitMs: number }
  /** One request is testing the upstream. The lease ends even if the outcome of that request is never reported. */
  | { readonly kind: 'probing'; readonly leaseUntil: number; readonly waitMs: number }

export interface BreakerOptions {
  /** Consecutive failures that open it. */
  readonly threshold: number
  readonly firstWaitMs: number
  readonly mostWaitMs: number
  /** How long a probe may take before another one is allowed. */
  readonly leaseMs: number
}

const DEFAULTS = {
  threshold: 5,
  firstWaitMs: 5_000,
  mostWaitMs: 60_000,
  leaseMs: 30_000,
} satisfies BreakerOptions

/** Failures of the upstream itself. Callers' mistakes, cancellations and quotas say nothing about its health. */
const COUNTED: ReadonlySet<ErrorCode> = new Set(['SERVER', 'TIMEOUT', 'NETWORK'])
const CLOSED: BreakerState = { kind: 'closed', failures: 0 }

/** Allows only one of several gateways to probe at a time. */
export interface ProbeLease {
  /** True if this gateway has the lease now; it expires after `ms`. */
  take(key: string, ms: number): Promise<boolean>
  /** Releases the lease if this gateway has it. */
  release(key: string): void
}

/** Circuit breakers, one for each upstream and route. Times are epoch milliseconds, given by the caller. */
export class Breakers {
  readonly #states = new Map<string, BreakerState>()
  readonly #options: BreakerOptions
  /** Called when a breaker opens, closes, or is probed; not when it only counts a failure. */
  onChange: ((key: string) => void) | null = null
  /** @default null: there is no other gateway */
  lease: ProbeLease | null = null

  constructor(options: Partial<BreakerOptions> = {}) {
    this.#options = { ...DEFAULTS, ...options }
  }

  /** When it allows the next request; null if it does now. */
  openUntil(key: string, now: number): number | null {
    const state = this.#states.get(key) ?? CLOSED
    switch (state.kind) {
      case 'closed':
        return null
      case 'open':
        return state.until > now ? state.until : null
      case 'probing':
        return state.leaseUntil > now ? state.leaseUntil : null
    }
  }

  /** Called when a request is sent: takes the lease of the probe if one is due. */
  begin(key: string, now: number): void {
    const state = this.#states.get(key) ?? CLOSED
    if (state.kind === 'closed' || this.openUntil(key, now) !== null) return
    const { waitMs } = state
    this.#states.set(key, { kind: 'probing', leaseUntil: now + this.#options.leaseMs, waitMs })
    this.onChange?.(key)
  }

  /** Whether a probe is due, or has begun since the plan was made. */
  needsLease(key: string, now: number): boolean {
    return this.kindOf(key, now) === 'half_open'
  }

  /** False if another request is the probe, of this gateway or of another. */
  async takeLease(key: string, now: number): Promise<boolean> {
    if (this.openUntil(key, now) !== null) return false
    if (this.lease) return await this.lease.take(key, this.#options.leaseMs)
    this.begin(key, now)
    return true
  }

  /** @param code null for success. */
  report(key: string, code: ErrorCode | null, now: number): void {
    const before = this.#states.get(key) ?? CLOSED
    this.#put(key, before, this.#after(before, code, now))
  }

  /** An attempt has ended that never reached the upstream, so it says nothing about its health. */
  pass(key: string, now: number): void {
    const before = this.#states.get(key) ?? CLOSED
    this.#put(key, before, withoutProbe(before, now))
  }

  #put(key: string, before: BreakerState, after: BreakerState): void {
    if (after === before) return
    if (after === CLOSED) this.#states.delete(key)
    else this.#states.set(key, after)
    if (after.kind === 'closed' && before.kind === 'closed') return
    this.onChange?.(key)
    this.lease?.release(key)
  }

  /** Closes the circuits of an upstream. @returns the keys of those that were open, or had counted failures */
  closeAll(upstream: string): readonly string[] {
    const prefix = breakerKey(upstream, '')
    const known = [...this.#states].filter(([key]) => key.startsWith(prefix))
    for (const [key, before] of known) this.#put(key, before, CLOSED)
    return known.map(([key]) => key)
  }

  /** Takes over the state that another gateway has found; null for closed. */
  adopt(key: string, state: BreakerState | null): void {
    if (state) this.#states.set(key, state)
    else this.#states.delete(key)
  }

  /** The state to share with other gateways. Undefined for a closed breaker: each gateway counts its own failures. */
  stateOf(key: string): BreakerState | undefined {
    const state = this.#states.get(key)
    return state?.kind === 'closed' ? undefined : state
  }

  /** Keys of the breakers that are not closed. */
  unsettled(): readonly string[] {
    return [...this.#states.keys()].filter(key => this.stateOf(key) !== undefined)
  }

  /** Failures counted towards opening; 0 unless the breaker is closed. */
  failuresOf(key: string): number {
    const state = this.#states.get(key) ?? CLOSED
    return state.kind === 'closed' ? state.failures : 0
  }

  /** Half open: the next request, or one in flight, is the probe. */
  kindOf(key: string, now: number): BreakerKind {
    const state = this.#states.get(key) ?? CLOSED
    switch (state.kind) {
      case 'closed':
        return 'closed'
      case 'open':
        return state.until > now ? 'open' : 'half_open'
      case 'probing':
        return 'half_open'
    }
  }

  #after(state: BreakerState, code: ErrorCode | null, now: number): BreakerState {
    if (code === null) return CLOSED
    if (COUNTED.has(code)) return this.#afterFailure(state, now)
    return withoutProbe(state, now)
  }

  #afterFailure(state: BreakerState, now: number): BreakerState {
    const { threshold, firstWaitMs, mostWaitMs } = this.#options
    switch (state.kind) {
      case 'closed': {
        const failures = state.failures + 1
        if (failures < threshold) return { kind: 'closed', failures }
        return { kind: 'open', until: now + firstWaitMs, waitMs: firstWaitMs }
      }
      case 'open':
        return state
      case 'probing': {
        const waitMs = Math.min(mostWaitMs, state.waitMs * 2)
        return { kind: 'open', until: now + waitMs, waitMs }
      }
    }
  }
}

/** The state after an outcome that says nothing about the upstream: the next request can be the probe. */
function withoutProbe(state: BreakerState, now: number): BreakerState {
  return state.kind === 'probing' ? { kind: 'open', until: now, waitMs: state.waitMs } : state
}
