import type { Approver } from './approval.ts'
import type { CardPattern } from './card-pattern.ts'
import type { ProfileName } from './profile-name.ts'
import type { Scope } from './scopes.ts'
import type { Strangers } from './texts.ts'
import type { ToolSelection } from './tool-selection.ts'

/** The caller, as its gateway key or its token identifies it. */
export interface Caller {
  readonly name: string
  /** The identity provider that vouches for it. @default none: it has a gateway key */
  readonly issuer?: string | undefined
  /** May see other callers' requests. */
  readonly operator: boolean
  /** Permissions beyond ordinary calls. @default none */
  readonly scopes?: readonly Scope[] | undefined
  /** Dialect of its answers when a call names none. */
  readonly profile?: ProfileName | undefined
  /** The capabilities that it may call. @default all */
  readonly permission?: Permission | undefined
  /** The people who may approve its calls. @default operators */
  readonly approveBy?: Approver | undefined
  /** @default none */
  readonly limits?: CallerLimits | undefined
  /** For an upstream, the credential that its calls use. @default the upstream's default one */
  readonly credentials?: Readonly<Record<string, string>> | undefined
  /** Whether it may send a credential of its own. @default true */
  readonly passthrough?: boolean | undefined
  /** How its answers show the words of strangers. @default mark */
  readonly strangers?: Strangers | undefined
  /** Its tools over MCP; an address can only narrow them. @default search */
  readonly tools?: ToolSelection | undefined
  /** The selections that its calls have to pass: those of an MCP connection. @default none */
  readonly selections?: readonly ToolSelection[] | undefined
  /** Epoch milliseconds at which its key or token ends. @default never */
  readonly expires?: number | undefined
}

export interface Permission {
  /** Null: all that `deny` does not name. */
  readonly allow: readonly CardPattern[] | null
  readonly deny: readonly CardPattern[]
  /** Capabilities of which a person has to approve each call. */
  readonly approve: readonly CardPattern[]
  /** The reason why it may do nothing at all, as the end of a sentence. @default none */
  readonly lack?: string | undefined
}

export interface CallerLimits {
  readonly requestsPerMinute: number | null
  /** Calls that run at once. */
  readonly concurrency: number | null
}

/** The caller as the subject of a sentence. */
export function describeCaller({ name, issuer }: Pick<Caller, 'name' | 'issuer'>): string {
  return issuer === undefined ? `gateway key "${name}"` : `caller "${name}"`
}
