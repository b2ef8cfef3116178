import type { BreakerKind } from '../model/breaker.ts'
import type { ErrorCode } from '../model/errors.ts'

export type BreakerState =
  | { readonly kind: 'closed'; readonly failures: number }
  | { readonly kind: 'open'; readonly until: number; readonly waitMs: number }
  /** One request is on its way to find out; the lease ends even if its outcome is never reported. */
  | { readonly kind: 'probing'; readonly leaseUntil: number; readonly waitMs: number }

export interface BreakerOptions {
  /** Consecutive failures that open it. */
  readonly threshold: number
  readonly firstWaitMs: number
  readonly mostWaitMs: number
  /** How long a probe may take before another is let through. */
  readonly leaseMs: number
}

const DEFAULTS = {
  threshold: 5,
  firstWaitMs: 5_000,
  mostWaitMs: 60_000,
  leaseMs: 30_000,
} satisfies BreakerOptions

/** Failures of the upstream itself. A caller's faults, cancels and quotas say nothing about its health. */
const COUNTED: ReadonlySet<ErrorCode> = new Set(['SERVER', 'TIMEOUT', 'NETWORK'])
const CLOSED: BreakerState = { kind: 'closed', failures: 0 }

/** Sees to it that of several gateways one probes at a time. */
export interface ProbeLease {
  /** Whether it is this gateway's now; it ends by itself after `ms`. */
  take(key: string, ms: number): Promise<boolean>
  /** Gives it back, if it is this gateway's. */
  free(key: string): void
}

/** Circuit breakers, one for each upstream and route. Times are epoch milliseconds, given by the caller. */
export class Breakers {
  readonly #states = new Map<string, BreakerState>()
  readonly #options: BreakerOptions
  /** Told when one opens, closes, or is probed; not of failures that are only counted. */
  onChange: ((key: string) => void) | null = null
  /** @default null: this gateway is the only one. */
  lease: ProbeLease | null = null

  constructor(options: Partial<BreakerOptions> = {}) {
    this.#options = { ...DEFAULTS, ...options }
  }

  /** When it lets a request through again, or null when it does now. */
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

  /** Takes the lease of the probe, if one is due. Called when a request is really sent. */
  begin(key: string, now: number): void {
    const state = this.#states.get(key) ?? CLOSED
    if (state.kind === 'closed' || this.openUntil(key, now) !== null) return
    const { waitMs } = state
    this.#states.set(key, { kind: 'probing', leaseUntil: now + this.#options.leaseMs, waitMs })
    this.onChange?.(key)
  }

  /** Whether a probe is due, or under way since the plan was made. */
  needsLease(key: string, now: number): boolean {
    return this.kindOf(key, now) === 'half_open'
  }

  /** False when another request has the probe, here or in another gateway. */
  async takeLease(key: string, now: number): Promise<boolean> {
    if (this.openUntil(key, now) !== null) return false
    if (this.lease) return await this.lease.take(key, this.#options.leaseMs)
    this.begin(key, now)
    return true
  }

  /** @param code null for success. */
  report(key: string, code: ErrorCode | null, now: number): void {
    const state = this.#states.get(key) ?? CLOSED
    if (code !== null && !COUNTED.has(code)) {
      // Neither good nor bad: a probe that was refused for the caller's sake frees its lease.
      if (state.kind === 'probing')
        this.#states.set(key, { kind: 'open', until: now, waitMs: state.waitMs })
    } else if (code === null) {
      this.#states.delete(key)
    } else {
      this.#states.set(key, this.#afterFailure(state, now))
    }
    const after = this.#states.get(key) ?? CLOSED
    if (after === state || (after.kind === 'closed' && state.kind === 'closed')) return
    this.onChange?.(key)
    this.lease?.free(key)
  }

  /** Takes over what another gateway has found out; null for closed. */
  adopt(key: string, state: BreakerState | null): void {
    if (state) this.#states.set(key, state)
    else this.#states.delete(key)
  }

  /** Of a closed one, undefined: the failures that are counted are this gateway's own. */
  stateOf(key: string): BreakerState | undefined {
    const state = this.#states.get(key)
    return state?.kind === 'closed' ? undefined : state
  }

  /** Those that are not simply closed. */
  unsettled(): readonly string[] {
    return [...this.#states.keys()].filter(key => this.stateOf(key) !== undefined)
  }

  /** Failures counted towards opening. */
  failuresOf(key: string): number {
    const state = this.#states.get(key) ?? CLOSED
    return state.kind === 'closed' ? state.failures : 0
  }

  /** Half open: the next request, or one that is under way, finds out. */
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
