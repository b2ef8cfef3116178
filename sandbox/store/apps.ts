import { randomBytes } from 'node:crypto'
import type { Accounts } from './accounts.ts'
import type { Account, Repository, Timestamp, User } from './entities.ts'
import { Refusal } from './refusal.ts'
import { type Registry, toTimestamp } from './registry.ts'
import type { Principal, Quotas, Tokens } from './tokens.ts'

export type AppPermissions = Readonly<Record<string, 'read' | 'write' | 'admin'>>

export interface App {
  readonly id: number
  readonly clientId: string
  readonly slug: string
  readonly owner: Account
  /** Writes what the app writes. Its login ends with `[bot]`. */
  readonly bot: User
  readonly permissions: AppPermissions
  /** In PEM. One that is taken out is a key that somebody has deleted on GitHub. */
  publicKeys: readonly string[]
  readonly createdAt: Timestamp
}

export interface Installation {
  readonly id: number
  readonly app: App
  readonly account: Account
  readonly permissions: AppPermissions
  /** Null for all of the account. */
  readonly repositories: readonly Repository[] | null
  /** All tokens of an installation share its quotas. */
  readonly quotas: Quotas
  suspendedAt: Timestamp | null
  readonly createdAt: Timestamp
}

export interface NewApp {
  readonly id: number
  readonly slug: string
  readonly owner: Account
  readonly publicKeys: readonly string[]
  readonly permissions?: AppPermissions
}

export interface NewInstallation {
  readonly app: App
  readonly account: Account
  readonly permissions?: AppPermissions
  readonly repositories?: readonly Repository[] | null
}

/** The narrower rights that somebody asks for with a token. */
export interface TokenRequest {
  readonly permissions?: AppPermissions | undefined
  readonly repositories?: readonly Repository[] | undefined
}

const USUAL: AppPermissions = { contents: 'write', issues: 'write', metadata: 'read' }
const HOUR = 3_600_000

/** GitHub Apps, where they are installed, and the tokens of these installations. */
export class Apps {
  readonly #registry: Registry
  readonly #accounts: Accounts
  readonly #tokens: Tokens
  readonly #apps: App[] = []
  readonly #installations = new Map<number, Installation>()
  /** The life of a token in milliseconds. GitHub's live for an hour. */
  tokenLifeMs = HOUR

  constructor(registry: Registry, accounts: Accounts, tokens: Tokens) {
    this.#registry = registry
    this.#accounts = accounts
    this.#tokens = tokens
  }

  /** Without quotas, which count as no state. */
  all() {
    const installed = [...this.#installations.values()].map(
      ({ id, app, account, permissions, repositories, suspendedAt }) => {
        return { id, app: app.slug, account, permissions, repositories, suspendedAt }
      },
    )
    const apps = this.#apps.map(({ id, slug, publicKeys }) => ({ id, slug, publicKeys }))
    return [...apps, ...installed]
  }

  add({ id, slug, owner, publicKeys, permissions = USUAL }: NewApp): App {
    const bot = this.#accounts.addBot(slug)
    const clientId = `Iv23li${id.toString(36).padStart(14, '0')}`
    const createdAt = this.#registry.timestamp()
    const app = { id, clientId, slug, owner, bot, permissions, publicKeys, createdAt }
    this.#apps.push(app)
    return app
  }

  install(fields: NewInstallation): Installation {
    const { app, account, permissions = app.permissions, repositories = null } = fields
    const installation: Installation = {
      id: this.#registry.nextId(),
      app,
      account,
      permissions,
      repositories,
      quotas: this.#tokens.newQuotas(),
      suspendedAt: null,
      createdAt: this.#registry.timestamp(),
    }
    this.#installations.set(installation.id, installation)
    return installation
  }

  /** Its tokens end with it. */
  uninstall({ id }: Installation): void {
    this.#installations.delete(id)
    this.#tokens.revoke(principal => principal.installation?.id === id)
  }

  /** Suspends an installation, or ends that. */
  suspend(installation: Installation, isSuspended: boolean): void {
    installation.suspendedAt = isSuspended ? this.#registry.timestamp() : null
  }

  /** @param issuer the id of the app, or its client id */
  find(issuer: string): App | undefined {
    return this.#apps.find(({ id, clientId }) => [String(id), clientId].includes(issuer))
  }

  installationsOf(app: App): Installation[] {
    return [...this.#installations.values()].filter(one => one.app === app)
  }

  /** @throws {Refusal} for a suspended installation, or for more than the installation has. */
  issue(installation: Installation, asked: TokenRequest): Principal {
    if (installation.suspendedAt !== null) {
      throw new Refusal('forbidden', 'This installation has been suspended')
    }
    const { permissions = installation.permissions, repositories } = asked
    requireGranted(permissions, installation)
    const token = `ghs_${randomBytes(27).toString('base64url').replaceAll(/[-_]/g, '0')}`
    return this.#tokens.add({
      token,
      user: installation.app.bot,
      scopes: ['repo'],
      installation: {
        ...installation,
        permissions,
        repositories: repositories ?? installation.repositories,
      },
      expiresAt: this.#registry.now() + this.tokenLifeMs,
    })
  }
}

const LEVELS = ['read', 'write', 'admin']

function requireGranted(permissions: AppPermissions, { permissions: granted }: Installation): void {
  for (const [name, level] of Object.entries(permissions)) {
    if (LEVELS.indexOf(granted[name] ?? '') >= LEVELS.indexOf(level)) continue
    throw new Refusal(
      'unprocessable',
      'The permissions requested are not granted to this installation.',
    )
  }
}

/** When the token of an installation ends, as GitHub writes it. */
export function endOf({ expiresAt }: Principal): Timestamp {
  return toTimestamp(expiresAt ?? 0)
}
