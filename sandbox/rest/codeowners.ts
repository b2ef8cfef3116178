import { type Answer, ok, type RestCall, type RouteTable, repositoryOf } from './call.ts'
import { notFound } from './errors.ts'

export const codeownerRoutes: RouteTable = {
  'GET /repos/:owner/:repo/codeowners/errors': listErrors,
}

function listErrors(call: RestCall): Answer {
  const repository = repositoryOf(call)
  const errors = call.store.codeownersErrors(repository, call.query.ref || 'HEAD')
  if (!errors) throw notFound()
  return ok({ errors })
}
