import type * as G from '@octokit/graphql-schema'
import type { PullRequest } from '../store/entities.ts'
import { pullRequestsIn } from '../store/items.ts'
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
      position: placeOf(pull),
      state: 'QUEUED',
      pullRequest: pull,
    }
  )
}

/** 1 for the first in the queue of its base branch. */
function placeOf(pull: PullRequest): number {
  const queued = pullRequestsIn(pull.repository)
    .filter(other => other.queueEntry !== null && other.base.name === pull.base.name)
    .toSorted((one, other) => (timeOf(one) < timeOf(other) ? -1 : 1))
  return queued.indexOf(pull) + 1
}

function timeOf({ queueEntry }: PullRequest): string {
  return queueEntry?.enqueuedAt ?? ''
}
