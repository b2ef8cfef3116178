import { type Quota, remaining } from '../store/tokens.ts'
import { pageUrl } from '../urls.ts'
import { type Answer, ok, type RestCall, type RouteTable } from './call.ts'

export const metaRoutes: RouteTable = {
  'GET /': call => ok(rootJson(call.origin)),
  'GET /rate_limit': getRateLimit,
}

/** Reading the quotas is not charged: see `chargeQuota`. */
function getRateLimit({ store, principal }: RestCall): Answer {
  const { core, search, code_search, graphql } = principal.quotas
  const now = (quota: Quota) => quotaJson(store.tokens.current(quota))
  return ok({
    resources: {
      core: now(core),
      search: now(search),
      code_search: now(code_search),
      graphql: now(graphql),
    },
    rate: now(core),
  })
}

function quotaJson(quota: Quota) {
  return {
    limit: quota.limit,
    used: quota.used,
    remaining: remaining(quota),
    reset: Math.ceil(quota.resetAt / 1000),
  }
}

function rootJson(origin: string) {
  const entries = Object.entries(rootLinks).map(([name, path]) => [name, origin + path])
  return {
    ...Object.fromEntries(entries),
    current_user_authorizations_html_url: pageUrl('/settings/connections/applications{/client_id}'),
  }
}

const rootLinks = {
  current_user_url: '/user',
  authorizations_url: '/authorizations',
  code_search_url: '/search/code?q={query}{&page,per_page,sort,order}',
  commit_search_url: '/search/commits?q={query}{&page,per_page,sort,order}',
  emails_url: '/user/emails',
  emojis_url: '/emojis',
  events_url: '/events',
  feeds_url: '/feeds',
  followers_url: '/user/followers',
  following_url: '/user/following{/target}',
  gists_url: '/gists{/gist_id}',
  issue_search_url: '/search/issues?q={query}{&page,per_page,sort,order}',
  issues_url: '/issues',
  keys_url: '/user/keys',
  label_search_url: '/search/labels?q={query}&repository_id={repository_id}{&page,per_page}',
  notifications_url: '/notifications',
  organization_url: '/orgs/{org}',
  organization_repositories_url: '/orgs/{org}/repos{?type,page,per_page,sort}',
  organization_teams_url: '/orgs/{org}/teams',
  public_gists_url: '/gists/public',
  rate_limit_url: '/rate_limit',
  repository_url: '/repos/{owner}/{repo}',
  repository_search_url: '/search/repositories?q={query}{&page,per_page,sort,order}',
  current_user_repositories_url: '/user/repos{?type,page,per_page,sort}',
  starred_url: '/user/starred{/owner}{/repo}',
  starred_gists_url: '/gists/starred',
  topic_search_url: '/search/topics?q={query}{&page,per_page}',
  user_url: '/users/{user}',
  user_organizations_url: '/user/orgs',
  user_repositories_url: '/users/{user}/repos{?type,page,per_page,sort}',
  user_search_url: '/search/users?q={query}{&page,per_page,sort,order}',
}
