import type { Milestone } from '../store/entities.ts'
import { sortedMilestones } from '../store/milestones.ts'
import { type Answer, numberIn, ok, type RestCall, type RouteTable, repositoryOf } from './call.ts'
import { notFound, validationFailed } from './errors.ts'
import { milestoneJson } from './json/milestone.ts'
import { paged } from './paging.ts'

export const milestoneRoutes: RouteTable = {
  'GET /repos/:owner/:repo/milestones': listMilestones,
  'GET /repos/:owner/:repo/milestones/:number': getMilestone,
}

const choices = {
  state: ['open', 'closed', 'all'],
  sort: ['due_on', 'completeness'],
  direction: ['asc', 'desc'],
}

function listMilestones(call: RestCall): Answer {
  const state = choose(call, 'state')
  const key = choose(call, 'sort') === 'due_on' ? 'DUE_DATE' : 'COMPLETENESS'
  const wanted = repositoryOf(call).milestones.filter(it => state === 'all' || it.state === state)
  const sorted = sortedMilestones(wanted, key, choose(call, 'direction') === 'desc')
  return paged(call, sorted, milestone => milestoneJson(milestone, call.origin))
}

function getMilestone(call: RestCall): Answer {
  const number = numberIn(call.params.number)
  const milestone: Milestone | undefined = call.store.milestones.find(repositoryOf(call), number)
  if (!milestone) throw notFound()
  return ok(milestoneJson(milestone, call.origin))
}

function choose({ query }: RestCall, field: keyof typeof choices): string {
  const value = query[field] ?? choices[field][0] ?? ''
  if (choices[field].includes(value)) return value
  throw validationFailed({ resource: 'Milestone', field, code: 'invalid', value })
}
