import type * as G from '@octokit/graphql-schema'
import type { Label } from '../store/entities.ts'
import { itemsIn } from '../store/items.ts'
import { pageUrl, paths } from '../urls.ts'
import type { Fields } from './fields.ts'
import { itemConnections } from './item-connections.ts'

export const labelOrders: Record<G.LabelOrderField, (label: Label) => string | number> = {
  CREATED_AT: label => label.createdAt,
  NAME: label => label.name.toLowerCase(),
}

export const labelFields: Fields<Label, G.Label> = {
  id: label => label.nodeId,
  name: label => label.name,
  color: label => label.color,
  description: label => label.description,
  isDefault: label => label.isDefault,
  repository: label => label.repository,
  resourcePath: label => paths.label(label),
  url: label => pageUrl(paths.label(label)),
  createdAt: label => label.createdAt,
  updatedAt: label => label.updatedAt,
  ...itemConnections((label: Label) =>
    itemsIn(label.repository).filter(({ labels }) => labels.includes(label)),
  ),
}
