import type { Repository, Timestamp } from './entities.ts'
import { NamedValues } from './named-values.ts'
import { Refusal } from './refusal.ts'

export interface Variable {
  readonly name: string
  readonly value: string
  readonly createdAt: Timestamp
  readonly updatedAt: Timestamp
}

/** Variables for workflows. */
export class Variables extends NamedValues<Variable> {
  add(repository: Repository, name: string, value: string): void {
    if (this.find(repository, name)) {
      throw new Refusal('exists', 'Already exists - Variable already exists')
    }
    const now = this.registry.timestamp()
    this.put(repository, { name: name.toUpperCase(), value, createdAt: now, updatedAt: now })
  }

  update(repository: Repository, variable: Variable, changes: { name?: string; value?: string }) {
    const name = (changes.name ?? variable.name).toUpperCase()
    const value = changes.value ?? variable.value
    this.delete(repository, variable.name)
    this.put(repository, { ...variable, name, value, updatedAt: this.registry.timestamp() })
  }
}
