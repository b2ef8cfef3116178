import type { Account, Organization, User } from '../../store/entities.ts'
import { avatarUrl, pageUrl, paths } from '../../urls.ts'

/**
 * The user that stands for accounts that are gone. Most of the REST API returns this user, review comments
 * return null, and so does GraphQL.
 */
export const GHOST = 'ghost'

/** A user or organization inside another object. */
export function accountJson(account: Account, origin: string) {
  const url = `${origin}/users/${encodeURIComponent(account.login)}`
  return {
    login: account.login,
    id: account.databaseId,
    node_id: account.nodeId,
    avatar_url: avatarUrl(account),
    gravatar_id: '',
    url,
    html_url: pageUrl(paths.account(account)),
    followers_url: `${url}/followers`,
    following_url: `${url}/following{/other_user}`,
    gists_url: `${url}/gists{/gist_id}`,
    starred_url: `${url}/starred{/owner}{/repo}`,
    subscriptions_url: `${url}/subscriptions`,
    organizations_url: `${url}/orgs`,
    repos_url: `${url}/repos`,
    events_url: `${url}/events{/privacy}`,
    received_events_url: `${url}/received_events`,
    type: account.kind,
    user_view_type: 'public',
    site_admin: false,
  }
}

export function accountOrNull(account: Account | null | undefined, origin: string) {
  return account ? accountJson(account, origin) : null
}

/** `GET /users/:login`: the public profile. */
export function profileJson(account: Account, origin: string, counts: PublicCounts) {
  return {
    ...accountJson(account, origin),
    name: account.name,
    ...personal(account),
    email: account.email,
    location: account.location,
    blog: account.websiteUrl ?? '',
    twitter_username: account.twitterUsername,
    public_repos: counts.repositories,
    public_gists: counts.gists,
    followers: 0,
    following: 0,
    created_at: account.createdAt,
    updated_at: account.createdAt,
  }
}

function personal(account: Account) {
  if (account.kind === 'Organization') {
    return { company: null, bio: account.description, hireable: null }
  }
  return { company: account.company, bio: account.bio, hireable: account.isHireable || null }
}

/** `GET /orgs/:org`, for callers who do not own it. */
export function organizationJson(
  organization: Organization,
  origin: string,
  publicRepositories: number,
) {
  const { login, name, description, email, location, createdAt } = organization
  const url = `${origin}/orgs/${login}`
  return {
    login,
    id: organization.databaseId,
    node_id: organization.nodeId,
    url,
    repos_url: `${url}/repos`,
    events_url: `${url}/events`,
    hooks_url: `${url}/hooks`,
    issues_url: `${url}/issues`,
    members_url: `${url}/members{/member}`,
    public_members_url: `${url}/public_members{/member}`,
    avatar_url: avatarUrl(organization),
    description,
    // GitHub leaves these out if they are not set.
    ...(name !== null && { name }),
    ...(location !== null && { location }),
    ...(email !== null && { email }),
    ...(organization.websiteUrl !== null && { blog: organization.websiteUrl }),
    twitter_username: organization.twitterUsername,
    is_verified: organization.isVerified,
    has_organization_projects: true,
    has_repository_projects: true,
    public_repos: publicRepositories,
    public_gists: 0,
    followers: 0,
    following: 0,
    html_url: pageUrl(paths.account(organization)),
    type: 'Organization',
    created_at: createdAt,
    updated_at: createdAt,
    archived_at: organization.archivedAt,
  }
}

export interface PublicCounts {
  readonly repositories: number
  readonly gists: number
}

/** `GET /user`: the caller's own profile. */
export function ownProfileJson(
  user: User,
  origin: string,
  counts: PublicCounts,
  privateRepositories: number,
) {
  return {
    ...profileJson(user, origin, counts),
    user_view_type: 'private',
    private_gists: 0,
    total_private_repos: privateRepositories,
    owned_private_repos: privateRepositories,
    disk_usage: 0,
    collaborators: 0,
    two_factor_authentication: true,
  }
}
