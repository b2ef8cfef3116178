import { canSeeNode } from '../store/access.ts'
import type { Account } from '../store/entities.ts'
import { canSeeProject, requireProjectWriter } from '../store/project-access.ts'
import type { ProjectItem, ProjectV2 } from '../store/project-entities.ts'
import { requiredText } from './body.ts'
import {
  type Answer,
  created,
  noContent,
  numberIn,
  ok,
  type RestCall,
  type RouteTable,
} from './call.ts'
import { invalidRequest, notFound } from './errors.ts'
import { projectFieldJson, projectItemJson, projectJson } from './json/project.ts'
import { pagedByCursor } from './paging.ts'

/** The endpoints are the same below `/orgs/…` and `/users/…`. */
export const projectRoutes: RouteTable = { ...routesOf('orgs'), ...routesOf('users') }

function routesOf(kind: 'orgs' | 'users'): RouteTable {
  const path = `/${kind}/:owner/projectsV2/:project` as const
  const owners = kind === 'orgs' ? 'Organization' : 'User'
  const projectIn = (call: RestCall) => projectOf(call, owners)
  return {
    [`GET /${kind}/:owner/projectsV2`]: (call: RestCall) => listProjects(call, owners),
    [`GET ${path}`]: (call: RestCall) => ok(projectJson(projectIn(call), call.origin)),
    [`GET ${path}/fields`]: (call: RestCall) =>
      pagedByCursor(call, projectIn(call).fields, it => projectFieldJson(it, call.origin)),
    [`GET ${path}/items`]: (call: RestCall) =>
      pagedByCursor(call, projectIn(call).items, it => projectItemJson(it, call)),
    [`POST ${path}/items`]: (call: RestCall) => addItem(call, projectIn(call)),
    [`DELETE ${path}/items/:item`]: (call: RestCall) => removeItem(call, projectIn(call)),
  }
}

/** In the order of the GraphQL API. */
function listProjects(call: RestCall, kind: Account['kind']): Answer {
  const owner = call.store.accounts.find(call.params.owner ?? '')
  if (owner?.kind !== kind) throw notFound()
  if (call.query.q) throw new Error('sandbox: searching for projects is not modelled')
  const visible = call.store.projects.of(owner).filter(it => canSeeProject(call.principal, it))
  return pagedByCursor(call, visible.toReversed(), it => projectJson(it, call.origin))
}

function projectOf({ store, params, principal }: RestCall, kind: Account['kind']) {
  const owner = store.accounts.find(params.owner ?? '')
  const project =
    owner?.kind === kind ? store.projects.find(owner, numberIn(params.project)) : undefined
  if (!project || !canSeeProject(principal, project)) throw notFound()
  return project
}

function addItem(call: RestCall, project: ProjectV2): Answer {
  requireProjectWriter(call.principal, project)
  const type = requiredText(call.body, 'type')
  const content = contentOf(call)
  if (content.kind !== type) throw notFound()
  const item = call.store.projects.addItem(project, content, call.viewer)
  return created(projectItemJson(item, call))
}

/** The item named by repository and number. Unlike GitHub, the sandbox does not accept an id. */
function contentOf(call: RestCall) {
  const { number } = call.body
  if (typeof number !== 'number') throw invalidRequest('"number" wasn\'t supplied.')
  const owner = requiredText(call.body, 'owner')
  const repository = call.store.repositories.find(owner, requiredText(call.body, 'repo'))
  const item = repository?.items.get(number)
  if (!item || !canSeeNode(call.principal, item)) throw notFound()
  return item
}

function removeItem(call: RestCall, project: ProjectV2): Answer {
  requireProjectWriter(call.principal, project)
  const item: ProjectItem | undefined = project.items.find(
    ({ databaseId }) => databaseId === numberIn(call.params.item),
  )
  if (!item) throw notFound()
  call.store.projects.removeItem(item)
  return noContent()
}
