import { createHash } from 'node:crypto'
import type { Timestamp, User } from './entities.ts'
import { newestFirst } from './order.ts'
import { invalid } from './refusal.ts'
import type { Registry } from './registry.ts'

/** A gist. Anyone who knows the name of a secret gist can read it. */
export interface Gist {
  readonly nodeId: string
  readonly databaseId: number
  /** The gist's `id` in REST. */
  readonly name: string
  readonly owner: User
  description: string | null
  readonly isPublic: boolean
  readonly forkOf: Gist | null
  readonly commentCount: number
  /** Name → content, sorted by name. */
  files: ReadonlyMap<string, string>
  readonly createdAt: Timestamp
  updatedAt: Timestamp
}

export type NewGist = Pick<Gist, 'owner' | 'description' | 'isPublic'> & {
  files: Readonly<Record<string, string>>
  forkOf?: Gist | null
  commentCount?: number
  createdAt?: Timestamp
}

export interface GistChanges {
  readonly description?: string | null | undefined
  /** Name → change; null deletes the file. */
  readonly files?: Readonly<Record<string, FileChange | null>>
}

export interface FileChange {
  readonly content?: string
  readonly filename?: string
}

export class Gists {
  readonly #registry: Registry
  #all: Gist[] = []

  constructor(registry: Registry) {
    this.#registry = registry
  }

  add({ files, createdAt, ...fields }: NewGist): Gist {
    const entries = filesOf(Object.entries(files))
    const identity = this.#registry.identify('Gist')
    const gist: Gist = {
      ...identity,
      name: createHash('md5').update(String(identity.databaseId)).digest('hex'),
      forkOf: null,
      commentCount: 0,
      ...fields,
      files: entries,
      createdAt: createdAt ?? this.#registry.timestamp(),
      updatedAt: createdAt ?? this.#registry.timestamp(),
    }
    this.#all.push(gist)
    this.#registry.recordWrite()
    return gist
  }

  update(gist: Gist, { description, files = {} }: GistChanges): void {
    gist.files = filesOf([...changedFiles(gist.files, files)])
    if (description !== undefined) gist.description = description
    gist.updatedAt = this.#registry.timestamp()
    this.#registry.recordWrite()
  }

  delete(gist: Gist): void {
    this.#all = this.#all.filter(it => it !== gist)
    this.#registry.recordWrite()
  }

  find(name: string): Gist | undefined {
    return this.#all.find(gist => gist.name === name)
  }

  /** Newest first. */
  of(owner: User): Gist[] {
    return newestFirst(this.#all.filter(gist => gist.owner === owner))
  }

  all(): readonly Gist[] {
    return this.#all
  }
}

/** Deletes files that are null or emptied. A renamed file keeps its content if no new one is given. */
function changedFiles(files: Gist['files'], changes: NonNullable<GistChanges['files']>) {
  const changed = new Map(files)
  for (const [name, change] of Object.entries(changes)) {
    const content = change?.content ?? changed.get(name) ?? ''
    changed.delete(name)
    const isEmptied = change?.content === '' && change.filename === undefined
    if (change && !isEmptied) changed.set(change.filename ?? name, content)
  }
  return changed
}

/** Sorts files by name. GitHub refuses a gist without files, and blank files. */
function filesOf(entries: readonly (readonly [string, string])[]): ReadonlyMap<string, string> {
  if (entries.length === 0 || entries.some(([, content]) => content.trim() === '')) {
    throw invalid('Contents are missing', {
      resource: 'Gist',
      field: 'files',
      code: 'missing_field',
    })
  }
  return new Map(entries.toSorted(([a], [b]) => (a < b ? -1 : 1)))
}
