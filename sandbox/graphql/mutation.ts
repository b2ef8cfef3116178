import type * as G from '@octokit/graphql-schema'
import type { Fields } from './fields.ts'
import { commentMutations } from './mutations/comment.ts'
import { conversationMutations } from './mutations/conversation.ts'
import { discussionMutations } from './mutations/discussion.ts'
import { followingMutations } from './mutations/following.ts'
import { gitMutations } from './mutations/git.ts'
import { issueMutations } from './mutations/issue.ts'
import { labelMutations } from './mutations/label.ts'
import { mergingMutations } from './mutations/merging.ts'
import { projectMutations } from './mutations/project.ts'
import { pullRequestMutations } from './mutations/pull-request.ts'
import { reactionMutations } from './mutations/reaction.ts'
import { relationMutations } from './mutations/relation.ts'
import { repositoryMutations } from './mutations/repository.ts'
import { reviewMutations } from './mutations/review.ts'
import { reviewCommentMutations } from './mutations/review-comment.ts'
import { vulnerabilityMutations } from './mutations/vulnerability.ts'

export const mutationFields: Fields<unknown, G.Mutation> = {
  ...issueMutations,
  ...pullRequestMutations,
  ...mergingMutations,
  ...commentMutations,
  ...labelMutations,
  ...projectMutations,
  ...repositoryMutations,
  ...gitMutations,
  ...reviewMutations,
  ...reviewCommentMutations,
  ...reactionMutations,
  ...discussionMutations,
  ...conversationMutations,
  ...relationMutations,
  ...followingMutations,
  ...vulnerabilityMutations,
}
