import type { Repository, Timestamp } from './entities.ts'
import { NamedValues } from './named-values.ts'

/** GitHub never returns the value, not even encrypted. */
export interface Secret {
  readonly name: string
  readonly encryptedValue: string
  readonly createdAt: Timestamp
  readonly updatedAt: Timestamp
}

/** Secrets for workflows. */
export class Secrets extends NamedValues<Secret> {
  /** @returns Whether the secret is new. */
  set(repository: Repository, name: string, encryptedValue: string): boolean {
    const known = this.find(repository, name)
    const now = this.registry.timestamp()
    const createdAt = known?.createdAt ?? now
    this.put(repository, { name: name.toUpperCase(), encryptedValue, createdAt, updatedAt: now })
    return known === undefined
  }
}
