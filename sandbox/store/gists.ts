import { createHash } from 'node:crypto'
import type { Timestamp, User } from './entities.ts'
import { invalid } from './refusal.ts'
import type { Registry } from './registry.ts'

/** Few files with an address of their own. Who knows the name of a secret one may read it. */
export interface Gist {
  readonly nodeId: string
  readonly databaseId: number
  /** What REST calls its id. */
  readonly name: string
  readonly owner: User
  readonly description: string | null
  readonly isPublic: boolean
  /** Name → content, in order of their names. */
  readonly files: ReadonlyMap<string, string>
  readonly createdAt: Timestamp
}

export type NewGist = Pick<Gist, 'owner' | 'description' | 'isPublic'> & {
  files: Readonly<Record<string, string>>
  createdAt?: Timestamp
}

export class Gists {
  readonly #registry: Registry
  readonly #all: Gist[] = []

  constructor(registry: Registry) {
    this.#registry = registry
  }

  add({ files, createdAt, ...fields }: NewGist): Gist {
    const entries = Object.entries(files).toSorted(([a], [b]) => (a < b ? -1 : 1))
    if (entries.length === 0 || entries.some(([, content]) => content.trim() === '')) {
      throw invalid('Contents are missing', {
        resource: 'Gist',
        field: 'files',
        code: 'missing_field',
      })
    }
    const identity = this.#registry.identify('Gist')
    const gist: Gist = {
      ...identity,
      name: createHash('md5').update(String(identity.databaseId)).digest('hex'),
      ...fields,
      files: new Map(entries),
      createdAt: createdAt ?? this.#registry.timestamp(),
    }
    this.#all.push(gist)
    this.#registry.recordWrite()
    return gist
  }

  find(name: string): Gist | undefined {
    return this.#all.find(gist => gist.name === name)
  }

  /** The newest first. */
  of(owner: User): Gist[] {
    return this.#all
      .filter(gist => gist.owner === owner)
      .toSorted((a, b) => b.createdAt.localeCompare(a.createdAt) || b.databaseId - a.databaseId)
  }

  all(): readonly Gist[] {
    return this.#all
  }
}
