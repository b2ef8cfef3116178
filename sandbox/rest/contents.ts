import { posix } from 'node:path'
import { isGiven } from '../given.ts'
import type { JsonObject } from '../json.ts'
import { requireWrite } from '../store/access.ts'
import type { Repository } from '../store/entities.ts'
import type { ObjectDatabase, Oid, Signature } from '../store/git/objects.ts'
import { entryAt, type FileEntry, isFolder, listEntries } from '../store/git/trees.ts'
import { optionalText, requiredText } from './body.ts'
import { type Answer, ok, type RestCall, type RouteTable, repositoryOf } from './call.ts'
import { invalidRequest, notFound, RestError } from './errors.ts'
import { type Content, contentJson, gitCommitJson } from './json/git.ts'

export const contentRoutes: RouteTable = {
  'GET /repos/:owner/:repo/contents': getContent,
  'GET /repos/:owner/:repo/contents/*': getContent,
  'PUT /repos/:owner/:repo/contents/*': putFile,
  'DELETE /repos/:owner/:repo/contents/*': deleteFile,
  'GET /repos/:owner/:repo/readme': getReadme,
}

const MAX_INLINE = 1024 * 1024
const MAX_LISTED = 1000

function getContent(call: RestCall): Answer {
  return contentAt(call, repositoryOf(call), pathOf(call))
}

function getReadme(call: RestCall): Answer {
  return contentAt(call, repositoryOf(call), 'README.md')
}

function contentAt(call: RestCall, repository: Repository, path: string): Answer {
  const { git } = call.store
  const ref = call.query.ref || repository.defaultBranch
  const commit = git.commitOf(repository, ref)
  if (!commit) {
    throw new RestError(404, call.query.ref ? `No commit found for the ref ${ref}` : 'Not Found')
  }
  const { objects } = git.of(repository)
  const entry = entryAt(objects, commit.tree, path)
  if (!entry) throw notFound()
  const describe = (at: string, it: FileEntry): Content => ({
    repository,
    path: at,
    ref,
    oid: it.oid,
    type: typeOf(it),
    size: isFolder(it) ? 0 : objects.blob(it.oid).length,
  })
  if (!isFolder(entry)) {
    const target = linkedFile(objects, commit.tree, path, entry)
    const bytes = objects.blob((target ?? entry).oid)
    // GitHub shows the target's content under the path and the sha of the link.
    const followed = target ? { type: 'file' as const, size: bytes.length } : {}
    return ok(fileContent({ ...describe(path, entry), ...followed }, bytes, call.origin))
  }
  const listed = listEntries(objects, entry.oid, false, path && `${path}/`)
  const shown = listed.slice(0, MAX_LISTED)
  return ok(shown.map(it => contentJson(describe(it.path, it), call.origin)))
}

function isLink({ mode }: FileEntry): boolean {
  return mode === '120000'
}

/** The file of the repository that a link leads to. */
function linkedFile(
  objects: ObjectDatabase,
  tree: Oid,
  path: string,
  entry: FileEntry,
): FileEntry | undefined {
  if (!isLink(entry)) return undefined
  const link = objects.blob(entry.oid).toString()
  const target = posix.join(posix.dirname(path), link)
  if (link.startsWith('/') || target.startsWith('../')) return undefined
  const found = entryAt(objects, tree, target)
  return found && !isFolder(found) && !isLink(found) ? found : undefined
}

function typeOf(entry: FileEntry): Content['type'] {
  if (isFolder(entry)) return 'dir'
  return isLink(entry) ? 'symlink' : 'file'
}

/** Base64 in lines of 60 characters, like GitHub. Files above a megabyte come without content. */
function fileContent(content: Content, bytes: Buffer, origin: string) {
  const isInline = bytes.length <= MAX_INLINE
  const described = {
    ...contentJson(content, origin),
    content: isInline ? bytes.toString('base64').replace(/.{1,60}/g, '$&\n') : '',
    encoding: isInline ? 'base64' : 'none',
  }
  return content.type === 'symlink' ? { ...described, target: bytes.toString() } : described
}

/** Creates a file, or replaces it if the caller sends its current sha. Makes one commit. */
function putFile(call: RestCall): Answer {
  const repository = repositoryOf(call)
  requireWrite(call.principal, repository)
  const { git } = call.store
  const path = pathOf(call)
  const content = contentIn(call.body)
  const message = requiredText(call.body, 'message')
  const branch = optionalText(call.body, 'branch') || repository.defaultBranch
  const old = currentFile(call, repository, branch, path)
  const commit = git.commit(repository, {
    author: call.viewer,
    message,
    branch,
    changes: { [path]: content },
    signatures: signaturesIn(call),
  })
  const entry = entryAt(git.of(repository).objects, commit.tree, path) as FileEntry
  const described = { repository, path, ref: branch, oid: entry.oid, type: typeOf(entry) }
  return {
    status: old ? 200 : 201,
    body: {
      content: contentJson({ ...described, size: content.length }, call.origin),
      commit: gitCommitJson(commit, call.origin),
    },
  }
}

/** Makes one commit. A symbolic link is deleted itself, not its target. */
function deleteFile(call: RestCall): Answer {
  const repository = repositoryOf(call)
  requireWrite(call.principal, repository)
  const path = pathOf(call)
  const message = requiredText(call.body, 'message')
  requiredText(call.body, 'sha')
  const branch = optionalText(call.body, 'branch') || repository.defaultBranch
  const tip = call.store.git.branch(repository, branch)
  const { objects } = call.store.git.of(repository)
  if (tip && !entryAt(objects, objects.commit(tip.oid).tree, path)) throw notFound()
  currentFile(call, repository, branch, path)
  const commit = call.store.git.commit(repository, {
    author: call.viewer,
    message,
    branch,
    changes: { [path]: null },
    signatures: signaturesIn(call),
  })
  return ok({ content: null, commit: gitCommitJson(commit, call.origin) })
}

/** The current file. Refuses the request if the caller's sha does not match it. */
function currentFile(
  call: RestCall,
  repository: Repository,
  branch: string,
  path: string,
): FileEntry | undefined {
  const { git } = call.store
  const tip = git.branch(repository, branch)
  if (!tip && !git.isEmpty(repository)) throw new RestError(404, `Branch ${branch} not found`)
  const { objects } = git.of(repository)
  const old = tip && entryAt(objects, objects.commit(tip.oid).tree, path)
  if (old && isFolder(old)) throw invalidRequest(`${path} is a directory`)
  requireKnown(path, old, optionalText(call.body, 'sha'))
  return old
}

function requireKnown(path: string, old: FileEntry | undefined, sha: string | null | undefined) {
  if (old && !isGiven(sha)) throw invalidRequest('"sha" wasn\'t supplied.')
  if (isGiven(sha) && old?.oid !== sha) throw new RestError(409, `${path} does not match ${sha}`)
}

export function contentIn(body: JsonObject): Buffer {
  const text = requiredText(body, 'content').replaceAll('\n', '')
  if (!/^(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?$/.test(text)) {
    throw new RestError(422, 'content is not valid Base64')
  }
  return Buffer.from(text, 'base64')
}

function signaturesIn({ body, store }: RestCall): { author?: Signature; committer?: Signature } {
  const read = (field: string): Signature | undefined => {
    const person = body[field] as JsonObject | null | undefined
    if (!isGiven(person)) return undefined
    const date = optionalText(person, 'date')
    return {
      name: requiredText(person, 'name'),
      email: requiredText(person, 'email'),
      seconds: Math.floor((date ? Date.parse(date) : store.now()) / 1000),
    }
  }
  const committer = read('committer')
  const author = read('author') ?? committer
  // A person given for one role takes the other role as well.
  return author ? { author, committer: committer ?? author } : {}
}

function pathOf(call: RestCall): string {
  return (call.params['*'] ?? '').split('/').filter(Boolean).join('/')
}
