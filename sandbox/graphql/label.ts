import type * as G from '@octokit/graphql-schema'
import type { IssueOrPull, Label } from '../store/entities.ts'
import { itemsIn } from '../store/items.ts'
import { pageUrl, paths } from '../urls.ts'
import { connection } from './connection.ts'
import type { Fields } from './fields.ts'

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
  issues: (label, args: G.LabelIssuesArgs, _context, info) =>
    connection(itemsWith(label, 'Issue'), args, info),
  pullRequests: (label, args: G.LabelPullRequestsArgs, _context, info) =>
    connection(itemsWith(label, 'PullRequest'), args, info),
}

function itemsWith(label: Label, kind: IssueOrPull['kind']): IssueOrPull[] {
  return itemsIn(label.repository).filter(item => item.kind === kind && item.labels.includes(label))
}
