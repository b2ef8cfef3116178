import { canSee } from '../store/access.ts'
import type { Repository } from '../store/entities.ts'
import { type Answer, numberIn, ok, type RestCall, type RouteTable, repositoryOf } from './call.ts'
import { notFound } from './errors.ts'
import { fullRepositoryJson, repositoryJson } from './json/repository.ts'
import { paged } from './paging.ts'

export const repositoryRoutes: RouteTable = {
  'GET /repos/:owner/:repo': call => one(call, repositoryOf(call)),
  'GET /repositories/:id': call =>
    one(call, call.store.repositories.findById(numberIn(call.params.id))),
  'GET /user/repos': call => list(call, call.viewer.login),
  'GET /users/:owner/repos': call => list(call, call.params.owner),
  'GET /orgs/:owner/repos': call => list(call, call.params.owner),
}

function one(call: RestCall, repository: Repository | undefined): Answer {
  if (!repository || !canSee(call.principal, repository)) throw notFound()
  return ok(fullRepositoryJson(repository, call.origin, call.principal))
}

function list(call: RestCall, login: string | undefined): Answer {
  const owner = call.store.accounts.find(login ?? '')
  if (!owner) throw notFound()
  const visible = call.store.repositories
    .ownedBy(owner)
    .filter(repository => canSee(call.principal, repository))
  return paged(call, visible, it => repositoryJson(it, call.origin, call.principal))
}
