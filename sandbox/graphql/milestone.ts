import type * as G from '@octokit/graphql-schema'
import type { Milestone } from '../store/entities.ts'
import { itemsOf } from '../store/milestones.ts'
import { pageUrl, paths } from '../urls.ts'
import type { Fields } from './fields.ts'
import { itemConnections } from './item-connections.ts'

export const milestoneFields: Fields<Milestone, G.Milestone> = {
  id: milestone => milestone.nodeId,
  number: milestone => milestone.number,
  title: milestone => milestone.title,
  description: milestone => milestone.description,
  state: milestone => milestone.state.toUpperCase(),
  closed: milestone => milestone.state === 'closed',
  closedAt: milestone => milestone.closedAt,
  dueOn: milestone => milestone.dueOn,
  creator: milestone => milestone.creator,
  repository: milestone => milestone.repository,
  url: milestone => pageUrl(paths.milestone(milestone)),
  resourcePath: milestone => paths.milestone(milestone),
  createdAt: milestone => milestone.createdAt,
  updatedAt: milestone => milestone.updatedAt,
  ...itemConnections(itemsOf),
}
