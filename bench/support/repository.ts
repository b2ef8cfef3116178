const API = 'https://api.github.com/repos/octo-org/hello-world'
const LINKS = ['forks', 'keys', 'hooks', 'events', 'tags', 'languages', 'stargazers', 'merges']

/** GitHub's answer to `GET /repos/{owner}/{repo}`, shortened to about 2 kB. */
const REPOSITORY = {
  id: 1296269,
  node_id: 'R_kgDOABPHjQ',
  name: 'hello-world',
  full_name: 'octo-org/hello-world',
  private: false,
  owner: {
    login: 'octo-org',
    id: 6811672,
    node_id: 'MDEyOk9yZ2FuaXphdGlvbjY4MTE2NzI=',
    avatar_url: 'https://avatars.githubusercontent.com/u/6811672?v=4',
    url: 'https://api.github.com/users/octo-org',
    html_url: 'https://github.com/octo-org',
    type: 'Organization',
    site_admin: false,
  },
  html_url: 'https://github.com/octo-org/hello-world',
  description: 'A first repository, with an issue tracker and a wiki.',
  fork: false,
  url: API,
  ...Object.fromEntries(LINKS.map(link => [`${link}_url`, `${API}/${link}`])),
  created_at: '2011-01-26T19:01:12Z',
  updated_at: '2026-03-02T10:11:12Z',
  pushed_at: '2026-03-01T09:08:07Z',
  git_url: 'git://github.com/octo-org/hello-world.git',
  ssh_url: 'git@github.com:octo-org/hello-world.git',
  clone_url: 'https://github.com/octo-org/hello-world.git',
  homepage: 'https://github.com',
  size: 108,
  stargazers_count: 2801,
  watchers_count: 2801,
  language: 'TypeScript',
  has_issues: true,
  has_projects: true,
  has_downloads: true,
  has_wiki: true,
  has_pages: false,
  has_discussions: false,
  forks_count: 2440,
  archived: false,
  disabled: false,
  open_issues_count: 1350,
  license: { key: 'mit', name: 'MIT License', spdx_id: 'MIT', node_id: 'MDc6TGljZW5zZTEz' },
  allow_forking: true,
  is_template: false,
  topics: ['api', 'agents', 'octocat'],
  visibility: 'public',
  forks: 2440,
  open_issues: 1350,
  watchers: 2801,
  default_branch: 'main',
  network_count: 2440,
  subscribers_count: 1731,
}

/** The upstream's answer to every request. */
export function repositoryJson(): string {
  return JSON.stringify(REPOSITORY)
}

/** The same repository as the answer to the query of `repo.view`, with the members that the query does not ask for. */
export function graphqlJson(): string {
  const { license, default_branch: branch, ...rest } = REPOSITORY
  const repository = {
    ...rest,
    id: REPOSITORY.node_id,
    nameWithOwner: REPOSITORY.full_name,
    homepageUrl: REPOSITORY.homepage,
    visibility: 'PUBLIC',
    isPrivate: false,
    isArchived: false,
    isFork: false,
    stargazerCount: REPOSITORY.stargazers_count,
    forkCount: REPOSITORY.forks_count,
    url: REPOSITORY.html_url,
    createdAt: REPOSITORY.created_at,
    pushedAt: REPOSITORY.pushed_at,
    parent: null,
    repositoryTopics: { nodes: REPOSITORY.topics.map(name => ({ topic: { name } })) },
    primaryLanguage: { name: REPOSITORY.language },
    licenseInfo: { key: license.key },
    issues: { totalCount: 1300 },
    pullRequests: { totalCount: 50 },
    defaultBranchRef: { name: branch },
  }
  return JSON.stringify({ data: { repository } })
}

/** GitHub's usual headers without `ETag`, which would let Signalbox answer repeated reads from its cache. */
export function githubHeaders(): Record<string, string> {
  return {
    'content-type': 'application/json; charset=utf-8',
    'x-github-media-type': 'github.v3; format=json',
    'x-github-request-id': 'BE0C:1F2A:51D3C1:A4E2F1:65E2F1A0',
    'x-ratelimit-limit': '5000',
    'x-ratelimit-remaining': '4999',
    'x-ratelimit-reset': String(Math.floor(Date.now() / 1000) + 3600),
    'x-ratelimit-resource': 'core',
  }
}
