import type { Repository, Timestamp } from './entities.ts'
import { Refusal } from './refusal.ts'
import type { Registry } from './registry.ts'

export interface Variable {
  readonly name: string
  readonly value: string
  readonly createdAt: Timestamp
  readonly updatedAt: Timestamp
}

/** Variables for workflows. Names are stored in upper case. */
export class Variables {
  readonly #registry: Registry
  readonly #byRepository = new Map<Repository, Map<string, Variable>>()

  constructor(registry: Registry) {
    this.#registry = registry
  }

  /** Sorted by name. */
  of(repository: Repository): Variable[] {
    const variables = [...(this.#byRepository.get(repository)?.values() ?? [])]
    return variables.toSorted((a, b) => (a.name < b.name ? -1 : 1))
  }

  find(repository: Repository, name: string): Variable | undefined {
    return this.#byRepository.get(repository)?.get(name.toUpperCase())
  }

  add(repository: Repository, name: string, value: string): void {
    if (this.find(repository, name)) {
      throw new Refusal('exists', 'Already exists - Variable already exists')
    }
    const own = this.#byRepository.get(repository) ?? new Map<string, Variable>()
    this.#byRepository.set(repository, own)
    const now = this.#registry.timestamp()
    const kept = name.toUpperCase()
    own.set(kept, { name: kept, value, createdAt: now, updatedAt: now })
    this.#registry.recordWrite()
  }

  update(repository: Repository, variable: Variable, changes: { name?: string; value?: string }) {
    const own = this.#byRepository.get(repository)
    own?.delete(variable.name)
    const name = (changes.name ?? variable.name).toUpperCase()
    const value = changes.value ?? variable.value
    own?.set(name, { ...variable, name, value, updatedAt: this.#registry.timestamp() })
    this.#registry.recordWrite()
  }

  delete(repository: Repository, { name }: Variable): void {
    this.#byRepository.get(repository)?.delete(name)
    this.#registry.recordWrite()
  }

  all(): ReadonlyMap<Repository, ReadonlyMap<string, Variable>> {
    return this.#byRepository
  }
}
