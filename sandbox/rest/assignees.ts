import { assignableUsers, requireTriage } from '../store/access.ts'
import type { User } from '../store/entities.ts'
import { optionalNames } from './body.ts'
import {
  type Answer,
  itemFor,
  noContent,
  ok,
  type RestCall,
  type RouteTable,
  repositoryOf,
} from './call.ts'
import { notFound } from './errors.ts'
import { fullIssueJson } from './json/issue.ts'

export const assigneeRoutes: RouteTable = {
  'GET /repos/:owner/:repo/assignees/:login': checkAssignee,
  'POST /repos/:owner/:repo/issues/:number/assignees': addAssignees,
  'DELETE /repos/:owner/:repo/issues/:number/assignees': removeAssignees,
}

function checkAssignee(call: RestCall): Answer {
  const wanted = call.params.login?.toLowerCase()
  const users = assignableUsers(repositoryOf(call))
  if (!users.some(({ login }) => login.toLowerCase() === wanted)) throw notFound()
  return noContent()
}

/** Users who cannot be assigned are ignored. */
function addAssignees(call: RestCall): Answer {
  const item = itemFor(call, requireTriage)
  call.store.issues.assign(item, named(call, assignableUsers(item.repository)))
  return { status: 201, body: fullIssueJson(item, call.origin) }
}

function removeAssignees(call: RestCall): Answer {
  const item = itemFor(call, requireTriage)
  call.store.issues.unassign(item, named(call, item.assignees))
  return ok(fullIssueJson(item, call.origin))
}

function named(call: RestCall, users: readonly User[]): User[] {
  const names = optionalNames(call.body, 'assignees') ?? []
  const wanted = new Set(names.map(name => name.toLowerCase()))
  return users.filter(user => wanted.has(user.login.toLowerCase()))
}
