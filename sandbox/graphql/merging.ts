import type * as G from '@octokit/graphql-schema'
import type { PullRequest } from '../store/entities.ts'
import { rulesFor } from '../store/merge-rules.ts'
import { mergeableOf, mergeStateOf } from '../store/merge-state.ts'
import type { Fields } from './fields.ts'

/** Mergeability, merge queue and auto-merge of a pull request. */
export const mergingFields: Fields<PullRequest, G.PullRequest> = {
  mergeable: mergeableOf,
  mergeStateStatus: mergeStateOf,
  isInMergeQueue: pull => pull.queueEntry !== null,
  isMergeQueueEnabled: pull => rulesFor(pull).hasMergeQueue ?? false,
  mergeQueueEntry: entryOf,
  autoMergeRequest: pull =>
    pull.autoMerge && {
      authorEmail: pull.autoMerge.enabledBy.email,
      commitHeadline: null,
      commitBody: null,
      enabledAt: pull.autoMerge.enabledAt,
      enabledBy: pull.autoMerge.enabledBy,
      mergeMethod: pull.autoMerge.method.toUpperCase(),
      pullRequest: pull,
    },
}

export function entryOf(pull: PullRequest) {
  return (
    pull.queueEntry && {
      enqueuedAt: pull.queueEntry.enqueuedAt,
      enqueuer: pull.queueEntry.enqueuer,
      jump: false,
      solo: false,
      state: 'QUEUED',
      pullRequest: pull,
    }
  )
}
