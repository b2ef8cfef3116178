import { isGiven } from '../given.ts'
import { requireEditor, requireIssues, requireUnarchived } from '../store/access.ts'
import type { IssueOrPull, StateReason } from '../store/entities.ts'
import { type ConversationChanges, checkTexts } from '../store/issues.ts'
import { itemsIn } from '../store/items.ts'
import { optionalText, requiredText } from './body.ts'
import {
  type Answer,
  created,
  itemOf,
  ok,
  type RestCall,
  type RouteTable,
  repositoryOf,
} from './call.ts'
import { validationFailed } from './errors.ts'
import { checkNames, matchesQuery, sortedByQuery } from './issue-query.ts'
import { namedIn } from './issue-references.ts'
import { fullIssueJson, issueJson } from './json/issue.ts'
import { paged } from './paging.ts'

export const issueRoutes: RouteTable = {
  'GET /repos/:owner/:repo/issues': listIssues,
  'POST /repos/:owner/:repo/issues': createIssue,
  'GET /repos/:owner/:repo/issues/:number': getIssue,
  'PATCH /repos/:owner/:repo/issues/:number': updateIssue,
}

/** As on GitHub, the list includes pull requests, even if issues are disabled. */
function listIssues(call: RestCall): Answer {
  const repository = repositoryOf(call)
  checkNames(call, repository)
  const items = itemsIn(repository)
    .filter(item => item.kind === 'PullRequest' || repository.hasIssues)
    .filter(item => matchesQuery(item, call.query))
  return paged(call, sortedByQuery(items, call.query), item => issueJson(item, call.origin))
}

function getIssue(call: RestCall): Answer {
  const item = itemOf(call)
  if (item.kind === 'Issue') requireIssues(item.repository)
  return ok(fullIssueJson(item, call.origin))
}

function createIssue(call: RestCall): Answer {
  const repository = repositoryOf(call)
  requireUnarchived(repository)
  requireIssues(repository)
  const texts = {
    title: requiredText(call.body, 'title'),
    body: optionalText(call.body, 'body') ?? null,
  }
  checkTexts(texts)
  const references = namedIn(call, repository)
  const issue = call.store.issues.add(repository, {
    ...texts,
    ...references,
    author: call.viewer,
  })
  const answer = fullIssueJson(issue, call.origin)
  return created(answer, answer.url)
}

function updateIssue(call: RestCall): Answer {
  const item = itemOf(call)
  requireEditor(call.principal, item)
  const state = stateIn(call)
  const reason = reasonIn(call)
  call.store.issues.update(item, changesIn(call, item))
  if (state === 'closed') call.store.issues.close(item, call.viewer, { reason })
  if (state === 'open') call.store.issues.reopen(item)
  return ok(fullIssueJson(item, call.origin))
}

function changesIn(call: RestCall, item: IssueOrPull): ConversationChanges {
  const title = optionalText(call.body, 'title')
  const body = optionalText(call.body, 'body')
  const texts = { ...(isGiven(title) && { title }), ...(body !== undefined && { body }) }
  checkTexts(texts)
  return { ...texts, ...namedIn(call, item.repository) }
}

function stateIn({ body }: RestCall): 'open' | 'closed' | undefined {
  const state = optionalText(body, 'state')
  if (!isGiven(state) || state === 'open' || state === 'closed') return state ?? undefined
  throw validationFailed({ resource: 'Issue', field: 'state', code: 'invalid', value: state })
}

function reasonIn({ body }: RestCall): StateReason | undefined {
  const reason = optionalText(body, 'state_reason')
  if (!isGiven(reason) || reason === 'completed' || reason === 'not_planned')
    return reason ?? undefined
  if (reason === 'duplicate' || reason === 'reopened') return reason
  throw validationFailed({
    resource: 'Issue',
    field: 'state_reason',
    code: 'invalid',
    value: reason,
  })
}
