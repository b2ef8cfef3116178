import type * as G from '@octokit/graphql-schema'
import { assignableUsers } from '../../store/access.ts'
import type { LockReason } from '../../store/entities.ts'
import type { Fields } from '../fields.ts'
import { target, triageable, writable } from './targets.ts'

const lockReasons: Record<G.LockReason, LockReason> = {
  OFF_TOPIC: 'off-topic',
  RESOLVED: 'resolved',
  SPAM: 'spam',
  TOO_HEATED: 'too heated',
}

/** Mutations that work the same on issues and pull requests. */
export const conversationMutations: Fields<unknown, G.Mutation> = {
  addAssigneesToAssignable(_root, { input }: G.MutationAddAssigneesToAssignableArgs, context) {
    const assignable = triageable(context, input.assignableId, 'Issue', 'PullRequest')
    const allowed = assignableUsers(assignable.repository)
    const users = input.assigneeIds.map(id => target(context, id, 'User'))
    const assigned = users.filter(user => allowed.includes(user))
    context.store.issues.assign(assignable, assigned)
    return { assignable }
  },

  removeAssigneesFromAssignable(
    _root,
    { input }: G.MutationRemoveAssigneesFromAssignableArgs,
    context,
  ) {
    const assignable = triageable(context, input.assignableId, 'Issue', 'PullRequest')
    const users = input.assigneeIds.map(id => target(context, id, 'User'))
    context.store.issues.unassign(assignable, users)
    return { assignable }
  },

  lockLockable(_root, { input }: G.MutationLockLockableArgs, context) {
    const lockedRecord = writable(context, input.lockableId, 'Issue', 'PullRequest')
    context.store.issues.lock(lockedRecord, input.lockReason ? lockReasons[input.lockReason] : null)
    return { lockedRecord, actor: context.viewer }
  },

  unlockLockable(_root, { input }: G.MutationUnlockLockableArgs, context) {
    const unlockedRecord = writable(context, input.lockableId, 'Issue', 'PullRequest')
    context.store.issues.unlock(unlockedRecord)
    return { unlockedRecord, actor: context.viewer }
  },
}
