import type { ErrorCode } from '../errors.ts'

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

export function breakerKey(upstream: string, route: string): string {
  return `${upstream}:${route}`
}

/** Circuit breakers, one for each upstream and route. Times are epoch milliseconds, given by the caller. */
export class Breakers {
  readonly #states = new Map<string, BreakerState>()
  readonly #options: BreakerOptions

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
  }

  /** Failures counted towards opening. */
  failuresOf(key: string): number {
    const state = this.#states.get(key) ?? CLOSED
    return state.kind === 'closed' ? state.failures : 0
  }

  /** Half open: the next request, or one that is under way, finds out. */
  kindOf(key: string, now: number): 'closed' | 'open' | 'half_open' {
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
