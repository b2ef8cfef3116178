import type { IssueOrPull } from '../store/entities.ts'
import type { RestCall } from './call.ts'
import { validationFailed } from './errors.ts'

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

const sortKeys: Record<string, (item: IssueOrPull) => string | number> = {
  created: item => item.createdAt,
  updated: item => item.updatedAt,
  comments: item => item.comments.length,
}

const choices = { state: ['open', 'closed', 'all'], direction: ['asc', 'desc'] }

export function matchesQuery(item: IssueOrPull, query: Query): boolean {
  const wanted = { ...query, state: choose(query, 'state', 'open') }
  return Object.entries(wanted).every(([name, value]) => {
    const test = Object.hasOwn(filters, name) ? filters[name] : undefined
    return value === undefined || !test || test(item, value)
  })
}

/** Newest first by default. Equal values sort by number, in the same direction. */
export function sortedBy<Item extends IssueOrPull>(items: Item[], query: Query): Item[] {
  const key = sortKeys[query.sort ?? 'created']
  if (!key) throw invalidChoice('sort', query.sort)
  const sign = choose(query, 'direction', 'desc') === 'asc' ? 1 : -1
  return items.toSorted((a, b) => {
    const [left, right] = [key(a), key(b)]
    if (left === right) return sign * (a.number - b.number)
    return left < right ? -sign : sign
  })
}

function choose(query: Query, name: keyof typeof choices, fallback: string): string {
  const value = query[name] ?? fallback
  if (!choices[name].includes(value)) throw invalidChoice(name, value)
  return value
}

function invalidChoice(field: string, value: string | undefined) {
  return validationFailed({ resource: 'Issue', field, code: 'invalid', value })
}

function hasLabel(item: IssueOrPull, name: string): boolean {
  return item.labels.some(label => label.name.toLowerCase() === name.trim().toLowerCase())
}
