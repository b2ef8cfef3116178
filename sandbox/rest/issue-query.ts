import type { IssueOrPull } from '../store/entities.ts'
import { sortedBy } from '../store/order.ts'
import type { RestCall } from './call.ts'
import { choiceIn } from './choice.ts'

type Query = RestCall['query']
type Test = (item: IssueOrPull, wanted: string) => boolean

/** The filters of `GET /repos/:owner/:repo/issues`, by query parameter. */
const filters: Record<string, Test> = {
  state: (item, wanted) => wanted === 'all' || item.state === wanted,
  labels: (item, wanted) => wanted.split(',').every(name => hasLabel(item, name)),
  since: (item, wanted) => Date.parse(item.updatedAt) >= Date.parse(wanted),
  creator: (item, wanted) => item.author.login.toLowerCase() === wanted.toLowerCase(),
  assignee: (item, wanted) =>
    wanted === '*' || wanted === 'none'
      ? item.assignees.length > 0 === (wanted === '*')
      : item.assignees.some(user => user.login.toLowerCase() === wanted.toLowerCase()),
  mentioned: (item, wanted) => (item.body ?? '').includes(`@${wanted}`),
  milestone: (item, wanted) =>
    wanted === '*' || wanted === 'none'
      ? (item.milestone !== null) === (wanted === '*')
      : String(item.milestone?.number) === wanted,
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

function hasLabel(item: IssueOrPull, name: string): boolean {
  return item.labels.some(label => label.name.toLowerCase() === name.trim().toLowerCase())
}
