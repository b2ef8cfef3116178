import { hiddenEmail } from '../accounts.ts'
import type { Account, Repository, Timestamp } from '../entities.ts'
import { gitNodeId } from '../node-id.ts'
import type { CommitData, ObjectDatabase, ObjectType, Oid, Signature, TagData } from './objects.ts'

interface GitNode<Kind extends string> {
  readonly kind: Kind
  readonly nodeId: string
  readonly repository: Repository
  readonly oid: Oid
}

/** A git object as one repository shows it: a fork has the same objects under other node ids. */
export interface Commit extends GitNode<'Commit'>, CommitData {}
export interface Tree extends GitNode<'Tree'> {}
export interface Blob extends GitNode<'Blob'> {}
export interface Tag extends GitNode<'Tag'>, TagData {}

/** A branch or tag, by its full name, such as `refs/heads/main`. */
export interface Ref extends GitNode<'Ref'> {
  readonly name: string
}

export type GitObjectNode = Commit | Tree | Blob | Tag

const kinds = {
  commit: 'Commit',
  tree: 'Tree',
  blob: 'Blob',
  tag: 'Tag',
} as const satisfies Record<ObjectType, GitObjectNode['kind']>

export function objectNode(
  repository: Repository,
  objects: ObjectDatabase,
  oid: Oid,
): GitObjectNode | undefined {
  const object = objects.get(oid)
  if (!object) return undefined
  const kind = kinds[object.type]
  const node = { kind, nodeId: gitNodeId(kind, repository.databaseId, oid), repository, oid }
  const fields = object.type === 'commit' || object.type === 'tag' ? object.data : {}
  return { ...fields, ...node } as GitObjectNode
}

export function refNode(repository: Repository, name: string, oid: Oid): Ref {
  return {
    kind: 'Ref',
    nodeId: gitNodeId('Ref', repository.databaseId, name),
    repository,
    oid,
    name,
  }
}

/** `main` of `refs/heads/main`. */
export function shortName({ name }: Ref): string {
  return name.replace(/^refs\/(heads|tags)\//, '')
}

/** How an account signs what it does; without a public address, with the one that GitHub gives it. */
export function signatureOf(account: Account, at: Timestamp): Signature {
  const email = account.kind === 'User' ? account.email : null
  return {
    name: account.name ?? account.login,
    email: email ?? hiddenEmail(account),
    seconds: Date.parse(at) / 1000,
  }
}
