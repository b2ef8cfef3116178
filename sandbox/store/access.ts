import type { Installation } from './apps.ts'
import type {
  IssueComment,
  IssueOrPull,
  Node,
  Permission,
  Release,
  Repository,
  User,
} from './entities.ts'
import { canSeeProject, isOfProject, projectOf } from './project-access.ts'
import { Refusal } from './refusal.ts'
import type { Review, ReviewComment } from './review-entities.ts'
import type { Principal } from './tokens.ts'

const NO_RIGHTS = 'Must have admin rights to Repository.'
/** GitHub's message for the token of an app that may not, or never could. */
export const NOT_FOR_APPS = 'Resource not accessible by integration'

const ranks: Record<Permission, number> = { read: 1, triage: 2, write: 3, maintain: 4, admin: 5 }

/** The user whose rights apply, and the token scopes that limit them. */
type Caller = Pick<Principal, 'user' | 'scopes'> & Partial<Pick<Principal, 'installation'>>

/** The caller's permission. Null means that the repository does not exist for this caller. */
export function permissionOf(principal: Caller, repository: Repository): Permission | null {
  if (principal.installation) return permissionOfApp(principal.installation, repository)
  if (repository.visibility === 'private' && !principal.scopes.includes('repo')) return null
  if (repository.owner === principal.user) return 'admin'
  const granted = repository.collaborators.get(principal.user)
  if (granted) return granted
  return repository.visibility === 'public' ? 'read' : null
}

/** Outside of its installation, an app sees what everybody sees. The sandbox knows no permissions finer than these. */
function permissionOfApp(
  { account, repositories, permissions }: Installation,
  repository: Repository,
): Permission | null {
  if (repository.owner === account && (repositories?.includes(repository) ?? true)) {
    if (permissions.administration === 'write') return 'admin'
    return Object.values(permissions).includes('write') ? 'write' : 'read'
  }
  return repository.visibility === 'public' ? 'read' : null
}

export function canSee(principal: Principal, repository: Repository): boolean {
  return permissionOf(principal, repository) !== null
}

export function visibleTo(principal: Principal, repositories: Repository[]): Repository[] {
  return repositories.filter(repository => canSee(principal, repository))
}

export function may(principal: Caller, wanted: Permission, repository: Repository): boolean {
  const permission = permissionOf(principal, repository)
  return permission !== null && ranks[permission] >= ranks[wanted]
}

/** Only users who could publish a draft can see it. */
export function canSeeRelease(principal: Principal, release: Release): boolean {
  return may(principal, release.isDraft ? 'write' : 'read', release.repository)
}

/** Only its author can see a pending review. */
export function canSeeReview({ user }: Principal, review: Review): boolean {
  return review.state !== 'PENDING' || review.author === user
}

/** A global id gives access only to what the caller could also see by name. */
export function canSeeNode(principal: Principal, node: Node): boolean {
  if (isOfProject(node)) return canSeeProject(principal, projectOf(node))
  if ('subject' in node) return canSeeNode(principal, node.subject)
  if (isOpenToAll(node)) return true
  switch (node.kind) {
    case 'Repository':
      return canSee(principal, node)
    case 'Release':
      return canSeeRelease(principal, node)
    case 'BranchProtectionRule':
      return may(principal, 'admin', node.repository)
    case 'RepositoryVulnerabilityAlert':
      return may(principal, 'write', node.repository)
    default:
      return canSee(principal, node.repository) && canSeeReviewOf(principal, node)
  }
}

type OpenNode = User | Extract<Node, { kind: 'Organization' | 'Team' | 'IssueType' }>

function isOpenToAll(node: Node): node is OpenNode {
  return ['User', 'Bot', 'Mannequin', 'Organization', 'Team', 'IssueType'].includes(node.kind)
}

/** Whether the caller can see the review that a node belongs to, if any. */
function canSeeReviewOf(principal: Principal, node: Node): boolean {
  switch (node.kind) {
    case 'PullRequestReview':
      return canSeeReview(principal, node)
    case 'PullRequestReviewComment':
      return canSeeReview(principal, node.review)
    case 'PullRequestReviewThread': {
      const [first] = node.comments
      return first !== undefined && canSeeReview(principal, first.review)
    }
    default:
      return true
  }
}

/** An archived repository refuses every write, even by its owner. */
export function requireUnarchived(repository: Repository): void {
  if (repository.isArchived) {
    throw new Refusal('archived', 'Repository was archived so is read-only.')
  }
}

export function requireIssues(repository: Repository): void {
  if (!repository.hasIssues) {
    throw new Refusal('issues_disabled', 'Issues has been disabled in this repository.')
  }
}

/** Authors may edit and close their own items. All others need triage rights. */
export function mayEdit(principal: Principal, item: IssueOrPull): boolean {
  if (item.repository.isArchived) return false
  return item.author === principal.user || may(principal, 'triage', item.repository)
}

/** Only the author, or a user with the right to push, may edit a comment. */
export function requireCommentEditor(
  principal: Principal,
  comment: IssueComment | ReviewComment,
): void {
  const { repository } = comment.kind === 'IssueComment' ? comment.subject : comment
  requireUnarchived(repository)
  if (comment.author !== principal.user) requirePermission(principal, 'write', repository)
}

export function requireEditor(principal: Principal, item: IssueOrPull): void {
  requireUnarchived(item.repository)
  if (!mayEdit(principal, item)) throw noRights(principal)
}

export function requirePermission(
  principal: Principal,
  wanted: Permission,
  repository: Repository,
): void {
  if (!may(principal, wanted, repository)) throw noRights(principal)
}

function noRights({ installation }: Principal): Refusal {
  return new Refusal('forbidden', installation === null ? NO_RIGHTS : NOT_FOR_APPS)
}

/** Changing content, and locking a conversation, needs the right to push. */
export function requireWrite(principal: Principal, repository: Repository): void {
  requireUnarchived(repository)
  requirePermission(principal, 'write', repository)
}

export function requireTriage(principal: Principal, repository: Repository): void {
  requireUnarchived(repository)
  requirePermission(principal, 'triage', repository)
}

/** Only administrators may delete an issue. */
export function requireAdmin(principal: Principal, repository: Repository): void {
  requireUnarchived(repository)
  requirePermission(principal, 'admin', repository)
}

/** The users who can be assigned: the owner or the organization's members, and the collaborators. */
export function assignableUsers(repository: Repository): User[] {
  const { owner, collaborators } = repository
  const owners = owner.kind === 'Organization' ? [...owner.members] : [owner]
  return [...new Set([...owners, ...collaborators.keys()])]
}
