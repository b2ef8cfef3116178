import { issueTypesOf } from '../store/issue-types.ts'
import { ok, type RouteTable, repositoryOf } from './call.ts'
import { issueTypeJson } from './json/issue-type.ts'

export const issueTypeRoutes: RouteTable = {
  // GitHub does not page this short list.
  'GET /repos/:owner/:repo/issue-types': call =>
    ok(issueTypesOf(repositoryOf(call)).map(issueTypeJson)),
}
