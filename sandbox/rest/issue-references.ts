import { assignableUsers, may } from '../store/access.ts'
import type { IssueType, Label, Milestone, Repository, User } from '../store/entities.ts'
import { issueTypesOf } from '../store/issue-types.ts'
import { optionalNames, optionalText } from './body.ts'
import type { RestCall } from './call.ts'
import { invalidRequest, validationFailed } from './errors.ts'

interface References {
  labels?: Label[]
  assignees?: User[]
  milestone?: Milestone | null
  type?: IssueType | null
}

/**
 * The labels, assignees and milestone that a body names. Without triage rights GitHub ignores them.
 * Missing labels are created last, so that a refused request changes nothing.
 */
export function namedIn(call: RestCall, repository: Repository): References {
  const names = optionalNames(call.body, 'labels')
  const assignees = assigneesIn(call, repository)
  const milestone = milestoneIn(call, repository)
  const type = typeIn(call, repository)
  if (!may(call.principal, 'triage', repository)) return {}
  return {
    ...(names && { labels: call.store.labels.findOrAdd(repository, names) }),
    ...(assignees && { assignees }),
    ...(milestone !== undefined && { milestone }),
    ...(type !== undefined && { type }),
  }
}

function typeIn(call: RestCall, repository: Repository): IssueType | null | undefined {
  const name = optionalText(call.body, 'type')
  if (name === undefined || name === null) return name
  const type = issueTypesOf(repository).find(it => it.name.toLowerCase() === name.toLowerCase())
  if (type) return type
  throw validationFailed({ resource: 'Issue', field: 'type', code: 'invalid', value: name })
}

function assigneesIn(call: RestCall, repository: Repository): User[] | undefined {
  const allowed = assignableUsers(repository)
  return optionalNames(call.body, 'assignees')?.map(login => {
    const user = allowed.find(it => it.login.toLowerCase() === login.toLowerCase())
    if (user) return user
    throw validationFailed({ resource: 'Issue', field: 'assignees', code: 'invalid', value: login })
  })
}

function milestoneIn(call: RestCall, repository: Repository): Milestone | null | undefined {
  const number = call.body.milestone
  if (number === undefined || number === null) return number
  if (typeof number !== 'number') {
    throw invalidRequest(`For 'properties/milestone', ${JSON.stringify(number)} is not an integer.`)
  }
  const milestone = call.store.milestones.find(repository, number)
  if (milestone) return milestone
  throw validationFailed({ resource: 'Issue', field: 'milestone', code: 'invalid', value: number })
}
