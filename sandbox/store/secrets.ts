import type { Repository, Timestamp } from './entities.ts'
import type { Registry } from './registry.ts'

/** GitHub never returns the value, not even encrypted. */
export interface Secret {
  readonly name: string
  readonly encryptedValue: string
  readonly createdAt: Timestamp
  readonly updatedAt: Timestamp
}

/** Secrets for workflows. Names are stored in upper case. */
export class Secrets {
  readonly #registry: Registry
  readonly #byRepository = new Map<Repository, Map<string, Secret>>()

  constructor(registry: Registry) {
    this.#registry = registry
  }

  /** Sorted by name. */
  of(repository: Repository): Secret[] {
    const secrets = [...(this.#byRepository.get(repository)?.values() ?? [])]
    return secrets.toSorted((a, b) => (a.name < b.name ? -1 : 1))
  }

  /** @returns Whether the secret is new. */
  set(repository: Repository, name: string, encryptedValue: string): boolean {
    const own = this.#byRepository.get(repository) ?? new Map<string, Secret>()
    this.#byRepository.set(repository, own)
    const known = own.get(name.toUpperCase())
    const now = this.#registry.timestamp()
    own.set(name.toUpperCase(), {
      name: name.toUpperCase(),
      encryptedValue,
      createdAt: known?.createdAt ?? now,
      updatedAt: now,
    })
    this.#registry.recordWrite()
    return known === undefined
  }

  delete(repository: Repository, name: string): boolean {
    const isGone = this.#byRepository.get(repository)?.delete(name.toUpperCase()) ?? false
    if (isGone) this.#registry.recordWrite()
    return isGone
  }

  all(): ReadonlyMap<Repository, ReadonlyMap<string, Secret>> {
    return this.#byRepository
  }
}
