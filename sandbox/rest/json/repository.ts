import { may } from '../../store/access.ts'
import type { Repository } from '../../store/entities.ts'
import { itemsIn } from '../../store/items.ts'
import type { License } from '../../store/licenses.ts'
import type { MergeSettings } from '../../store/merge-entities.ts'
import { fullName } from '../../store/repositories.ts'
import type { Principal } from '../../store/tokens.ts'
import { pageUrl, paths } from '../../urls.ts'
import { accountJson } from './account.ts'
import { repositoryUrl } from './api-urls.ts'

/** A repository inside a pull request or a list. */
export function repositoryJson(repository: Repository, origin: string, viewer: Principal) {
  const openItems = itemsIn(repository).filter(item => item.state === 'open').length
  return {
    id: repository.databaseId,
    node_id: repository.nodeId,
    name: repository.name,
    full_name: fullName(repository),
    private: repository.visibility === 'private',
    owner: accountJson(repository.owner, origin),
    html_url: pageUrl(paths.repository(repository)),
    description: repository.description,
    fork: repository.parent !== null,
    url: repositoryUrl(repository, origin),
    ...linksJson(repository, origin),
    created_at: repository.createdAt,
    updated_at: repository.updatedAt,
    pushed_at: repository.pushedAt,
    homepage: repository.homepageUrl,
    size: 0,
    stargazers_count: repository.stargazerCount,
    // For historical reasons, the REST API's watchers are the stars.
    watchers_count: repository.stargazerCount,
    watchers: repository.stargazerCount,
    language: repository.language,
    license: repository.license && licenseJson(repository.license, origin),
    forks_count: repository.forkCount,
    forks: repository.forkCount,
    // GitHub counts pull requests as issues here.
    open_issues_count: openItems,
    open_issues: openItems,
    default_branch: repository.defaultBranch,
    topics: repository.topics,
    visibility: repository.visibility,
    archived: repository.isArchived,
    has_issues: repository.hasIssues,
    has_wiki: repository.hasWiki,
    has_discussions: repository.hasDiscussions,
    permissions: permissionsJson(repository, viewer),
    ...constants,
  }
}

/** `GET /repos/:owner/:repo` */
export function fullRepositoryJson(repository: Repository, origin: string, viewer: Principal) {
  const { owner, parent, merging } = repository
  return {
    ...repositoryJson(repository, origin, viewer),
    temp_clone_token: null,
    ...(may(viewer, 'write', repository) && mergeSettingsJson(merging)),
    ...(parent && {
      parent: repositoryJson(parent, origin, viewer),
      source: repositoryJson(sourceOf(parent), origin, viewer),
    }),
    ...(owner.kind === 'Organization' && { organization: accountJson(owner, origin) }),
    network_count: repository.forkCount,
    subscribers_count: repository.watcherCount,
  }
}

/** GitHub shows these only to callers who may write. */
function mergeSettingsJson({ methods, allowsAutoMerge }: MergeSettings) {
  return {
    allow_squash_merge: methods.has('squash'),
    allow_merge_commit: methods.has('merge'),
    allow_rebase_merge: methods.has('rebase'),
    allow_auto_merge: allowsAutoMerge,
    allow_update_branch: false,
    delete_branch_on_merge: false,
  }
}

function licenseJson({ nodeId, key, name, spdxId }: License, origin: string) {
  return { key, name, spdx_id: spdxId, url: `${origin}/licenses/${key}`, node_id: nodeId }
}

/** The repository at the start of a chain of forks. */
function sourceOf(repository: Repository): Repository {
  return repository.parent ? sourceOf(repository.parent) : repository
}

/** The same for every repository in the sandbox. */
const constants = {
  has_projects: true,
  has_downloads: true,
  has_pages: false,
  mirror_url: null,
  disabled: false,
  allow_forking: true,
  is_template: false,
  web_commit_signoff_required: false,
}

function permissionsJson(repository: Repository, viewer: Principal) {
  return {
    admin: may(viewer, 'admin', repository),
    maintain: may(viewer, 'maintain', repository),
    push: may(viewer, 'write', repository),
    triage: may(viewer, 'triage', repository),
    pull: may(viewer, 'read', repository),
  }
}

/** The part of each link after the repository's own URL. Braces are URI templates. */
const links = {
  forks_url: '/forks',
  keys_url: '/keys{/key_id}',
  collaborators_url: '/collaborators{/collaborator}',
  teams_url: '/teams',
  hooks_url: '/hooks',
  issue_events_url: '/issues/events{/number}',
  events_url: '/events',
  assignees_url: '/assignees{/user}',
  branches_url: '/branches{/branch}',
  tags_url: '/tags',
  blobs_url: '/git/blobs{/sha}',
  git_tags_url: '/git/tags{/sha}',
  git_refs_url: '/git/refs{/sha}',
  trees_url: '/git/trees{/sha}',
  statuses_url: '/statuses/{sha}',
  languages_url: '/languages',
  stargazers_url: '/stargazers',
  contributors_url: '/contributors',
  subscribers_url: '/subscribers',
  subscription_url: '/subscription',
  commits_url: '/commits{/sha}',
  git_commits_url: '/git/commits{/sha}',
  comments_url: '/comments{/number}',
  issue_comment_url: '/issues/comments{/number}',
  contents_url: '/contents/{+path}',
  compare_url: '/compare/{base}...{head}',
  merges_url: '/merges',
  archive_url: '/{archive_format}{/ref}',
  downloads_url: '/downloads',
  issues_url: '/issues{/number}',
  pulls_url: '/pulls{/number}',
  milestones_url: '/milestones{/number}',
  notifications_url: '/notifications{?since,all,participating}',
  labels_url: '/labels{/name}',
  releases_url: '/releases{/id}',
  deployments_url: '/deployments',
}

function linksJson(repository: Repository, origin: string) {
  const url = repositoryUrl(repository, origin)
  const page = pageUrl(paths.repository(repository))
  return {
    ...Object.fromEntries(Object.entries(links).map(([name, path]) => [name, url + path])),
    git_url: `git://github.com/${fullName(repository)}.git`,
    ssh_url: `git@github.com:${fullName(repository)}.git`,
    clone_url: `${page}.git`,
    svn_url: page,
  }
}
