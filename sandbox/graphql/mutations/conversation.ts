import type * as G from '@octokit/graphql-schema'
import { assignableUsers, requireTriage, requireWrite } from '../../store/access.ts'
import type { LockReason } from '../../store/entities.ts'
import type { Fields } from '../fields.ts'
import { issueOrPull, target } from './targets.ts'

const lockReasons: Record<G.LockReason, LockReason> = {
  OFF_TOPIC: 'off-topic',
  RESOLVED: 'resolved',
  SPAM: 'spam',
  TOO_HEATED: 'too heated',
}

/** Mutations that work the same on issues and pull requests. */
export const conversationMutations: Fields<unknown, G.Mutation> = {
  addAssigneesToAssignable(_root, { input }: G.MutationAddAssigneesToAssignableArgs, context) {
    const assignable = issueOrPull(context, input.assignableId)
    requireTriage(context.principal, assignable.repository)
    const allowed = assignableUsers(assignable.repository)
    const users = input.assigneeIds.map(id => target(context, id, 'User'))
    const assigned = users.filter(user => allowed.includes(user))
    context.store.issues.assign(assignable, assigned)
    return { clientMutationId: input.clientMutationId, assignable }
  },

  removeAssigneesFromAssignable(
    _root,
    { input }: G.MutationRemoveAssigneesFromAssignableArgs,
    context,
  ) {
    const assignable = issueOrPull(context, input.assignableId)
    requireTriage(context.principal, assignable.repository)
    const users = input.assigneeIds.map(id => target(context, id, 'User'))
    context.store.issues.unassign(assignable, users)
    return { clientMutationId: input.clientMutationId, assignable }
  },

  lockLockable(_root, { input }: G.MutationLockLockableArgs, context) {
    const lockedRecord = issueOrPull(context, input.lockableId)
    requireWrite(context.principal, lockedRecord.repository)
    context.store.issues.lock(lockedRecord, input.lockReason ? lockReasons[input.lockReason] : null)
    return { clientMutationId: input.clientMutationId, lockedRecord, actor: context.viewer }
  },

  unlockLockable(_root, { input }: G.MutationUnlockLockableArgs, context) {
    const unlockedRecord = issueOrPull(context, input.lockableId)
    requireWrite(context.principal, unlockedRecord.repository)
    context.store.issues.unlock(unlockedRecord)
    return { clientMutationId: input.clientMutationId, unlockedRecord, actor: context.viewer }
  },
}
