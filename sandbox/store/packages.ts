import type { Account, Repository, Timestamp } from './entities.ts'
import { newestFirst } from './order.ts'
import { Refusal } from './refusal.ts'
import type { Registry } from './registry.ts'
import type { Principal } from './tokens.ts'

export const PACKAGE_TYPES = ['npm', 'maven', 'rubygems', 'docker', 'nuget', 'container'] as const

export type PackageType = (typeof PACKAGE_TYPES)[number]

/** A package of GitHub Packages. The GraphQL API has none of these types. */
export interface Package {
  readonly databaseId: number
  readonly owner: Account
  readonly type: PackageType
  readonly name: string
  readonly visibility: 'public' | 'private'
  readonly repository: Repository | null
  /** Oldest first. */
  versions: PackageVersion[]
  readonly createdAt: Timestamp
  updatedAt: Timestamp
  /** A deleted package can be restored for 30 days. */
  deletedAt: Timestamp | null
}

export interface PackageVersion {
  readonly databaseId: number
  readonly package: Package
  /** A version such as `1.0.0`; for containers the digest. */
  readonly name: string
  readonly description: string | null
  readonly license: string | null
  /** Only containers have tags. */
  readonly tags: readonly string[]
  readonly createdAt: Timestamp
  updatedAt: Timestamp
  /** A deleted version can be restored for 30 days. */
  deletedAt: Timestamp | null
}

export type NewPackage = Pick<Package, 'owner' | 'type' | 'name'> &
  Partial<Pick<Package, 'visibility' | 'repository' | 'createdAt'>>

export type NewPackageVersion = Pick<PackageVersion, 'name'> &
  Partial<Pick<PackageVersion, 'description' | 'license' | 'tags' | 'createdAt'>>

export class Packages {
  readonly #registry: Registry
  readonly #all: Package[] = []

  constructor(registry: Registry) {
    this.#registry = registry
  }

  add({ createdAt = this.#registry.timestamp(), ...fields }: NewPackage): Package {
    const added: Package = {
      databaseId: this.#registry.nextId(),
      visibility: 'public',
      repository: null,
      ...fields,
      versions: [],
      createdAt,
      updatedAt: createdAt,
      deletedAt: null,
    }
    this.#all.push(added)
    this.#registry.recordWrite()
    return added
  }

  addVersion(owner: Package, { name, ...fields }: NewPackageVersion): PackageVersion {
    const createdAt = fields.createdAt ?? this.#registry.timestamp()
    const version: PackageVersion = {
      databaseId: this.#registry.nextId(),
      package: owner,
      name,
      description: fields.description ?? null,
      license: fields.license ?? null,
      tags: fields.tags ?? [],
      createdAt,
      updatedAt: createdAt,
      deletedAt: null,
    }
    owner.versions.push(version)
    owner.updatedAt = createdAt
    this.#registry.recordWrite()
    return version
  }

  /** Newest first. */
  of(owner: Account, type: PackageType): Package[] {
    return newestFirst(
      this.#all.filter(it => it.owner === owner && it.type === type && it.deletedAt === null),
    )
  }

  find(owner: Account, type: string, name: string, isDeleted = false): Package | undefined {
    return this.#all.find(
      it =>
        it.owner === owner &&
        it.type === type &&
        it.name === name &&
        (it.deletedAt !== null) === isDeleted,
    )
  }

  delete(removed: Package): void {
    removed.deletedAt = this.#registry.timestamp()
    this.#registry.recordWrite()
  }

  restore(deleted: Package | PackageVersion): void {
    deleted.deletedAt = null
    this.#registry.recordWrite()
  }

  deleteVersion(version: PackageVersion): void {
    if (versionsOf(version.package).length === 1) {
      const message = 'You cannot delete the last version of a package.'
      throw new Refusal('unprocessable', `${message} You must delete the package instead.`)
    }
    version.deletedAt = this.#registry.timestamp()
    this.#registry.recordWrite()
  }
}

/** The versions that are not deleted, or those that are; newest first. */
export function versionsOf({ versions }: Package, isDeleted = false): PackageVersion[] {
  return newestFirst(versions.filter(it => (it.deletedAt !== null) === isDeleted))
}

/** The owner and the members of the owning organization. */
function isInside({ user }: Principal, { owner }: Package): boolean {
  return owner === user || (owner.kind === 'Organization' && owner.members.has(user))
}

export function canSeePackage(principal: Principal, seen: Package): boolean {
  return seen.visibility === 'public' || isInside(principal, seen)
}

export function requirePackageAdmin(principal: Principal, changed: Package): void {
  if (isInside(principal, changed)) return
  throw new Refusal('forbidden', 'You must be an admin of the package to change it.')
}
