import { raceSignal } from '../lib/race-signal.ts'
import type { Signal } from '../lib/signal.ts'
import { CredentialError, type Standing } from '../model/credential.ts'
import type { Remember, Source } from './source.ts'

/** A secret, and the time when it ends; null when that is not known. */
export interface Issued {
  readonly value: string
  readonly expiresAt: number | null
  /** The rights that come with it. @default they are not known */
  readonly scopes?: readonly string[] | undefined
}

export interface RenewingOptions {
  /** Gets a new secret. Runs at most once at a time, and not longer than its own limit. */
  readonly issue: (signal: AbortSignal) => Promise<Issued>
  readonly timeoutMs: number
  readonly found: string
  readonly now: () => number
  readonly remember: Remember
  /** A sentence about something that works, but should be seen to. @default there is nothing */
  readonly note?: () => string | null
}

/** The part of its life after which a secret is renewed, and the most time before its end. */
const USED_UP = 0.8
const EARLIEST_MS = 60_000
/** The time after a failure in which nobody asks again: each call would, and the service would lock the client out. */
const PAUSE_MS = 1000

interface Kept extends Issued {
  readonly renewAt: number
}

interface Failed {
  readonly error: unknown
  readonly until: number
}

/** Keeps a secret until it is used up. Many callers that need a new one wait for one renewal. */
export class RenewingSource implements Source {
  readonly lacking = null
  readonly found: string
  readonly #options: RenewingOptions
  readonly #closing = new AbortController()
  #kept: Kept | null = null
  #renewal: Promise<string> | null = null
  #failed: Failed | null = null
  #issued = 0

  constructor(options: RenewingOptions) {
    this.#options = options
    this.found = options.found
  }

  get(signal: Signal): string | Promise<string> {
    const now = this.#options.now()
    const kept = this.#kept
    if (kept === null || now >= (kept.expiresAt ?? Infinity)) {
      if (this.#failed && isFinal(this.#failed, now)) return Promise.reject(this.#failed.error)
      return raceSignal(this.#renew(), signal)
    }
    // It still holds: nobody needs to wait. If the renewal fails, a later call begins another.
    if (now >= kept.renewAt && now >= (this.#failed?.until ?? 0)) {
      void this.#renew().catch(() => {})
    }
    return kept.value
  }

  /** Many calls are refused at once when a secret is revoked: those that come late take what the first one got. */
  async renew(refused: string, signal: Signal): Promise<string | null> {
    const kept = this.#kept
    if (kept !== null && kept.value !== refused && this.#renewal === null) return kept.value
    // Nobody needs to send it again.
    if (kept?.value === refused) this.#kept = null
    if (this.#failed && isFinal(this.#failed, this.#options.now())) throw this.#failed.error
    const value = await raceSignal(this.#renew(), signal)
    return value === refused ? null : value
  }

  standing(): Standing {
    const { expiresAt = null, scopes } = this.#kept ?? {}
    const error = this.#failed?.error
    return {
      expiresAt,
      scopes: scopes ?? null,
      failure: error instanceof CredentialError ? error : null,
      issued: this.#issued,
      note: this.#options.note?.() ?? null,
    }
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
    try {
      const issued = await issue(AbortSignal.any([limit, this.#closing.signal]))
      remember(issued.value)
      this.#kept = { ...issued, renewAt: renewalTime(begun, issued.expiresAt) }
      this.#failed = null
      this.#issued += 1
      return issued.value
    } catch (error) {
      this.#failed = { error, until: now() + pauseAfter(error) }
      throw error
    }
  }
}

function pauseAfter(error: unknown): number {
  const wait = error instanceof CredentialError ? (error.retryAfterMs ?? 0) : 0
  return Math.max(PAUSE_MS, wait)
}

/** Whether asking again would fail too. A network may be back at once. */
function isFinal({ error, until }: Failed, now: number): boolean {
  return (
    now < until &&
    error instanceof CredentialError &&
    (error.code === 'AUTH' || error.code === 'RATE_LIMIT')
  )
}

/** At 80 % of its life, but not more than a minute before its end. */
function renewalTime(begun: number, expiresAt: number | null): number {
  if (expiresAt === null) return Infinity
  return Math.max(begun + USED_UP * (expiresAt - begun), expiresAt - EARLIEST_MS)
}
