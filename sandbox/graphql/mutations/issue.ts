import type * as G from '@octokit/graphql-schema'
import { isGiven } from '../../given.ts'
import {
  requireAdmin,
  requireEditor,
  requireIssues,
  requireUnarchived,
} from '../../store/access.ts'
import type { StateReason } from '../../store/entities.ts'
import type { Fields } from '../fields.ts'
import { namedBy, target } from './targets.ts'

export const issueMutations: Fields<unknown, G.Mutation> = {
  createIssue(_root, { input }: G.MutationCreateIssueArgs, context) {
    const repository = target(context, input.repositoryId, 'Repository')
    requireUnarchived(repository)
    requireIssues(repository)
    const issue = context.store.issues.add(repository, {
      title: input.title,
      body: input.body ?? null,
      author: context.viewer,
      ...namedBy(context, input),
    })
    return { clientMutationId: input.clientMutationId, issue }
  },

  updateIssue(_root, { input }: G.MutationUpdateIssueArgs, context) {
    const issue = target(context, input.id, 'Issue')
    requireEditor(context.principal, issue)
    context.store.issues.update(issue, {
      ...(isGiven(input.title) && { title: input.title }),
      ...(isGiven(input.body) && { body: input.body }),
      ...namedBy(context, input),
    })
    if (input.state === 'CLOSED') context.store.issues.close(issue, context.viewer)
    if (input.state === 'OPEN') context.store.issues.reopen(issue)
    return { clientMutationId: input.clientMutationId, issue, actor: context.viewer }
  },

  deleteIssue(_root, { input }: G.MutationDeleteIssueArgs, context) {
    const issue = target(context, input.issueId, 'Issue')
    requireAdmin(context.principal, issue.repository)
    context.store.relations.forget(issue)
    context.store.issues.delete(issue)
    return { clientMutationId: input.clientMutationId, repository: issue.repository }
  },

  closeIssue(_root, { input }: G.MutationCloseIssueArgs, context) {
    const issue = target(context, input.issueId, 'Issue')
    requireEditor(context.principal, issue)
    const reason = input.stateReason?.toLowerCase() as StateReason | undefined
    context.store.issues.close(issue, context.viewer, { reason })
    return { clientMutationId: input.clientMutationId, issue }
  },

  reopenIssue(_root, { input }: G.MutationReopenIssueArgs, context) {
    const issue = target(context, input.issueId, 'Issue')
    requireEditor(context.principal, issue)
    context.store.issues.reopen(issue)
    return { clientMutationId: input.clientMutationId, issue }
  },
}
