import type { Account, User } from '../../store/entities.ts'
import { avatarUrl, pageUrl, paths } from '../../urls.ts'

/** A user or organization inside another object. */
export function accountJson(account: Account, origin: string) {
  const url = `${origin}/users/${account.login}`
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
export function profileJson(account: Account, origin: string, publicRepositories: number) {
  return {
    ...accountJson(account, origin),
    name: account.name,
    ...(account.kind === 'User'
      ? personal(account)
      : { ...nothingPersonal, bio: account.description }),
    blog: '',
    hireable: null,
    twitter_username: null,
    public_repos: publicRepositories,
    public_gists: 0,
    followers: 0,
    following: 0,
    created_at: account.createdAt,
    updated_at: account.createdAt,
  }
}

function personal({ company, location, email, bio }: User) {
  return { company, location, email, bio }
}

const nothingPersonal = { company: null, location: null, email: null }

/** `GET /user`: the caller's own profile. */
export function ownProfileJson(
  user: User,
  origin: string,
  repositories: { public: number; private: number },
) {
  return {
    ...profileJson(user, origin, repositories.public),
    user_view_type: 'private',
    private_gists: 0,
    total_private_repos: repositories.private,
    owned_private_repos: repositories.private,
    disk_usage: 0,
    collaborators: 0,
    two_factor_authentication: true,
  }
}
