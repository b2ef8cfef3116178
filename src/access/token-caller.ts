import { ExpressionError } from '../expressions/expression.ts'
import type { Caller, Permission } from '../model/caller.ts'
import { CARD_PATTERN, parseCardPattern } from '../model/card-pattern.ts'
import { GatewayError } from '../model/errors.ts'
import type { Expression } from '../model/expression.ts'
import type { Claims } from './verify-token.ts'

/** The way from the claims of a token to its caller. */
export interface Mapping {
  readonly issuer: string
  readonly prefix: string
  readonly name: Expression
  /** Null where the settings do not say. */
  readonly role: Expression | null
  readonly allow: Expression | null
  readonly credentials: Expression | null
  /** By the name of the role, in the order of the settings. */
  readonly roles: ReadonlyMap<string, Caller>
}

/** Characters that can be seen, with single spaces between them: the journal and the logs show names. */
const NAME = /^[^\p{C}\p{Z}]+(?: [^\p{C}\p{Z}]+)*$/u
const LONGEST_NAME = 200
const PATTERN = new RegExp(CARD_PATTERN)
const MOST_PATTERNS = 200

/** The caller that the claims of a good token describe. Without a mapping that says more, it may do nothing. */
export function callerOfClaims(mapping: Mapping, claims: Claims): Caller | GatewayError {
  const { issuer, prefix } = mapping
  const text = evaluate(mapping.name, claims)
  if (!isName(text)) return nameless(issuer)
  const identity = { name: prefix + text, issuer, expires: Number(claims.exp) * 1000 }
  const role = mapping.role && roleOf(mapping, evaluate(mapping.role, claims))
  const allow = mapping.allow && patternsOf(evaluate(mapping.allow, claims))
  const credentials = mapping.credentials && credentialsOf(evaluate(mapping.credentials, claims))
  const lack = lackOf(mapping, { role, allow, credentials })
  if (lack !== null) return { ...identity, operator: false, permission: nothing(lack) }
  return {
    operator: false,
    ...role,
    ...identity,
    ...(allow === null ? {} : { permission: { ...(role?.permission ?? NONE), allow } }),
    ...(credentials === null ? {} : { credentials }),
  }
}

const NONE: Permission = { allow: [], deny: [], approve: [] }

function nothing(lack: string): Permission {
  return { ...NONE, lack }
}

/** A mapping that fails over a token gives nothing, as one does that finds nothing. */
function evaluate(expression: Expression, claims: Claims): unknown {
  try {
    return expression(claims) ?? null
  } catch (error) {
    if (error instanceof ExpressionError) return null
    throw error
  }
}

function isName(value: unknown): value is string {
  return typeof value === 'string' && value.length <= LONGEST_NAME && NAME.test(value)
}

function roleOf({ roles }: Mapping, value: unknown): Caller | null {
  const names = Array.isArray(value) ? value : [value]
  for (const [name, role] of roles) if (names.includes(name)) return role
  return null
}

/**
 * Leaves out scopes of other services, which are no patterns. Null for no list at all, and for one with an entry that could mean
 * to take something away.
 */
function patternsOf(value: unknown): Permission['allow'] {
  const texts: unknown = typeof value === 'string' ? value.split(' ') : value
  if (!Array.isArray(texts) || !texts.every(isAddition)) return null
  const patterns = texts.filter(text => PATTERN.test(text))
  return patterns.slice(0, MOST_PATTERNS).map(parseCardPattern)
}

function isAddition(text: unknown): text is string {
  return typeof text === 'string' && !/^[-!]/.test(text)
}

function credentialsOf(value: unknown): Caller['credentials'] | null {
  if (value === null || typeof value !== 'object' || Array.isArray(value)) return null
  const isComplete = Object.values(value).every(name => typeof name === 'string' && name !== '')
  return isComplete ? (value as Record<string, string>) : null
}

type Mapped = Readonly<Record<'role' | 'allow' | 'credentials', unknown>>

/** The part that the token lacks, as the end of a sentence; null when each part of the mapping gave a value. */
function lackOf(mapping: Mapping, mapped: Mapped): string | null {
  if (mapping.role === null && mapping.allow === null) {
    return 'the settings of its issuer have neither claims.role nor claims.allow.'
  }
  const empty = (['role', 'allow', 'credentials'] as const).find(
    part => mapping[part] !== null && mapped[part] === null,
  )
  return empty === undefined ? null : `claims.${empty} gives nothing for its token.`
}

function nameless(issuer: string): GatewayError {
  return new GatewayError(
    'FORBIDDEN',
    `The token of ${issuer} is good, but claims.name gives no name for it, so it may do nothing. The operator can change the expression.`,
    { source: 'caller' },
  )
}
