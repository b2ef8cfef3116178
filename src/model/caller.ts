import type { ProfileName } from './profile-name.ts'
import type { Scope } from './scopes.ts'

/** The caller, as its gateway key identifies it. */
export interface Caller {
  readonly name: string
  /** May see other callers' requests. */
  readonly operator: boolean
  /** Permissions beyond ordinary calls. @default none */
  readonly scopes?: readonly Scope[]
  /** Dialect of its answers when a call names none. */
  readonly profile?: ProfileName
}
