import type * as G from '@octokit/graphql-schema'
import {
  assignableUsers,
  may,
  requireAdmin,
  requireIssues,
  requireUnarchived,
  requireWrite,
} from '../../store/access.ts'
import { requireAppWrite } from '../../store/app-writes.ts'
import type { Issue, Repository, StateReason } from '../../store/entities.ts'
import { requireObject } from '../../store/git/ref-rules.ts'
import { issueTemplates } from '../../store/git/templates.ts'
import { transferIssue } from '../../store/transfer.ts'
import type { Context, Fields } from '../fields.ts'
import { linkedBranchNode } from '../issue.ts'
import { editable, namedBy, setState, target, updateItem, writable } from './targets.ts'

export const issueMutations: Fields<unknown, G.Mutation, 'updateIssueIssueType'> = {
  createIssue(_root, { input }: G.MutationCreateIssueArgs, context) {
    const repository = target(context, input.repositoryId, 'Repository')
    requireAppWrite(context.principal, repository, 'issues')
    requireUnarchived(repository)
    requireIssues(repository)
    const issue = context.store.issues.add(repository, {
      title: input.title,
      body: input.body ?? null,
      author: context.viewer,
      ...namedBy(context, input, repository),
      ...typeNamed(context, input as G.CreateIssueInput & Typed, repository),
    })
    if (input.issueTemplate) applyTemplate(context, issue, input.issueTemplate)
    return { issue }
  },

  updateIssue(_root, { input }: G.MutationUpdateIssueArgs, context) {
    const issue = editable(context, input.id, 'Issue')
    updateItem(context, issue, input)
    setState(context, issue, input.state)
    return { issue, actor: context.viewer }
  },

  updateIssueIssueType(_root, { input }: { input: Typed & { issueId: string } }, context) {
    const issue = editable(context, input.issueId, 'Issue')
    context.store.issues.update(issue, typeNamed(context, input, issue.repository))
    return { issue }
  },

  deleteIssue(_root, { input }: G.MutationDeleteIssueArgs, context) {
    const issue = target(context, input.issueId, 'Issue')
    requireAdmin(context.principal, issue.repository)
    context.store.relations.forget(issue)
    context.store.issues.delete(issue)
    return { repository: issue.repository }
  },

  pinIssue(_root, { input }: G.MutationPinIssueArgs, context) {
    const issue = writable(context, input.issueId, 'Issue')
    context.store.issues.pin(issue)
    return { issue }
  },

  unpinIssue(_root, { input }: G.MutationUnpinIssueArgs, context) {
    const issue = writable(context, input.issueId, 'Issue')
    context.store.issues.unpin(issue)
    return { id: issue.nodeId, issue }
  },

  transferIssue(_root, { input }: G.MutationTransferIssueArgs, context) {
    const issue = writable(context, input.issueId, 'Issue')
    const repository = target(context, input.repositoryId, 'Repository')
    requireWrite(context.principal, repository)
    requireIssues(repository)
    const creates = input.createLabelsIfMissing ?? false
    const moved = transferIssue(context.store, issue, repository, creates)
    return { issue: moved }
  },

  createLinkedBranch(_root, { input }: G.MutationCreateLinkedBranchArgs, context) {
    const issue = target(context, input.issueId, 'Issue')
    const repository = input.repositoryId
      ? target(context, input.repositoryId, 'Repository')
      : issue.repository
    requireWrite(context.principal, repository)
    const { git, issues } = context.store
    requireObject(git.of(repository), input.oid)
    const { name } = git.createRef(repository, `refs/heads/${branchName(issue, input)}`, input.oid)
    const linkedBranch = linkedBranchNode(context.store, issues.link(issue, repository, name))
    return { issue, linkedBranch }
  },

  closeIssue(_root, { input }: G.MutationCloseIssueArgs, context) {
    const issue = editable(context, input.issueId, 'Issue')
    const reason = input.stateReason?.toLowerCase() as StateReason | undefined
    context.store.issues.close(issue, context.viewer, { reason })
    return { issue }
  },

  reopenIssue(_root, { input }: G.MutationReopenIssueArgs, context) {
    const issue = editable(context, input.issueId, 'Issue')
    context.store.issues.reopen(issue)
    return { issue }
  },
}

/** Adds the labels and assignees of a template. GitHub ignores a name that no template has. */
function applyTemplate({ store }: Context, issue: Issue, name: string): void {
  const { repository } = issue
  const template = issueTemplates(store.git, repository).find(one => one.name === name)
  const labels = template?.labels.flatMap(label => store.labels.find(repository, label) ?? [])
  const assignees = template?.assignees.flatMap(
    login => assignableUsers(repository).find(user => user.login === login) ?? [],
  )
  store.labels.attach(issue, labels ?? [])
  store.issues.assign(issue, assignees ?? [])
}

/** The given name, or one made from the issue's number and title. */
function branchName({ number, title }: Issue, { name }: G.CreateLinkedBranchInput): string {
  const words = title.toLowerCase().match(/[a-z0-9]+/g) ?? []
  return name || [number, ...words].join('-')
}

/** The published schema lacks the types of issues. */
interface Typed {
  issueTypeId?: string | null
}

/** Without triage rights GitHub ignores it. */
function typeNamed(context: Context, input: Typed, repository: Repository) {
  const { issueTypeId } = input
  if (issueTypeId === undefined || !may(context.principal, 'triage', repository)) return {}
  return { type: issueTypeId === null ? null : target(context, issueTypeId, 'IssueType') }
}
