import { canSee } from '../store/access.ts'
import type { Issue } from '../store/entities.ts'
import { blockedBy } from '../store/relations.ts'
import { type Answer, issueOf, ok, type RestCall, type RouteTable } from './call.ts'
import { notFound } from './errors.ts'
import { fullIssueJson, issueJson } from './json/issue.ts'
import { paged } from './paging.ts'

export const relationRoutes: RouteTable = {
  'GET /repos/:owner/:repo/issues/:number/parent': getParent,
  'GET /repos/:owner/:repo/issues/:number/sub_issues': call => list(call, issueOf(call).subIssues),
  'GET /repos/:owner/:repo/issues/:number/dependencies/blocked_by': call =>
    list(call, issueOf(call).blockedBy),
  'GET /repos/:owner/:repo/issues/:number/dependencies/blocking': call =>
    list(call, blockedBy(issueOf(call))),
}

function getParent(call: RestCall): Answer {
  const { parent } = issueOf(call)
  if (!parent || !canSee(call.principal, parent.repository)) throw notFound()
  return ok(fullIssueJson(parent, call.origin))
}

function list(call: RestCall, issues: readonly Issue[]): Answer {
  const visible = issues.filter(issue => canSee(call.principal, issue.repository))
  return paged(call, visible, issue => issueJson(issue, call.origin))
}
