import type * as G from '@octokit/graphql-schema'
import { requireUnarchived } from '../../store/access.ts'
import { edge } from '../connection.ts'
import type { Fields } from '../fields.ts'
import { issueOrPull } from './targets.ts'

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
}
