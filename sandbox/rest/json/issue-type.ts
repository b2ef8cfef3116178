import type { IssueType } from '../../store/entities.ts'

export function issueTypeJson(type: IssueType) {
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
