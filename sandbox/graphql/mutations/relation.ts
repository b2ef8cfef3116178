import type * as G from '@octokit/graphql-schema'
import { notFound } from '../errors.ts'
import type { Fields } from '../fields.ts'
import { target, triageable } from './targets.ts'

/** Mutations that the published types do not have yet. */
type Newer = 'addSubIssue' | 'removeSubIssue' | 'addBlockedBy' | 'removeBlockedBy'

interface Input<Fields> {
  input: { issueId: string } & Fields
}

type AddSubIssue = Input<{ subIssueId?: string | null; replaceParent?: boolean | null }>
type RemoveSubIssue = Input<{ subIssueId: string }>
type Dependency = Input<{ blockingIssueId: string }>

export const relationMutations: Fields<unknown, G.Mutation, Newer> = {
  addSubIssue(_root, { input }: AddSubIssue, context) {
    const issue = triageable(context, input.issueId, 'Issue')
    if (!input.subIssueId) throw notFound('an issue by its URL, which the sandbox does not model')
    const subIssue = target(context, input.subIssueId, 'Issue')
    context.store.relations.addSubIssue(issue, subIssue, input.replaceParent ?? false)
    return { issue, subIssue }
  },

  removeSubIssue(_root, { input }: RemoveSubIssue, context) {
    const issue = triageable(context, input.issueId, 'Issue')
    const subIssue = target(context, input.subIssueId, 'Issue')
    context.store.relations.removeSubIssue(issue, subIssue)
    return { issue, subIssue }
  },

  addBlockedBy(_root, { input }: Dependency, context) {
    const issue = triageable(context, input.issueId, 'Issue')
    const blockingIssue = target(context, input.blockingIssueId, 'Issue')
    context.store.relations.addBlocker(issue, blockingIssue)
    return { issue, blockingIssue }
  },

  removeBlockedBy(_root, { input }: Dependency, context) {
    const issue = triageable(context, input.issueId, 'Issue')
    const blockingIssue = target(context, input.blockingIssueId, 'Issue')
    context.store.relations.removeBlocker(issue, blockingIssue)
    return { issue, blockingIssue }
  },
}
