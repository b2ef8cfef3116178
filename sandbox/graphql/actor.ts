import type * as G from '@octokit/graphql-schema'
import { isGiven } from '../given.ts'
import { canSee, visibleTo } from '../store/access.ts'
import type { Account, Organization, Repository, User } from '../store/entities.ts'
import type { Team } from '../store/review-entities.ts'
import { avatarUrl, pageUrl, paths } from '../urls.ts'
import { connection, emptyConnection } from './connection.ts'
import type { Fields } from './fields.ts'
import { gistOwnerFields } from './gist.ts'
import { ordered } from './order.ts'
import { projectOwnerFields } from './project.ts'

const repositoryOrders: Record<G.RepositoryOrderField, (it: Repository) => string | number> = {
  CREATED_AT: repository => repository.createdAt,
  NAME: repository => repository.name.toLowerCase(),
  PUSHED_AT: repository => repository.pushedAt,
  STARGAZERS: repository => repository.stargazerCount,
  UPDATED_AT: repository => repository.updatedAt,
}

const organizationOrders: Record<G.OrganizationOrderField, (it: Account) => string> = {
  CREATED_AT: account => account.createdAt,
  LOGIN: account => account.login.toLowerCase(),
}

const accountFields = {
  ...projectOwnerFields,
  id: account => account.nodeId,
  databaseId: account => account.databaseId,
  login: account => account.login,
  name: account => account.name,
  url: account => pageUrl(paths.account(account)),
  resourcePath: account => paths.account(account),
  avatarUrl,
  location: account => account.location,
  websiteUrl: account => account.websiteUrl,
  twitterUsername: account => account.twitterUsername,
  createdAt: account => account.createdAt,

  repository(owner, { name }: G.UserRepositoryArgs, { store, principal }) {
    const repository = store.repositories.find(owner.login, name)
    return repository && canSee(principal, repository) ? repository : null
  },

  repositories(owner, args: G.UserRepositoriesArgs, { store, principal }, info) {
    const { privacy, visibility, isArchived, isFork, isLocked, orderBy } = args
    const listed = visibleTo(principal, store.repositories.ownedBy(owner))
      .filter(
        repository => !isGiven(visibility) || repository.visibility === visibility.toLowerCase(),
      )
      .filter(repository => !isGiven(privacy) || repository.visibility === privacy.toLowerCase())
      .filter(repository => !isGiven(isArchived) || repository.isArchived === isArchived)
      .filter(({ parent }) => !isGiven(isFork) || (parent !== null) === isFork)
      // The sandbox has no locked repositories.
      .filter(() => isLocked !== true)
    return connection(ordered(listed, repositoryOrders, orderBy), args, info)
  },
} satisfies Fields<Account, G.User & G.Organization>

export const userFields: Fields<User, G.User> = {
  ...accountFields,
  ...gistOwnerFields,
  email: user => user.email ?? '',
  // Like GitHub, GraphQL returns an empty string where REST returns null.
  bio: user => user.bio ?? '',
  company: user => user.company,
  isHireable: user => user.isHireable,
  pronouns: user => user.pronouns,
  status: user => user.status,
  // The sandbox has no followers.
  followers: emptyConnection,
  following: emptyConnection,
  organizations: (user, args: G.UserOrganizationsArgs, { store }, info) => {
    const joined = store.accounts
      .all()
      .filter(account => account.kind === 'Organization' && account.members.has(user))
    return connection(ordered(joined, organizationOrders, args.orderBy), args, info)
  },
  // The sandbox orders them by the time of the star alone.
  starredRepositories: (user, args: G.UserStarredRepositoriesArgs, { store, principal }, info) => {
    const starred = visibleTo(principal, store.following.starredBy(user))
    const isOldestFirst = args.orderBy?.direction !== 'DESC'
    return connection(isOldestFirst ? starred.toReversed() : starred, args, info)
  },
  isViewer: (user, _args, { viewer }) => user === viewer,
  isSiteAdmin: () => false,
}

const actorFields = {
  id: account => account.nodeId,
  databaseId: account => account.databaseId,
  url: account => pageUrl(paths.account(account)),
  resourcePath: account => paths.account(account),
  avatarUrl,
  createdAt: account => account.createdAt,
  updatedAt: account => account.createdAt,
} satisfies Fields<User, G.Bot & G.Mannequin>

export const botFields: Fields<User, G.Bot> = {
  ...actorFields,
  login: bot => bot.login.replace('[bot]', ''),
}

export const mannequinFields: Fields<User, G.Mannequin> = {
  ...actorFields,
  login: mannequin => mannequin.login,
  email: mannequin => mannequin.email,
  claimant: () => null,
}

export const organizationFields: Fields<Organization, G.Organization> = {
  ...accountFields,
  description: organization => organization.description,
  email: organization => organization.email,
  isVerified: organization => organization.isVerified,
  archivedAt: organization => organization.archivedAt,
  team: (organization, { slug }: G.OrganizationTeamArgs, { store }) =>
    store.accounts.findTeam(organization, slug) ?? null,
  teams: (organization, args: G.OrganizationTeamsArgs, _context, info) =>
    connection(organization.teams, args, info),
  viewerIsAMember: (organization, _args, { viewer }) => organization.members.has(viewer),
  membersWithRole: (organization, args: G.OrganizationMembersWithRoleArgs, _context, info) =>
    connection([...organization.members], args, info),
}

export const teamFields: Fields<Team, G.Team> = {
  id: team => team.nodeId,
  databaseId: team => team.databaseId,
  name: team => team.name,
  slug: team => team.slug,
  combinedSlug: team => `${team.organization.login}/${team.slug}`,
  organization: team => team.organization,
}
