import type { Milestone } from '../../store/entities.ts'
import { itemsOf } from '../../store/milestones.ts'
import { pageUrl, paths } from '../../urls.ts'
import { accountJson } from './account.ts'
import { repositoryUrl } from './api-urls.ts'

export function milestoneJson(milestone: Milestone, origin: string) {
  const url = `${repositoryUrl(milestone.repository, origin)}/milestones/${milestone.number}`
  const items = itemsOf(milestone)
  return {
    url,
    html_url: pageUrl(paths.milestone(milestone)),
    labels_url: `${url}/labels`,
    id: milestone.databaseId,
    node_id: milestone.nodeId,
    number: milestone.number,
    title: milestone.title,
    description: milestone.description,
    creator: accountJson(milestone.creator, origin),
    open_issues: items.filter(item => item.state === 'open').length,
    closed_issues: items.filter(item => item.state === 'closed').length,
    state: milestone.state,
    created_at: milestone.createdAt,
    updated_at: milestone.updatedAt,
    due_on: milestone.dueOn,
    closed_at: milestone.closedAt,
  }
}
