import type { Repository } from '../entities.ts'
import { gitNodeId } from '../node-id.ts'
import type { CommitData, ObjectDatabase, ObjectType, Oid, TagData } from './objects.ts'

interface GitNode<Kind extends string> {
  readonly kind: Kind
  readonly nodeId: string
  readonly repository: Repository
  readonly oid: Oid
}

/** A git object within one repository. A fork has the same objects with other node ids. */
export interface Commit extends GitNode<'Commit'>, CommitData {}
export interface Tree extends GitNode<'Tree'> {}
export interface Blob extends GitNode<'Blob'> {}
export interface Tag extends GitNode<'Tag'>, TagData {}

/** A branch or tag. Its name is the full one, such as `refs/heads/main`. */
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

/** `refs/heads/main` → `main`. */
export function shortName({ name }: Ref): string {
  return name.replace(/^refs\/(heads|tags)\//, '')
}
