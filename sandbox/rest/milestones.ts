import { isGiven } from '../given.ts'
import { requireTriage } from '../store/access.ts'
import type { Milestone } from '../store/entities.ts'
import { sortedMilestones } from '../store/milestones.ts'
import { optionalText, requiredText } from './body.ts'
import {
  type Answer,
  created,
  noContent,
  numberIn,
  ok,
  type RestCall,
  type RouteTable,
  repositoryOf,
} from './call.ts'
import { choiceIn } from './choice.ts'
import { notFound, validationFailed } from './errors.ts'
import { milestoneJson } from './json/milestone.ts'
import { paged } from './paging.ts'

export const milestoneRoutes: RouteTable = {
  'GET /repos/:owner/:repo/milestones': listMilestones,
  'POST /repos/:owner/:repo/milestones': createMilestone,
  'GET /repos/:owner/:repo/milestones/:number': call =>
    ok(milestoneJson(milestoneOf(call), call.origin)),
  'PATCH /repos/:owner/:repo/milestones/:number': updateMilestone,
  'DELETE /repos/:owner/:repo/milestones/:number': deleteMilestone,
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

function milestoneOf(call: RestCall): Milestone {
  const milestone = call.store.milestones.find(repositoryOf(call), numberIn(call.params.number))
  if (!milestone) throw notFound()
  return milestone
}

function createMilestone(call: RestCall): Answer {
  const repository = repositoryOf(call)
  requireTriage(call.principal, repository)
  const milestone = call.store.milestones.add(repository, {
    title: requiredText(call.body, 'title'),
    creator: call.viewer,
    description: optionalText(call.body, 'description') ?? null,
    dueOn: optionalText(call.body, 'due_on') ?? null,
  })
  const answer = milestoneJson(milestone, call.origin)
  return created(answer, answer.url)
}

function updateMilestone(call: RestCall): Answer {
  const milestone = milestoneOf(call)
  requireTriage(call.principal, milestone.repository)
  const title = optionalText(call.body, 'title')
  const description = optionalText(call.body, 'description')
  const dueOn = optionalText(call.body, 'due_on')
  const { state } = call.body
  if (isGiven(state) && state !== 'open' && state !== 'closed') {
    throw validationFailed({ resource: 'Milestone', field: 'state', code: 'invalid' })
  }
  call.store.milestones.update(milestone, {
    ...(isGiven(title) && { title }),
    ...(description !== undefined && { description }),
    ...(dueOn !== undefined && { dueOn }),
    ...(isGiven(state) && { state }),
  })
  return ok(milestoneJson(milestone, call.origin))
}

function deleteMilestone(call: RestCall): Answer {
  const milestone = milestoneOf(call)
  requireTriage(call.principal, milestone.repository)
  call.store.milestones.delete(milestone)
  return noContent()
}
