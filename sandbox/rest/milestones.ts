import type { Milestone } from '../store/entities.ts'
import { sortedMilestones } from '../store/milestones.ts'
import { type Answer, numberIn, ok, type RestCall, type RouteTable, repositoryOf } from './call.ts'
import { choiceIn } from './choice.ts'
import { notFound } from './errors.ts'
import { milestoneJson } from './json/milestone.ts'
import { paged } from './paging.ts'

export const milestoneRoutes: RouteTable = {
  'GET /repos/:owner/:repo/milestones': listMilestones,
  'GET /repos/:owner/:repo/milestones/:number': getMilestone,
}

function listMilestones(call: RestCall): Answer {
  const state = choiceIn(call.query, 'Milestone', 'state', ['open', 'closed', 'all'])
  const sort = choiceIn(call.query, 'Milestone', 'sort', ['due_on', 'completeness'])
  const direction = choiceIn(call.query, 'Milestone', 'direction', ['asc', 'desc'])
  const wanted = repositoryOf(call).milestones.filter(it => state === 'all' || it.state === state)
  const key = sort === 'due_on' ? 'DUE_DATE' : 'COMPLETENESS'
  const sorted = sortedMilestones(wanted, key, direction)
  return paged(call, sorted, milestone => milestoneJson(milestone, call.origin))
}

function getMilestone(call: RestCall): Answer {
  const number = numberIn(call.params.number)
  const milestone: Milestone | undefined = call.store.milestones.find(repositoryOf(call), number)
  if (!milestone) throw notFound()
  return ok(milestoneJson(milestone, call.origin))
}
