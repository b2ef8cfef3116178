import { isGiven } from '../given.ts'
import { requireLocker } from '../store/access.ts'
import type { IssueOrPull, LockReason } from '../store/entities.ts'
import { optionalText } from './body.ts'
import { type Answer, itemOf, noContent, type RestCall, type RouteTable } from './call.ts'
import { validationFailed } from './errors.ts'

const reasons: readonly string[] = [
  'off-topic',
  'too heated',
  'resolved',
  'spam',
] satisfies LockReason[]

export const lockRoutes: RouteTable = {
  'PUT /repos/:owner/:repo/issues/:number/lock': lock,
  'DELETE /repos/:owner/:repo/issues/:number/lock': unlock,
}

function lock(call: RestCall): Answer {
  const item = lockable(call)
  call.store.issues.lock(item, reasonIn(call))
  return noContent()
}

function unlock(call: RestCall): Answer {
  call.store.issues.unlock(lockable(call))
  return noContent()
}

function lockable(call: RestCall): IssueOrPull {
  const item = itemOf(call)
  requireLocker(call.principal, item.repository)
  return item
}

function reasonIn({ body }: RestCall): LockReason | null {
  const reason = optionalText(body, 'lock_reason')
  if (!isGiven(reason)) return null
  if (reasons.includes(reason)) return reason as LockReason
  throw validationFailed({
    resource: 'Issue',
    field: 'lock_reason',
    code: 'invalid',
    value: reason,
  })
}
