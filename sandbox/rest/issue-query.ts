import type { IssueOrPull, Repository } from '../store/entities.ts'
import {
  type ItemFilter,
  isAssignedTo,
  isInMilestone,
  isLabelled,
  isOfType,
  isOpenedBy,
  isUpdatedSince,
  mentions,
} from '../store/item-filters.ts'
import { sortedBy } from '../store/order.ts'
import { numberIn, type RestCall } from './call.ts'
import { choiceIn } from './choice.ts'
import { validationFailed } from './errors.ts'

type Query = RestCall['query']

/** The filters of `GET /repos/:owner/:repo/issues`, by query parameter. */
const filters: Record<string, ItemFilter> = {
  state: (item, wanted) => wanted === 'all' || item.state === wanted,
  labels: (item, wanted) => wanted.split(/ *, */).every(name => isLabelled(item, name)),
  since: isUpdatedSince,
  creator: isOpenedBy,
  assignee: (item, wanted) =>
    wanted === 'none' ? !isAssignedTo(item, '*') : isAssignedTo(item, wanted),
  mentioned: mentions,
  type: (item, wanted) => (wanted === 'none' ? !isOfType(item, '*') : isOfType(item, wanted)),
  milestone: (item, wanted) =>
    wanted === 'none' ? !isInMilestone(item, '*') : isInMilestone(item, wanted),
}

const sortKeys = {
  created: item => item.createdAt,
  updated: item => item.updatedAt,
  comments: item => item.comments.length,
} satisfies Record<string, (item: IssueOrPull) => string | number>

export function matchesQuery(item: IssueOrPull, query: Query): boolean {
  const state = choiceIn(query, 'Issue', 'state', ['open', 'closed', 'all'])
  return Object.entries({ ...query, state }).every(([name, value]) => {
    const test = Object.hasOwn(filters, name) ? filters[name] : undefined
    return value === undefined || !test || test(item, value)
  })
}

/** Newest first by default. Equal values sort by number, in the same direction. */
export function sortedByQuery<Item extends IssueOrPull>(items: Item[], query: Query): Item[] {
  const sort = choiceIn(query, 'Issue', 'sort', ['created', 'updated', 'comments'])
  const direction = choiceIn(query, 'Issue', 'direction', ['desc', 'asc'])
  return sortedBy(items, sortKeys[sort], direction, ({ number }) => number)
}

/** GitHub refuses people and milestones that do not exist. */
export function checkNames({ query, store }: RestCall, repository: Repository): void {
  const refuse = (field: string) =>
    validationFailed({ resource: 'Issue', field, code: 'invalid', value: query[field] })
  for (const field of ['assignee', 'creator', 'mentioned'] as const) {
    const login = query[field]
    if (login === undefined || (field === 'assignee' && isWildcard(login))) continue
    if (!store.accounts.find(login)) throw refuse(field)
  }
  const { milestone } = query
  if (milestone === undefined || isWildcard(milestone)) return
  if (!store.milestones.find(repository, numberIn(milestone))) throw refuse('milestone')
}

function isWildcard(name: string): boolean {
  return name === '*' || name === 'none'
}
