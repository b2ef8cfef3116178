import type * as G from '@octokit/graphql-schema'
import { requireCommentEditor, requireUnarchived } from '../../store/access.ts'
import type { IssueComment } from '../../store/entities.ts'
import { edge } from '../connection.ts'
import type { Context, Fields } from '../fields.ts'
import { target } from './targets.ts'

export const commentMutations: Fields<unknown, G.Mutation> = {
  addComment(_root, { input }: G.MutationAddCommentArgs, context) {
    const subject = target(context, input.subjectId, 'Issue', 'PullRequest')
    requireUnarchived(subject.repository)
    const comment = context.store.comments.add(subject, {
      author: context.viewer,
      body: input.body,
    })
    return { commentEdge: edge(comment), subject }
  },

  updateIssueComment(_root, { input }: G.MutationUpdateIssueCommentArgs, context) {
    const issueComment = editableComment(context, input.id)
    context.store.comments.update(issueComment, input.body)
    return { issueComment }
  },

  deleteIssueComment(_root, { input }: G.MutationDeleteIssueCommentArgs, context) {
    context.store.comments.delete(editableComment(context, input.id))
    return {}
  },
}

function editableComment(context: Context, id: string): IssueComment {
  const comment = target(context, id, 'IssueComment')
  requireCommentEditor(context.principal, comment)
  return comment
}
