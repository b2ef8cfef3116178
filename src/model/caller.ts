import type { ProfileName } from './profile-name.ts'
import type { Scope } from './scopes.ts'

/** Who calls. */
export interface Caller {
  readonly name: string
  /** May see other callers' requests. */
  readonly operator: boolean
  /** What else it may do. @default nothing */
  readonly scopes?: readonly Scope[]
  /** Dialect of its answers when a call names none. */
  readonly profile?: ProfileName
}
