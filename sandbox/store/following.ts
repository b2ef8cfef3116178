import type { Repository, Timestamp, User } from './entities.ts'
import type { Registry } from './registry.ts'

export interface Star {
  readonly user: User
  readonly repository: Repository
}

export interface Watch {
  readonly user: User
  readonly repository: Repository
  readonly ignored: boolean
  readonly createdAt: Timestamp
}

/** Stars on repositories, and subscriptions to them. */
export class Following {
  readonly #registry: Registry
  readonly #stars: Star[] = []
  readonly #watches: Watch[] = []

  constructor(registry: Registry) {
    this.#registry = registry
  }

  star(user: User, repository: Repository): void {
    if (this.isStarred(user, repository)) return
    this.#stars.push({ user, repository })
    repository.stargazerCount += 1
    this.#registry.recordWrite()
  }

  unstar(user: User, repository: Repository): void {
    if (!take(this.#stars, user, repository)) return
    repository.stargazerCount -= 1
    this.#registry.recordWrite()
  }

  isStarred(user: User, repository: Repository): boolean {
    return this.#stars.some(star => star.user === user && star.repository === repository)
  }

  /** The latest first. */
  starredBy(user: User): Repository[] {
    const own = this.#stars.filter(star => star.user === user)
    return own.map(({ repository }) => repository).toReversed()
  }

  watch(user: User, repository: Repository, ignored: boolean): Watch {
    const known = this.watchOf(user, repository)
    if (known?.ignored === ignored) return known
    take(this.#watches, user, repository)
    const createdAt = known?.createdAt ?? this.#registry.timestamp()
    const watch: Watch = { user, repository, ignored, createdAt }
    this.#watches.push(watch)
    this.#registry.recordWrite()
    return watch
  }

  unwatch(user: User, repository: Repository): void {
    if (take(this.#watches, user, repository)) this.#registry.recordWrite()
  }

  watchOf(user: User, repository: Repository): Watch | undefined {
    return this.#watches.find(watch => watch.user === user && watch.repository === repository)
  }

  all(): readonly (Star | Watch)[] {
    return [...this.#stars, ...this.#watches]
  }
}

/** Removes the entry of a user and a repository. Returns whether there was one. */
function take(entries: Star[], user: User, repository: Repository): boolean {
  const index = entries.findIndex(it => it.user === user && it.repository === repository)
  if (index === -1) return false
  entries.splice(index, 1)
  return true
}
