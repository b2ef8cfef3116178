import type * as G from '@octokit/graphql-schema'
import { requireTriage } from '../../store/access.ts'
import type { Issue } from '../../store/entities.ts'
import { notFound } from '../errors.ts'
import type { Context, Fields } from '../fields.ts'
import { target } from './targets.ts'

/** Mutations that the published types do not have yet. */
type Newer = 'addSubIssue' | 'removeSubIssue' | 'addBlockedBy' | 'removeBlockedBy'

interface Input<Fields> {
  input: { clientMutationId?: string | null; issueId: string } & Fields
}

type AddSubIssue = Input<{ subIssueId?: string | null; replaceParent?: boolean | null }>
type RemoveSubIssue = Input<{ subIssueId: string }>
type Dependency = Input<{ blockingIssueId: string }>

export const relationMutations: Fields<unknown, G.Mutation, Newer> = {
  addSubIssue(_root, { input }: AddSubIssue, context) {
    const issue = editable(context, input.issueId)
    if (!input.subIssueId) throw notFound('an issue by its URL, which the sandbox does not model')
    const subIssue = target(context, input.subIssueId, 'Issue')
    context.store.relations.addSubIssue(issue, subIssue, input.replaceParent ?? false)
    return { clientMutationId: input.clientMutationId, issue, subIssue }
  },

  removeSubIssue(_root, { input }: RemoveSubIssue, context) {
    const issue = editable(context, input.issueId)
    const subIssue = target(context, input.subIssueId, 'Issue')
    context.store.relations.removeSubIssue(issue, subIssue)
    return { clientMutationId: input.clientMutationId, issue, subIssue }
  },

  addBlockedBy(_root, { input }: Dependency, context) {
    const issue = editable(context, input.issueId)
    const blockingIssue = target(context, input.blockingIssueId, 'Issue')
    context.store.relations.addBlocker(issue, blockingIssue)
    return { clientMutationId: input.clientMutationId, issue, blockingIssue }
  },

  removeBlockedBy(_root, { input }: Dependency, context) {
    const issue = editable(context, input.issueId)
    const blockingIssue = target(context, input.blockingIssueId, 'Issue')
    context.store.relations.removeBlocker(issue, blockingIssue)
    return { clientMutationId: input.clientMutationId, issue, blockingIssue }
  },
}

function editable(context: Context, id: string): Issue {
  const issue = target(context, id, 'Issue')
  requireTriage(context.principal, issue.repository)
  return issue
}
