import type * as G from '@octokit/graphql-schema'
import { requireCommentEditor, requireUnarchived } from '../../store/access.ts'
import { edge } from '../connection.ts'
import type { Fields } from '../fields.ts'
import { issueOrPull, target } from './targets.ts'

export const commentMutations: Fields<unknown, G.Mutation> = {
  addComment(_root, { input }: G.MutationAddCommentArgs, context) {
    const subject = issueOrPull(context, input.subjectId)
    requireUnarchived(subject.repository)
    const comment = context.store.comments.add(subject, {
      author: context.viewer,
      body: input.body,
    })
    return { clientMutationId: input.clientMutationId, commentEdge: edge(comment), subject }
  },

  updateIssueComment(_root, { input }: G.MutationUpdateIssueCommentArgs, context) {
    const issueComment = target(context, input.id, 'IssueComment')
    requireCommentEditor(context.principal, issueComment)
    context.store.comments.update(issueComment, input.body)
    return { clientMutationId: input.clientMutationId, issueComment }
  },

  deleteIssueComment(_root, { input }: G.MutationDeleteIssueCommentArgs, context) {
    const comment = target(context, input.id, 'IssueComment')
    requireCommentEditor(context.principal, comment)
    context.store.comments.delete(comment)
    return { clientMutationId: input.clientMutationId }
  },
}
