import { requireWrite } from '../store/access.ts'
import type { StatusState } from '../store/actions/entities.ts'
import { optionalText, requiredText } from './body.ts'
import { type Answer, created, type RestCall, type RouteTable, repositoryOf } from './call.ts'
import { invalidRequest, RestError } from './errors.ts'
import { statusJson } from './json/check.ts'

export const statusRoutes: RouteTable = {
  'POST /repos/:owner/:repo/statuses/:sha': createStatus,
}

const STATES: readonly StatusState[] = ['error', 'failure', 'pending', 'success']

function createStatus(call: RestCall): Answer {
  const repository = repositoryOf(call)
  requireWrite(call.principal, repository)
  const { sha = '' } = call.params
  if (call.store.git.of(repository).objects.get(sha)?.type !== 'commit') {
    throw new RestError(422, `No commit found for SHA: ${sha}`)
  }
  const wanted = requiredText(call.body, 'state')
  const state = STATES.find(it => it === wanted)
  if (!state) throw invalidRequest(`For 'properties/state', "${wanted}" is not a known state.`)
  const status = call.store.checks.addStatus(repository, {
    sha,
    state,
    creator: call.viewer,
    context: optionalText(call.body, 'context') ?? 'default',
    description: optionalText(call.body, 'description') ?? null,
    targetUrl: optionalText(call.body, 'target_url') ?? null,
  })
  const answer = statusJson(status, call.origin)
  return created(answer, answer.url)
}
