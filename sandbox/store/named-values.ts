import type { Repository } from './entities.ts'
import { compareKeys } from './order.ts'
import type { Registry } from './registry.ts'

/** Values of a repository, by name. Names are stored in upper case. */
export class NamedValues<Value extends { readonly name: string }> {
  protected readonly registry: Registry
  readonly #byRepository = new Map<Repository, Map<string, Value>>()

  constructor(registry: Registry) {
    this.registry = registry
  }

  /** Sorted by name. */
  of(repository: Repository): Value[] {
    const values = [...(this.#byRepository.get(repository)?.values() ?? [])]
    return values.toSorted((a, b) => compareKeys(a.name, b.name))
  }

  find(repository: Repository, name: string): Value | undefined {
    return this.#byRepository.get(repository)?.get(name.toUpperCase())
  }

  /** @returns Whether the value existed. */
  delete(repository: Repository, name: string): boolean {
    const existed = this.#byRepository.get(repository)?.delete(name.toUpperCase()) ?? false
    if (existed) this.registry.recordWrite()
    return existed
  }

  all(): ReadonlyMap<Repository, ReadonlyMap<string, Value>> {
    return this.#byRepository
  }

  protected put(repository: Repository, value: Value): void {
    const own = this.#byRepository.get(repository) ?? new Map<string, Value>()
    this.#byRepository.set(repository, own.set(value.name, value))
    this.registry.recordWrite()
  }
}
