import type { Account, Organization, Profile, User } from './entities.ts'
import { hiddenEmail } from './git/signature.ts'
import type { Registry } from './registry.ts'
import type { Team } from './review-entities.ts'

type NewProfile = Pick<Profile, 'login'> & Partial<Profile>

export type NewUser = NewProfile &
  Partial<Pick<User, 'bio' | 'company' | 'isHireable' | 'pronouns' | 'status'>>

export type NewOrganization = NewProfile &
  Partial<Pick<Organization, 'description' | 'isVerified' | 'archivedAt'>> & { members?: User[] }

/** Users and organizations. They share one namespace of logins. */
export class Accounts {
  readonly #registry: Registry
  readonly #byLogin = new Map<string, Account>()

  constructor(registry: Registry) {
    this.#registry = registry
  }

  addUser(fields: NewUser, kind: User['kind'] = 'User'): User {
    return this.#add({
      kind,
      ...this.#registry.identify(kind),
      ...this.#profileOf(fields),
      bio: fields.bio ?? null,
      company: fields.company ?? null,
      isHireable: fields.isHireable ?? false,
      pronouns: fields.pronouns ?? null,
      status: fields.status ?? null,
    })
  }

  /** The account of an app. @param slug its name in addresses, such as `dependabot` */
  addBot(slug: string): User {
    return this.addUser({ login: `${slug}[bot]` }, 'Bot')
  }

  addOrganization(fields: NewOrganization): Organization {
    return this.#add({
      kind: 'Organization',
      ...this.#registry.identify('Organization'),
      ...this.#profileOf(fields),
      description: fields.description ?? null,
      isVerified: fields.isVerified ?? false,
      archivedAt: fields.archivedAt ?? null,
      members: new Set(fields.members),
      issueTypes: [],
      teams: [],
    })
  }

  /** Its slug is its name in lower case, with hyphens. */
  addTeam(organization: Organization, name: string): Team {
    const team: Team = {
      kind: 'Team',
      ...this.#registry.identify('Team'),
      organization,
      slug: name.toLowerCase().replaceAll(/[^a-z0-9_]+/g, '-'),
      name,
    }
    organization.teams.push(team)
    return this.#registry.register(team)
  }

  findTeam(organization: Account, slug: string): Team | undefined {
    if (organization.kind !== 'Organization') return undefined
    return organization.teams.find(team => team.slug === slug.toLowerCase())
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

  #profileOf(fields: NewProfile): Profile {
    return {
      login: fields.login,
      name: fields.name ?? null,
      email: fields.email ?? null,
      location: fields.location ?? null,
      websiteUrl: fields.websiteUrl ?? null,
      twitterUsername: fields.twitterUsername ?? null,
      createdAt: fields.createdAt ?? this.#registry.timestamp(),
    }
  }

  #add<T extends Account>(account: T): T {
    this.#byLogin.set(account.login.toLowerCase(), account)
    return this.#registry.register(account)
  }
}
