import type { Installation } from './apps.ts'
import type { User } from './entities.ts'
import type { Registry } from './registry.ts'

export type QuotaName = 'core' | 'graphql' | 'search' | 'code_search'

export interface Quota {
  readonly name: QuotaName
  readonly windowMs: number
  limit: number
  used: number
  /** Epoch milliseconds. */
  resetAt: number
}

export type Quotas = Record<QuotaName, Quota>

/** The caller of a request: the owner of a token, with the token's scopes and quotas. */
export interface Principal {
  token: string
  user: User
  scopes: string[]
  quotas: Quotas
  /** The installation of an app whose token it is, as far as the token reaches. Null for a user's own. */
  installation: Installation | null
  /** Epoch milliseconds; null for a token that lasts. */
  expiresAt: number | null
}

export interface NewToken {
  token: string
  user: User
  scopes?: string[]
  installation?: Installation
  expiresAt?: number
  limits?: Partial<Record<QuotaName, number>>
}

const HOUR = 3_600_000
const windows = { core: HOUR, graphql: HOUR, search: 60_000, code_search: 60_000 } as const
const limits = { core: 5000, graphql: 5000, search: 30, code_search: 10 } as const

export class Tokens {
  readonly #registry: Registry
  readonly #byToken = new Map<string, Principal>()

  constructor(registry: Registry) {
    this.#registry = registry
  }

  add(fields: NewToken): Principal {
    const principal: Principal = {
      token: fields.token,
      user: fields.user,
      scopes: fields.scopes ?? ['repo', 'read:org', 'gist'],
      quotas: fields.installation?.quotas ?? this.newQuotas(fields.limits),
      installation: fields.installation ?? null,
      expiresAt: fields.expiresAt ?? null,
    }
    this.#byToken.set(fields.token, principal)
    return principal
  }

  newQuotas(own: NewToken['limits'] = {}): Quotas {
    const quota = (name: QuotaName): Quota => ({
      name,
      windowMs: windows[name],
      limit: own[name] ?? limits[name],
      used: 0,
      resetAt: this.#registry.now() + windows[name],
    })
    return {
      core: quota('core'),
      graphql: quota('graphql'),
      search: quota('search'),
      code_search: quota('code_search'),
    }
  }

  /** The owner of a token; undefined for one that was revoked, or has ended. */
  find(token: string): Principal | undefined {
    const principal = this.#byToken.get(token)
    const end = principal?.expiresAt ?? null
    if (end === null || this.#registry.now() < end) return principal
    this.#byToken.delete(token)
    return undefined
  }

  revoke(isRevoked: (principal: Principal) => boolean): void {
    for (const [token, principal] of this.#byToken) {
      if (isRevoked(principal)) this.#byToken.delete(token)
    }
  }

  /** The quota now. Starts a new window if the last one is over. */
  current(quota: Quota): Quota {
    const now = this.#registry.now()
    if (now >= quota.resetAt) {
      quota.used = 0
      quota.resetAt = now + quota.windowMs
    }
    return quota
  }

  /** Sets a quota, for tests. */
  setQuota(quota: Quota, remaining: number, resetInSeconds?: number): void {
    this.current(quota)
    quota.used = Math.max(0, quota.limit - remaining)
    if (resetInSeconds !== undefined) quota.resetAt = this.#registry.now() + resetInSeconds * 1000
  }
}

export function remaining(quota: Quota): number {
  return Math.max(0, quota.limit - quota.used)
}
