import type * as G from '@octokit/graphql-schema'
import type { IssueOrPull, Milestone } from '../store/entities.ts'
import { itemsOf } from '../store/milestones.ts'
import { pageUrl, paths } from '../urls.ts'
import { connection } from './connection.ts'
import type { Fields } from './fields.ts'

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
  issues: (milestone, args: G.MilestoneIssuesArgs, _context, info) =>
    connection(itemsOfKind(milestone, 'Issue'), args, info),
  pullRequests: (milestone, args: G.MilestonePullRequestsArgs, _context, info) =>
    connection(itemsOfKind(milestone, 'PullRequest'), args, info),
}

function itemsOfKind(milestone: Milestone, kind: IssueOrPull['kind']): IssueOrPull[] {
  return itemsOf(milestone).filter(item => item.kind === kind)
}
