import type { Repository } from '../entities.ts'
import type { ObjectDatabase, Oid, Signature } from './objects.ts'
import { signatureOf } from './signature.ts'
import { changeTree, entryAt, type FileEntry, isFolder } from './trees.ts'

/** Path → new content, or the target of a symbolic link; null deletes the file. */
export type Changes = Readonly<Record<string, string | Buffer | { readonly link: string } | null>>

export interface WrittenCommit {
  readonly parent: Oid | undefined
  readonly changes: Changes
  readonly message: string
  readonly author: Signature
  readonly committer: Signature
}

/** Writes a commit that applies these changes to its parent. */
export function writeCommit(objects: ObjectDatabase, commit: WrittenCommit): Oid {
  const { parent, author, committer, message } = commit
  const before = parent && objects.commit(parent).tree
  const entries = new Map<string, FileEntry | null>()
  for (const [path, content] of Object.entries(commit.changes)) {
    if (content === null) entries.set(path, null)
    else if (isLink(content))
      entries.set(path, { mode: '120000', oid: addBlob(objects, content.link) })
    else entries.set(path, { mode: modeAt(objects, before, path), oid: addBlob(objects, content) })
  }
  const tree = changeTree(objects, before, entries)
  const parents = parent ? [parent] : []
  return objects.add({ type: 'commit', data: { tree, parents, author, committer, message } })
}

function isLink(content: string | object): content is { readonly link: string } {
  return typeof content === 'object' && 'link' in content
}

function addBlob(objects: ObjectDatabase, content: string | Buffer): Oid {
  return objects.add({ type: 'blob', data: Buffer.from(content) })
}

/** An overwritten file keeps its mode: it stays executable or a link. */
function modeAt(objects: ObjectDatabase, tree: Oid | undefined, path: string): FileEntry['mode'] {
  const entry = tree === undefined ? undefined : entryAt(objects, tree, path)
  return !entry || isFolder(entry) ? '100644' : entry.mode
}

/** The first commit that GitHub itself makes in a new repository. */
export function writeInitialCommit(objects: ObjectDatabase, repository: Repository): Oid {
  const { owner, name, description, createdAt } = repository
  const signature = signatureOf(owner, createdAt)
  return writeCommit(objects, {
    parent: undefined,
    changes: { 'README.md': `# ${name}\n${description === null ? '' : `${description}\n`}` },
    message: 'Initial commit',
    author: signature,
    committer: signature,
  })
}
