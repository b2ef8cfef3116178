import type { Label } from '../../store/entities.ts'
import { repositoryUrl } from './api-urls.ts'

export function labelJson(label: Label, origin: string) {
  return {
    id: label.databaseId,
    node_id: label.nodeId,
    url: `${repositoryUrl(label.repository, origin)}/labels/${encodeURIComponent(label.name)}`,
    name: label.name,
    color: label.color,
    default: label.isDefault,
    description: label.description,
  }
}
