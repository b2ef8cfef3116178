import { requireAdmin, requireWrite } from '../store/access.ts'
import type { Repository } from '../store/entities.ts'
import { type Ref, shortName } from '../store/git/nodes.ts'
import type { Oid } from '../store/git/objects.ts'
import { isValidRefName } from '../store/git/ref-name.ts'
import { requireDeletable, requireFastForward, requireObject } from '../store/git/ref-rules.ts'
import { listEntries } from '../store/git/trees.ts'
import { requiredText } from './body.ts'
import {
  type Answer,
  created,
  noContent,
  ok,
  type RestCall,
  type RouteTable,
  repositoryOf,
} from './call.ts'
import { notFound, RestError } from './errors.ts'
import { repositoryUrl } from './json/api-urls.ts'
import { branchJson, refJson, shortBranchJson, tagJson } from './json/git.ts'
import { paged } from './paging.ts'

export const gitRoutes: RouteTable = {
  'GET /repos/:owner/:repo/branches': listBranches,
  'GET /repos/:owner/:repo/branches/*': getBranch,
  'POST /repos/:owner/:repo/branches/:branch/rename': renameBranch,
  'GET /repos/:owner/:repo/tags': listTags,
  'GET /repos/:owner/:repo/git/trees/:tree': getTree,
  'GET /repos/:owner/:repo/git/ref/*': getRef,
  'GET /repos/:owner/:repo/git/matching-refs/*': listRefs,
  'POST /repos/:owner/:repo/git/refs': createRef,
  'PATCH /repos/:owner/:repo/git/refs/*': moveRef,
  'DELETE /repos/:owner/:repo/git/refs/*': deleteRef,
}

function listBranches(call: RestCall): Answer {
  const refs = call.store.git.refs(repositoryOf(call), 'refs/heads/')
  const listed = call.query.protected === 'true' ? [] : refs
  return paged(call, listed, ref => shortBranchJson(ref, shortName(ref), call.origin))
}

function getBranch(call: RestCall): Answer {
  const name = call.params['*'] ?? ''
  const ref = call.store.git.branch(repositoryOf(call), name)
  if (!ref) throw new RestError(404, 'Branch not found')
  return ok(branchJson(ref, name, call.origin, call.store))
}

function renameBranch(call: RestCall): Answer {
  const repository = repositoryOf(call)
  const { branch: from = '' } = call.params
  const { git, pullRequests } = call.store
  const requireRight = from === repository.defaultBranch ? requireAdmin : requireWrite
  requireRight(call.principal, repository)
  const to = requiredText(call.body, 'new_name')
  if (!git.branch(repository, from)) throw new RestError(404, 'Branch not found')
  if (!isValidRefName(`refs/heads/${to}`))
    throw new RestError(422, `${to} is not a valid ref name.`)
  if (git.branch(repository, to)) throw new RestError(422, 'Reference already exists')
  pullRequests.retargetAll(repository, from, to)
  const ref = git.renameBranch(repository, from, to)
  return created(branchJson(ref, to, call.origin, call.store))
}

/** Tags are sorted by name in reverse, unlike branches. */
function listTags(call: RestCall): Answer {
  const repository = repositoryOf(call)
  const git = call.store.git.of(repository)
  const refs = call.store.git.refs(repository, 'refs/tags/').toReversed()
  return paged(call, refs, ref =>
    tagJson(ref, shortName(ref), git.peel(ref.oid) ?? ref.oid, call.origin),
  )
}

/** The tree of a commit, branch, tag or tree sha. With `recursive`, everything below it. */
function getTree(call: RestCall): Answer {
  const repository = repositoryOf(call)
  const git = call.store.git.of(repository)
  if (call.store.git.isEmpty(repository)) throw new RestError(409, 'Git Repository is empty.')
  const tree = git.treeOf(call.params.tree ?? '')
  if (tree === undefined) throw notFound()
  // Any value turns it on, even `false`.
  return ok(treeJson(tree, repository, call, call.query.recursive !== undefined))
}

export function treeJson(tree: Oid, repository: Repository, call: RestCall, isDeep = false) {
  const api = repositoryUrl(repository, call.origin)
  const { objects } = call.store.git.of(repository)
  return {
    sha: tree,
    url: `${api}/git/trees/${tree}`,
    tree: listEntries(objects, tree, isDeep).map(({ path, mode, type, oid }) => ({
      path,
      mode,
      type,
      sha: oid,
      ...(type === 'blob' && { size: objects.blob(oid).length }),
      url: `${api}/git/${type}s/${oid}`,
    })),
    truncated: false,
  }
}

function getRef(call: RestCall): Answer {
  return ok(refJson(refOf(call, repositoryOf(call), 404), call.origin, call.store))
}

function listRefs(call: RestCall): Answer {
  const refs = call.store.git.refs(repositoryOf(call), `refs/${call.params['*']}`)
  return ok(refs.map(ref => refJson(ref, call.origin, call.store)))
}

function createRef(call: RestCall): Answer {
  const repository = repositoryOf(call)
  requireWrite(call.principal, repository)
  const name = requiredText(call.body, 'ref')
  const oid = objectIn(call, repository)
  const { git } = call.store
  if (git.ref(repository, name)) throw new RestError(422, 'Reference already exists')
  if (!isValidRefName(name)) throw new RestError(422, `${name} is not a valid ref name.`)
  const answer = refJson(git.createRef(repository, name, oid), call.origin, call.store)
  return created(answer, answer.url)
}

function moveRef(call: RestCall): Answer {
  const repository = repositoryOf(call)
  requireWrite(call.principal, repository)
  const ref = refOf(call, repository, 422)
  const oid = objectIn(call, repository)
  if (call.body.force !== true) requireFastForward(call.store.git.of(repository), ref, oid)
  const moved = call.store.git.updateRef(repository, ref.name, oid)
  return ok(refJson(moved, call.origin, call.store))
}

function deleteRef(call: RestCall): Answer {
  const repository = repositoryOf(call)
  requireWrite(call.principal, repository)
  const ref = refOf(call, repository, 422)
  requireDeletable(ref)
  call.store.git.deleteRef(repository, ref.name)
  return noContent()
}

function refOf(call: RestCall, repository: Repository, missing: 404 | 422): Ref {
  const ref = call.store.git.ref(repository, `refs/${call.params['*']}`)
  if (ref) return ref
  throw missing === 404 ? notFound() : new RestError(422, 'Reference does not exist')
}

function objectIn(call: RestCall, repository: Repository): string {
  const sha = requiredText(call.body, 'sha')
  if (!/^[0-9a-f]{40}$/.test(sha)) {
    throw new RestError(
      422,
      'The sha parameter must be exactly 40 characters and contain only [0-9a-f].',
    )
  }
  requireObject(call.store.git.of(repository), sha)
  return sha
}
