import { NOT_FOR_APPS, requirePermission } from './access.ts'
import type { Node, Repository } from './entities.ts'
import { isOfProject } from './project-access.ts'
import { Refusal } from './refusal.ts'
import type { Principal } from './tokens.ts'

/** GitHub takes either permission for most of what issues and pull requests share. */
const CONVERSATIONS = ['issues', 'pull_requests']
/** Merges need the right to push. */
const PULLS = ['pull_requests', 'contents']

/** Below a repository's path in the REST API: the permissions of which an app needs one. Others need any. */
const PERMISSIONS_OF_PATHS: Readonly<Record<string, readonly string[]>> = {
  issues: CONVERSATIONS,
  labels: CONVERSATIONS,
  milestones: CONVERSATIONS,
  pulls: PULLS,
}

/** The same for objects of the GraphQL API. */
const PERMISSIONS_OF_KINDS: Partial<Record<Node['kind'], readonly string[]>> = {
  Issue: CONVERSATIONS,
  IssueComment: CONVERSATIONS,
  Label: CONVERSATIONS,
  Milestone: CONVERSATIONS,
  PullRequest: [...PULLS, 'issues'],
  PullRequestReview: PULLS,
  PullRequestReviewComment: PULLS,
  PullRequestReviewThread: PULLS,
}

/**
 * Refuses a change that an app's token has no permission for, also one that every user may make, such as a new issue.
 * @param area the part of the path after the repository's name, or `issues` for a new issue
 */
export function requireAppWrite(principal: Principal, repository: Repository, area: string): void {
  requireOne(principal, repository, PERMISSIONS_OF_PATHS[area])
}

/** The same for a change to an object. Projects belong to no repository. */
export function requireAppWriteTo(principal: Principal, node: Node): void {
  const repository = repositoryOf(node)
  if (repository) requireOne(principal, repository, PERMISSIONS_OF_KINDS[node.kind])
}

function requireOne(
  principal: Principal,
  repository: Repository,
  names: readonly string[] | undefined,
): void {
  const { installation } = principal
  if (installation === null) return
  requirePermission(principal, 'write', repository)
  const { permissions } = installation
  if (names === undefined || permissions.administration === 'write') return
  if (names.some(name => permissions[name] === 'write')) return
  throw new Refusal('forbidden', NOT_FOR_APPS)
}

function repositoryOf(node: Node): Repository | null {
  if (isOfProject(node)) return null
  if ('subject' in node) return repositoryOf(node.subject)
  if (node.kind === 'Repository') return node
  return 'repository' in node ? node.repository : null
}
