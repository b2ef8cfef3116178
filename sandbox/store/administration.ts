import type { Permission, Repository, Timestamp, User } from './entities.ts'
import type { Registry } from './registry.ts'

export interface Cache {
  readonly databaseId: number
  readonly repository: Repository
  readonly ref: string
  readonly key: string
  readonly size: number
  readonly createdAt: Timestamp
  readonly lastAccessedAt: Timestamp
}

export interface Webhook {
  readonly databaseId: number
  readonly repository: Repository
  readonly url: string
  readonly events: readonly string[]
  readonly createdAt: Timestamp
  pings: number
}

export interface Invitation {
  readonly databaseId: number
  readonly repository: Repository
  readonly invitee: User
  readonly inviter: User
  readonly createdAt: Timestamp
  permission: Permission
}

type Entry = Cache | Webhook | Invitation
type New<Kind extends Entry, Made extends keyof Kind = never> = Omit<
  Kind,
  'databaseId' | 'createdAt' | Made
>

/** Caches, webhooks and invitations of repositories. They are no nodes: only the REST API has them. */
export class Administration {
  readonly #registry: Registry
  readonly #caches: Cache[] = []
  readonly #webhooks: Webhook[] = []
  readonly #invitations: Invitation[] = []

  constructor(registry: Registry) {
    this.#registry = registry
  }

  addCache(fields: New<Cache, 'lastAccessedAt'>): Cache {
    const createdAt = this.#registry.timestamp()
    return this.#add(this.#caches, { ...fields, createdAt, lastAccessedAt: createdAt })
  }

  /** The latest first. */
  cachesOf(repository: Repository): Cache[] {
    return this.#caches.filter(it => it.repository === repository).toReversed()
  }

  deleteCache(cache: Cache): void {
    this.#remove(this.#caches, cache)
  }

  addWebhook(fields: New<Webhook, 'pings'>): Webhook {
    const createdAt = this.#registry.timestamp()
    return this.#add(this.#webhooks, { ...fields, createdAt, pings: 0 })
  }

  webhooksOf(repository: Repository): Webhook[] {
    return this.#webhooks.filter(it => it.repository === repository)
  }

  ping(webhook: Webhook): void {
    webhook.pings += 1
    this.#registry.recordWrite()
  }

  /** Invites a user, or changes the permission of an open invitation. */
  invite(fields: New<Invitation>): Invitation {
    const known = this.invitationsOf(fields.invitee).find(it => it.repository === fields.repository)
    if (!known) {
      return this.#add(this.#invitations, { ...fields, createdAt: this.#registry.timestamp() })
    }
    known.permission = fields.permission
    this.#registry.recordWrite()
    return known
  }

  invitationsOf(invitee: User): Invitation[] {
    return this.#invitations.filter(it => it.invitee === invitee)
  }

  invitationsTo(repository: Repository): Invitation[] {
    return this.#invitations.filter(it => it.repository === repository)
  }

  accept(invitation: Invitation): void {
    const { repository, invitee, permission } = invitation
    this.#remove(this.#invitations, invitation)
    this.setCollaborator(repository, invitee, permission)
  }

  /** Also takes it back. */
  decline(invitation: Invitation): void {
    this.#remove(this.#invitations, invitation)
  }

  setCollaborator(repository: Repository, user: User, permission: Permission | null): void {
    if (permission === null) repository.collaborators.delete(user)
    else repository.collaborators.set(user, permission)
    this.#registry.recordWrite()
  }

  all(): readonly Entry[] {
    return [...this.#caches, ...this.#webhooks, ...this.#invitations]
  }

  #add<Kind extends Entry>(entries: Kind[], fields: Omit<Kind, 'databaseId'>): Kind {
    const entry = { ...fields, databaseId: this.#registry.nextId() } as Kind
    entries.push(entry)
    this.#registry.recordWrite()
    return entry
  }

  #remove<Kind extends Entry>(entries: Kind[], entry: Kind): void {
    entries.splice(entries.indexOf(entry), 1)
    this.#registry.recordWrite()
  }
}
