import { isJsonObject, type JsonObject } from '../json.ts'
import { requireWrite } from '../store/access.ts'
import type { Repository } from '../store/entities.ts'
import type { GitObject, ObjectDatabase, Oid, TreeEntry } from '../store/git/objects.ts'
import { signatureOf } from '../store/git/signature.ts'
import { changeTree, entryAt, type FileEntry } from '../store/git/trees.ts'
import { toTimestamp } from '../store/registry.ts'
import { optionalText, requiredText } from './body.ts'
import { type Answer, created, ok, type RestCall, type RouteTable, repositoryOf } from './call.ts'
import { contentIn } from './contents.ts'
import { invalidRequest, notFound, RestError } from './errors.ts'
import { treeJson } from './git-data.ts'
import { repositoryUrl } from './json/api-urls.ts'
import { annotatedTagJson, gitCommitJson } from './json/git.ts'

/** Objects that no ref names change nothing that anybody sees, so writing one is not a write of the sandbox. */
export const gitObjectRoutes: RouteTable = {
  'POST /repos/:owner/:repo/git/blobs': createBlob,
  'POST /repos/:owner/:repo/git/trees': createTree,
  'GET /repos/:owner/:repo/git/commits/:sha': getCommit,
  'POST /repos/:owner/:repo/git/commits': createCommit,
  'GET /repos/:owner/:repo/git/tags/:sha': getTag,
  'POST /repos/:owner/:repo/git/tags': createTag,
}

function writable(call: RestCall): { repository: Repository; objects: ObjectDatabase } {
  const repository = repositoryOf(call)
  requireWrite(call.principal, repository)
  return { repository, objects: call.store.git.of(repository).objects }
}

function createBlob(call: RestCall): Answer {
  const { repository, objects } = writable(call)
  const isBase64 = optionalText(call.body, 'encoding') === 'base64'
  const data = isBase64 ? contentIn(call.body) : Buffer.from(requiredText(call.body, 'content'))
  const sha = objects.add({ type: 'blob', data })
  const url = `${repositoryUrl(repository, call.origin)}/git/blobs/${sha}`
  return created({ sha, url }, url)
}

/** Applies the given entries to the base tree. An entry whose sha is null is removed. */
function createTree(call: RestCall): Answer {
  const { repository, objects } = writable(call)
  const { tree: listed } = call.body
  if (!Array.isArray(listed)) throw invalidRequest('"tree" wasn\'t supplied.')
  const base = optionalText(call.body, 'base_tree') ?? undefined
  const before = base === undefined ? undefined : call.store.git.of(repository).treeOf(base)
  if (base !== undefined && before === undefined) throw new RestError(422, 'base_tree is not found')
  const changes = new Map(listed.map(entry => entryIn(entry, objects)))
  for (const [path, entry] of changes) {
    const isThere = before !== undefined && entryAt(objects, before, path) !== undefined
    if (!entry && !isThere) throw new RestError(422, 'GitRPC::BadObjectState')
  }
  const answer = treeJson(changeTree(objects, before, changes), repository, call)
  return created(answer, answer.url)
}

const MODES: readonly string[] = ['100644', '100755', '120000', '040000']

function entryIn(entry: unknown, objects: ObjectDatabase): [string, FileEntry | null] {
  if (!isJsonObject(entry)) throw invalidRequest("For 'tree/items', is not an object.")
  const path = requiredText(entry, 'path')
  const mode = requiredText(entry, 'mode') as TreeEntry['mode']
  if (!MODES.includes(mode)) throw new RestError(422, `tree.mode ${mode} is not a valid mode`)
  if (entry.sha === null) return [path, null]
  const oid = optionalText(entry, 'sha') ?? addBlob(entry, objects)
  if (!objects.get(oid)) throw new RestError(422, `tree.sha ${oid} is not a valid object`)
  return [path, { mode, oid }]
}

function addBlob(entry: JsonObject, objects: ObjectDatabase): Oid {
  return objects.add({ type: 'blob', data: Buffer.from(requiredText(entry, 'content')) })
}

function getCommit(call: RestCall): Answer {
  const repository = repositoryOf(call)
  const { sha = '' } = call.params
  if (objectAt(call, repository, sha)?.type !== 'commit') throw notFound()
  return ok(gitCommitJson(call.store.git.commitAt(repository, sha), call.origin))
}

function createCommit(call: RestCall): Answer {
  const { repository, objects } = writable(call)
  const tree = requiredText(call.body, 'tree')
  const parents = (call.body.parents ?? []) as string[]
  if (objects.get(tree)?.type !== 'tree') throw new RestError(422, 'Tree SHA does not exist')
  if (parents.some(parent => objects.get(parent)?.type !== 'commit')) {
    throw new RestError(422, 'Parent SHA does not exist or is not a commit object')
  }
  const author = signatureOf(call.viewer, toTimestamp(call.store.now()))
  const message = requiredText(call.body, 'message')
  const data = { tree, parents, author, committer: author, message }
  const oid = objects.add({ type: 'commit', data })
  const answer = gitCommitJson(call.store.git.commitAt(repository, oid), call.origin)
  return created(answer, answer.url)
}

function getTag(call: RestCall): Answer {
  const repository = repositoryOf(call)
  const { sha = '' } = call.params
  const object = objectAt(call, repository, sha)
  if (object?.type !== 'tag') throw notFound()
  return ok(annotatedTagJson(repository, sha, object.data, call.origin))
}

/** Creates the object of an annotated tag. A ref to it has to follow. */
function createTag(call: RestCall): Answer {
  const { repository, objects } = writable(call)
  const object = requiredText(call.body, 'object')
  if (objects.get(object)?.type !== 'commit') throw new RestError(422, 'Could not find object')
  const data = {
    object,
    tag: requiredText(call.body, 'tag'),
    message: requiredText(call.body, 'message'),
    tagger: signatureOf(call.viewer, toTimestamp(call.store.now())),
  }
  const sha = objects.add({ type: 'tag', data })
  const answer = annotatedTagJson(repository, sha, data, call.origin)
  return created(answer, answer.url)
}

function objectAt(call: RestCall, repository: Repository, sha: string): GitObject | undefined {
  return call.store.git.of(repository).objects.get(sha)
}
