import { hash } from 'node:crypto'

/** A git object name: 40 hexadecimal digits. */
export type Oid = string

/** Author and time of a commit or tag. All dates in the sandbox are UTC. */
export interface Signature {
  readonly name: string
  readonly email: string
  /** Seconds since 1970. Git stores no fractions. */
  readonly seconds: number
}

export interface TreeEntry {
  readonly name: string
  readonly mode: '100644' | '100755' | '120000' | '040000'
  readonly oid: Oid
}

export interface CommitData {
  readonly tree: Oid
  readonly parents: readonly Oid[]
  readonly author: Signature
  readonly committer: Signature
  readonly message: string
}

export interface TagData {
  readonly object: Oid
  readonly tag: string
  readonly tagger: Signature
  readonly message: string
}

export type GitObject =
  | { readonly type: 'blob'; readonly data: Buffer }
  | { readonly type: 'tree'; readonly data: readonly TreeEntry[] }
  | { readonly type: 'commit'; readonly data: CommitData }
  | { readonly type: 'tag'; readonly data: TagData }

export type ObjectType = GitObject['type']

/**
 * The objects of one repository and its forks, by name. The names are those that git itself would
 * give: the SHA-1 of the object's encoding, so equal content has the same name everywhere.
 */
export class ObjectDatabase {
  readonly #objects = new Map<Oid, GitObject>()

  add(object: GitObject): Oid {
    const oid = oidOf(object)
    if (!this.#objects.has(oid)) this.#objects.set(oid, object)
    return oid
  }

  get(oid: Oid): GitObject | undefined {
    return this.#objects.get(oid)
  }

  blob(oid: Oid): Buffer {
    return this.#read(oid, 'blob').data
  }

  tree(oid: Oid): readonly TreeEntry[] {
    return this.#read(oid, 'tree').data
  }

  commit(oid: Oid): CommitData {
    return this.#read(oid, 'commit').data
  }

  /** The object whose name starts with the prefix. Undefined if several do. */
  findByPrefix(prefix: string): Oid | undefined {
    const found = [...this.#objects.keys()].filter(oid => oid.startsWith(prefix))
    return found.length === 1 ? found[0] : undefined
  }

  #read<Type extends ObjectType>(oid: Oid, type: Type): Extract<GitObject, { type: Type }> {
    const object = this.#objects.get(oid)
    if (object?.type === type) return object as Extract<GitObject, { type: Type }>
    throw new Error(`there is no ${type} ${oid}`)
  }
}

function oidOf(object: GitObject): Oid {
  const body = encode(object)
  return hash('sha1', Buffer.concat([Buffer.from(`${object.type} ${body.length}\0`), body]))
}

function encode(object: GitObject): Buffer {
  switch (object.type) {
    case 'blob':
      return object.data
    case 'tree':
      return Buffer.concat(object.data.map(encodeEntry))
    case 'commit':
      return Buffer.from(encodeCommit(object.data))
    case 'tag':
      return Buffer.from(encodeTag(object.data))
  }
}

/** Git writes the mode of a folder without its leading zero. */
function encodeEntry({ mode, name, oid }: TreeEntry): Buffer {
  const head = `${mode.replace(/^0/, '')} ${name}\0`
  return Buffer.concat([Buffer.from(head), Buffer.from(oid, 'hex')])
}

function encodeCommit(commit: CommitData): string {
  return [
    `tree ${commit.tree}`,
    ...commit.parents.map(parent => `parent ${parent}`),
    `author ${encodeSignature(commit.author)}`,
    `committer ${encodeSignature(commit.committer)}`,
    '',
    commit.message,
  ].join('\n')
}

function encodeTag({ object, tag, tagger, message }: TagData): string {
  return [
    `object ${object}`,
    'type commit',
    `tag ${tag}`,
    `tagger ${encodeSignature(tagger)}`,
    '',
    message,
  ].join('\n')
}

function encodeSignature({ name, email, seconds }: Signature): string {
  return `${name} <${email}> ${seconds} +0000`
}
