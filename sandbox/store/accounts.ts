import type { Account, Organization, Timestamp, User } from './entities.ts'
import { hiddenEmail } from './git/signature.ts'
import type { Registry } from './registry.ts'

export interface NewUser {
  login: string
  name?: string | null
  email?: string | null
  bio?: string | null
  company?: string | null
  location?: string | null
  createdAt?: Timestamp
}

export interface NewOrganization {
  login: string
  name?: string | null
  description?: string | null
  members?: User[]
  createdAt?: Timestamp
}

/** Users and organizations. They share one namespace of logins. */
export class Accounts {
  readonly #registry: Registry
  readonly #byLogin = new Map<string, Account>()

  constructor(registry: Registry) {
    this.#registry = registry
  }

  addUser(fields: NewUser): User {
    return this.#add({
      kind: 'User',
      ...this.#registry.identify('User'),
      login: fields.login,
      name: fields.name ?? null,
      email: fields.email ?? null,
      bio: fields.bio ?? null,
      company: fields.company ?? null,
      location: fields.location ?? null,
      createdAt: fields.createdAt ?? this.#registry.timestamp(),
    })
  }

  addOrganization(fields: NewOrganization): Organization {
    return this.#add({
      kind: 'Organization',
      ...this.#registry.identify('Organization'),
      login: fields.login,
      name: fields.name ?? null,
      description: fields.description ?? null,
      members: new Set(fields.members),
      issueTypes: [],
      createdAt: fields.createdAt ?? this.#registry.timestamp(),
    })
  }

  find(login: string): Account | undefined {
    return this.#byLogin.get(login.toLowerCase())
  }

  findUser(login: string): User | undefined {
    const account = this.find(login)
    return account?.kind === 'User' ? account : undefined
  }

  /** Finds a user by public address, or by the `noreply` address that GitHub gives everyone. */
  findByEmail(email: string): User | undefined {
    return this.all().find(
      account => account.kind === 'User' && [account.email, hiddenEmail(account)].includes(email),
    ) as User | undefined
  }

  all(): Account[] {
    return [...this.#byLogin.values()]
  }

  #add<T extends Account>(account: T): T {
    this.#byLogin.set(account.login.toLowerCase(), account)
    return this.#registry.register(account)
  }
}
