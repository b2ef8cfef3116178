import type { IssueType } from '../store/entities.ts'
import { issueTypesOf } from '../store/issue-types.ts'
import { ok, type RouteTable, repositoryOf } from './call.ts'

export const issueTypeRoutes: RouteTable = {
  // GitHub does not page this short list.
  'GET /repos/:owner/:repo/issue-types': call =>
    ok(issueTypesOf(repositoryOf(call)).map(issueTypeJson)),
}

function issueTypeJson(type: IssueType) {
  return {
    id: type.databaseId,
    node_id: type.nodeId,
    name: type.name,
    description: type.description,
    color: type.color,
    created_at: type.createdAt,
    updated_at: type.updatedAt,
    is_enabled: type.isEnabled,
  }
}
