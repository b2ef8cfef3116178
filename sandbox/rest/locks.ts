import { isGiven } from '../given.ts'
import { requireWrite } from '../store/access.ts'
import type { LockReason } from '../store/entities.ts'
import { optionalText } from './body.ts'
import { type Answer, itemFor, noContent, type RestCall, type RouteTable } from './call.ts'
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
  const item = itemFor(call, requireWrite)
  call.store.issues.lock(item, reasonIn(call))
  return noContent()
}

function unlock(call: RestCall): Answer {
  call.store.issues.unlock(itemFor(call, requireWrite))
  return noContent()
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
