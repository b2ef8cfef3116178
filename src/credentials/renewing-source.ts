import { raceSignal } from '../lib/race-signal.ts'
import type { Signal } from '../lib/signal.ts'
import type { Remember, Source } from './source.ts'

/** A secret, and the time when it ends; null when that is not known. */
export interface Issued {
  readonly value: string
  readonly expiresAt: number | null
}

export interface RenewingOptions {
  /** Gets a new secret. Runs at most once at a time, and not longer than its own limit. */
  readonly issue: (signal: AbortSignal) => Promise<Issued>
  readonly timeoutMs: number
  readonly found: string
  readonly now: () => number
  readonly remember: Remember
}

/** The part of its life after which a secret is renewed, and the most time before its end. */
const USED_UP = 0.8
const EARLIEST_MS = 60_000

interface Kept extends Issued {
  readonly renewAt: number
}

/** Keeps a secret until it is used up. Many callers that need a new one wait for one renewal. */
export class RenewingSource implements Source {
  readonly lacking = null
  readonly found: string
  readonly #options: RenewingOptions
  readonly #closing = new AbortController()
  #kept: Kept | null = null
  #renewal: Promise<string> | null = null

  constructor(options: RenewingOptions) {
    this.#options = options
    this.found = options.found
  }

  get(signal: Signal): string | Promise<string> {
    const now = this.#options.now()
    const kept = this.#kept
    if (kept === null || now >= (kept.expiresAt ?? Infinity)) {
      return raceSignal(this.#renew(), signal)
    }
    // It still holds: nobody needs to wait. If the renewal fails, the next call begins another.
    if (now >= kept.renewAt) void this.#renew().catch(() => {})
    return kept.value
  }

  /** Many calls are refused at once when a secret is revoked: those that come late take what the first one got. */
  async renew(refused: string, signal: Signal): Promise<string | null> {
    const kept = this.#kept
    if (kept !== null && kept.value !== refused && this.#renewal === null) return kept.value
    const value = await raceSignal(this.#renew(), signal)
    return value === refused ? null : value
  }

  close(): void {
    this.#closing.abort()
  }

  #renew(): Promise<string> {
    this.#renewal ??= this.#issue().finally(() => {
      this.#renewal = null
    })
    return this.#renewal
  }

  async #issue(): Promise<string> {
    const { issue, timeoutMs, now, remember } = this.#options
    const begun = now()
    const limit = AbortSignal.timeout(timeoutMs)
    const { value, expiresAt } = await issue(AbortSignal.any([limit, this.#closing.signal]))
    remember(value)
    this.#kept = { value, expiresAt, renewAt: renewalTime(begun, expiresAt) }
    return value
  }
}

/** At 80 % of its life, but not more than a minute before its end. */
function renewalTime(begun: number, expiresAt: number | null): number {
  if (expiresAt === null) return Infinity
  return Math.max(begun + USED_UP * (expiresAt - begun), expiresAt - EARLIEST_MS)
}
