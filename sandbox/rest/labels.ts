import { isGiven } from '../given.ts'
import { requireTriage } from '../store/access.ts'
import type { IssueOrPull, Label } from '../store/entities.ts'
import { optionalNames, optionalText, requiredText } from './body.ts'
import {
  type Answer,
  created,
  itemFor,
  itemOf,
  noContent,
  ok,
  type RestCall,
  type RouteTable,
  repositoryOf,
} from './call.ts'
import { invalidRequest, notFound, RestError } from './errors.ts'
import { labelJson } from './json/label.ts'
import { paged } from './paging.ts'

export const labelRoutes: RouteTable = {
  'GET /repos/:owner/:repo/labels': call => listLabels(call, byName(repositoryOf(call).labels)),
  'POST /repos/:owner/:repo/labels': createLabel,
  'GET /repos/:owner/:repo/labels/:name': call => ok(labelJson(labelOf(call), call.origin)),
  'PATCH /repos/:owner/:repo/labels/:name': updateLabel,
  'DELETE /repos/:owner/:repo/labels/:name': deleteLabel,
  'GET /repos/:owner/:repo/issues/:number/labels': call => listLabels(call, itemOf(call).labels),
  'POST /repos/:owner/:repo/issues/:number/labels': addLabels,
  'PUT /repos/:owner/:repo/issues/:number/labels': setLabels,
  'DELETE /repos/:owner/:repo/issues/:number/labels': removeAllLabels,
  'DELETE /repos/:owner/:repo/issues/:number/labels/:name': removeLabel,
}

function listLabels(call: RestCall, labels: readonly Label[]): Answer {
  return paged(call, labels, label => labelJson(label, call.origin))
}

function labelOf(call: RestCall): Label {
  const label = call.store.labels.find(repositoryOf(call), call.params.name ?? '')
  if (!label) throw notFound()
  return label
}

function updateLabel(call: RestCall): Answer {
  const label = labelOf(call)
  requireTriage(call.principal, label.repository)
  const name = optionalText(call.body, 'new_name')
  const color = optionalText(call.body, 'color')
  const description = optionalText(call.body, 'description')
  call.store.labels.update(label, {
    ...(isGiven(name) && { name }),
    ...(isGiven(color) && { color }),
    ...(description !== undefined && { description }),
  })
  return ok(labelJson(label, call.origin))
}

function deleteLabel(call: RestCall): Answer {
  const label = labelOf(call)
  requireTriage(call.principal, label.repository)
  call.store.labels.delete(label)
  return noContent()
}

function createLabel(call: RestCall): Answer {
  const repository = repositoryOf(call)
  requireTriage(call.principal, repository)
  const color = optionalText(call.body, 'color')
  const label = call.store.labels.add(repository, {
    name: requiredText(call.body, 'name'),
    description: optionalText(call.body, 'description') ?? null,
    ...(isGiven(color) && { color }),
  })
  const answer = labelJson(label, call.origin)
  return created(answer, answer.url)
}

function addLabels(call: RestCall): Answer {
  const item = itemFor(call, requireTriage)
  call.store.labels.attach(item, namedLabels(call, item))
  return allLabels(call, item)
}

function setLabels(call: RestCall): Answer {
  const item = itemFor(call, requireTriage)
  call.store.labels.replace(item, namedLabels(call, item))
  return allLabels(call, item)
}

function removeAllLabels(call: RestCall): Answer {
  call.store.labels.replace(itemFor(call, requireTriage), [])
  return noContent()
}

function removeLabel(call: RestCall): Answer {
  const item = itemFor(call, requireTriage)
  const label = call.store.labels.find(item.repository, call.params.name ?? '')
  if (!label || !item.labels.includes(label)) throw new RestError(404, 'Label does not exist')
  call.store.labels.detach(item, [label])
  return allLabels(call, item)
}

function namedLabels(call: RestCall, item: IssueOrPull): Label[] {
  const names = optionalNames(call.body, 'labels')
  if (!names) throw invalidRequest('"labels" wasn\'t supplied.')
  return call.store.labels.findOrAdd(item.repository, names)
}

function allLabels(call: RestCall, item: IssueOrPull): Answer {
  return ok(item.labels.map(label => labelJson(label, call.origin)))
}

/** GitHub sorts a repository's labels by name. */
function byName(labels: readonly Label[]): Label[] {
  const key = ({ name }: Label) => name.toLowerCase()
  return labels.toSorted((a, b) => (key(a) < key(b) ? -1 : 1))
}
