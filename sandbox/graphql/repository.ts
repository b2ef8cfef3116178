import type * as G from '@octokit/graphql-schema'
import {
  assignableUsers,
  canSee,
  canSeeRelease,
  may,
  permissionOf,
  visibleTo,
} from '../store/access.ts'
import type { IssueOrPull, Repository } from '../store/entities.ts'
import { issueTemplates, pullRequestTemplates } from '../store/git/templates.ts'
import { sortedMilestones } from '../store/milestones.ts'
import { latestRelease } from '../store/releases.ts'
import { fullName } from '../store/repositories.ts'
import { pageUrl, paths } from '../urls.ts'
import { connection, emptyConnection } from './connection.ts'
import { discussedFields } from './discussion.ts'
import { notFound } from './errors.ts'
import type { Context, Fields, Info } from './fields.ts'
import { findObject, findRef, listRefs } from './git.ts'
import { listIssues } from './issue.ts'
import { listIssueTypes } from './issue-type.ts'
import { labelOrders } from './label.ts'
import { ordered } from './order.ts'
import { listPullRequests } from './pull-request.ts'
import { listReleases } from './release.ts'
import { listRulesets } from './ruleset.ts'
import { findVulnerabilityAlert } from './vulnerability.ts'

const identityFields: Fields<Repository, G.Repository> = {
  id: repository => repository.nodeId,
  databaseId: repository => repository.databaseId,
  name: repository => repository.name,
  nameWithOwner: fullName,
  owner: repository => repository.owner,
  url: repository => pageUrl(paths.repository(repository)),
  resourcePath: repository => paths.repository(repository),
  sshUrl: repository => `git@github.com:${fullName(repository)}.git`,
  mirrorUrl: () => null,
  homepageUrl: repository => repository.homepageUrl,
  description: repository => repository.description,
  createdAt: repository => repository.createdAt,
  updatedAt: repository => repository.updatedAt,
  pushedAt: repository => repository.pushedAt,
  archivedAt: repository => (repository.isArchived ? repository.updatedAt : null),
  visibility: repository => repository.visibility.toUpperCase(),
  isPrivate: repository => repository.visibility === 'private',
  isArchived: repository => repository.isArchived,
  isInOrganization: repository => repository.owner.kind === 'Organization',
  stargazerCount: repository => repository.stargazerCount,
  forkCount: repository => repository.forkCount,
}

/** Settings of a repository, and values that are the same for all repositories in the sandbox. */
const constantFields: Fields<Repository, G.Repository> = {
  isMirror: () => false,
  isTemplate: () => false,
  isLocked: () => false,
  isDisabled: () => false,
  isUserConfigurationRepository: () => false,
  isBlankIssuesEnabled: () => true,
  isSecurityPolicyEnabled: () => false,
  templateRepository: () => null,
  codeOfConduct: () => null,
  securityPolicyUrl: () => null,
  diskUsage: () => 0,
  usesCustomOpenGraphImage: () => false,
  openGraphImageUrl: repository => `https://opengraph.githubassets.com/1/${fullName(repository)}`,
  forkingAllowed: () => true,
  hasProjectsEnabled: () => true,
  mergeCommitAllowed: ({ merging }) => merging.methods.has('merge'),
  rebaseMergeAllowed: ({ merging }) => merging.methods.has('rebase'),
  squashMergeAllowed: ({ merging }) => merging.methods.has('squash'),
  autoMergeAllowed: ({ merging }) => merging.allowsAutoMerge,
  deleteBranchOnMerge: () => false,
  issueTemplates: (repository, _args, { store }) => issueTemplates(store.git, repository),
  pullRequestTemplates: (repository, _args, { store }) =>
    pullRequestTemplates(store.git, repository),
  contactLinks: () => [],
  fundingLinks: () => [],
  projects: emptyConnection,
  projectsV2: emptyConnection,
}

const viewerFields: Fields<Repository, G.Repository> = {
  viewerPermission: (repository, _args, { principal }) =>
    permissionOf(principal, repository)?.toUpperCase() ?? null,
  viewerCanAdminister: (repository, _args, { principal }) => may(principal, 'admin', repository),
  viewerDefaultCommitEmail: (_repository, _args, { viewer }) => viewer.email,
  viewerPossibleCommitEmails: (_repository, _args, { viewer }) =>
    viewer.email ? [viewer.email] : [],
  viewerDefaultMergeMethod: () => 'MERGE',
  viewerHasStarred: (repository, _args, { viewer, store }) =>
    store.following.isStarred(viewer, repository),
  viewerSubscription(repository, _args, { viewer, store }) {
    const watch = store.following.watchOf(viewer, repository)
    if (!watch) return 'UNSUBSCRIBED'
    return watch.ignored ? 'IGNORED' : 'SUBSCRIBED'
  },
}

export const repositoryFields: Fields<Repository, G.Repository, 'issueTypes'> = {
  ...identityFields,
  ...constantFields,
  ...viewerFields,
  ...discussedFields,
  hasIssuesEnabled: repository => repository.hasIssues,
  hasWikiEnabled: repository => repository.hasWiki,
  defaultBranchRef: (repository, _args, { store }) =>
    store.git.branch(repository, repository.defaultBranch) ?? null,
  isEmpty: (repository, _args, { store }) => store.git.isEmpty(repository),
  ref: findRef,
  codeowners(repository, { refName }: G.RepositoryCodeownersArgs, { store }) {
    const errors = store.codeownersErrors(repository, refName ?? 'HEAD')
    return errors ? { errors } : null
  },
  refs: listRefs,
  object: findObject,
  isFork: ({ parent }) => parent !== null,
  parent: ({ parent }, _args, { principal }) =>
    parent && canSee(principal, parent) ? parent : null,
  forks: (repository, args: G.RepositoryForksArgs, { store, principal }, info) =>
    connection(visibleTo(principal, store.repositories.forksOf(repository)), args, info),
  primaryLanguage: ({ language: name }) => (name === null ? null : { name }),
  licenseInfo: ({ license }) => license && { ...license, id: license.nodeId, nickname: null },
  languages: listLanguages,
  repositoryTopics: listTopics,
  watchers: ({ watcherCount }) => ({ totalCount: watcherCount }),
  assignableUsers: listAssignableUsers,
  mentionableUsers: listAssignableUsers,

  issue: (repository, { number }: G.RepositoryIssueArgs) => itemOf(repository, number, 'Issue'),
  issues: listIssues,
  pullRequest: (repository, { number }: G.RepositoryPullRequestArgs) =>
    itemOf(repository, number, 'PullRequest'),
  pullRequests: listPullRequests,
  issueOrPullRequest: (repository, { number }: G.RepositoryIssueOrPullRequestArgs) =>
    itemOf(repository, number),

  label: (repository, { name }: G.RepositoryLabelArgs, { store }) =>
    store.labels.find(repository, name) ?? null,
  labels: listLabels,
  milestone: (repository, { number }: G.RepositoryMilestoneArgs, { store }) =>
    store.milestones.find(repository, number) ?? null,
  milestones: listMilestones,
  issueTypes: listIssueTypes,

  release: (repository, { tagName }: G.RepositoryReleaseArgs, { principal }) =>
    repository.releases.find(it => it.tagName === tagName && canSeeRelease(principal, it)) ?? null,
  releases: listReleases,
  rulesets: listRulesets,
  vulnerabilityAlert: findVulnerabilityAlert,
  latestRelease: repository => latestRelease(repository) ?? null,
}

const itemNames = {
  Issue: 'an Issue',
  PullRequest: 'a PullRequest',
  either: 'an issue or pull request',
}

function itemOf(repository: Repository, number: number, kind?: IssueOrPull['kind']): IssueOrPull {
  const item = repository.items.get(number)
  if (item && (kind === undefined || item.kind === kind)) return item
  throw notFound(`${itemNames[kind ?? 'either']} with the number of ${number}`)
}

function listLabels(
  repository: Repository,
  args: G.RepositoryLabelsArgs,
  _context: Context,
  info: Info,
) {
  const query = args.query?.toLowerCase() ?? ''
  const found = repository.labels.filter(label => label.name.toLowerCase().includes(query))
  return connection(ordered(found, labelOrders, args.orderBy), args, info)
}

function listMilestones(
  repository: Repository,
  args: G.RepositoryMilestonesArgs,
  _context: Context,
  info: Info,
) {
  const wanted = args.states?.map(state => state.toLowerCase())
  const found = repository.milestones.filter(
    ({ state }) => !wanted?.length || wanted.includes(state),
  )
  const { orderBy } = args
  const sorted = orderBy
    ? sortedMilestones(found, orderBy.field, orderBy.direction === 'DESC' ? 'desc' : 'asc')
    : found
  return connection(sorted, args, info)
}

function listLanguages(
  { language }: Repository,
  args: G.RepositoryLanguagesArgs,
  _context: Context,
  info: Info,
) {
  const nodes = language === null ? [] : [{ nodeId: language, name: language }]
  const page = connection(nodes, args, info)
  return { ...page, totalSize: 0, edges: page.edges.map(edge => ({ ...edge, size: 0 })) }
}

function listTopics(
  { topics }: Repository,
  args: G.RepositoryRepositoryTopicsArgs,
  _context: Context,
  info: Info,
) {
  const nodes = topics.map(name => ({ nodeId: name, topic: { name } }))
  return connection(nodes, args, info)
}

function listAssignableUsers(
  repository: Repository,
  args: G.RepositoryAssignableUsersArgs,
  _context: Context,
  info: Info,
) {
  const query = args.query?.toLowerCase() ?? ''
  const found = assignableUsers(repository).filter(({ login, name }) =>
    [login, name].some(text => text?.toLowerCase().includes(query)),
  )
  return connection(found, args, info)
}
