import type { JWTVerifyGetKey } from 'jose'
import { compileExpression, ExpressionError } from '../expressions/expression.ts'
import { isTrustedAddress } from '../lib/trusted-address.ts'
import type { Caller } from '../model/caller.ts'
import { GatewayError } from '../model/errors.ts'
import type { Expression } from '../model/expression.ts'
import { SettingsError } from '../model/settings-error.ts'
import { AccessError } from './access-error.ts'
import type { Issuer, Role } from './issuer-schema.ts'
import { openRights } from './rights.ts'
import { callerOfClaims, type Mapping } from './token-caller.ts'
import type { TokenRules } from './verify-token.ts'

/** An identity provider whose tokens the gateway accepts. */
export interface OpenIssuer {
  readonly rules: TokenRules
  readonly mapping: Mapping
  readonly jwksUri: string | null
}

/**
 * Compiles the expressions of the identity providers.
 * @param previous keeps the public keys of issuers that stay
 * @throws {SettingsError} for an entry that is not usable.
 */
export function openIssuers(
  declared: readonly Issuer[],
  previous: readonly OpenIssuer[] = [],
): readonly OpenIssuer[] {
  const seen = new Set<string>()
  return declared.map(entry => {
    const { issuer, jwks_uri } = entry
    if (seen.has(issuer)) throw unusable(issuer, 'it stands there twice; join its audiences')
    seen.add(issuer)
    for (const address of [issuer, jwks_uri ?? issuer]) {
      if (!isTrustedAddress(address)) {
        throw unusable(
          issuer,
          `write ${address} with https: whoever changes its keys on the way can sign tokens`,
        )
      }
    }
    const prefix = entry.prefix ?? (declared.length === 1 ? '' : `${withoutScheme(issuer)}#`)
    return openIssuer(entry, prefix, previous)
  })
}

function openIssuer(entry: Issuer, prefix: string, previous: readonly OpenIssuer[]): OpenIssuer {
  const { issuer, audience, required_scopes = [], jwks_uri: jwksUri = null } = entry
  const same = previous.find(one => one.rules.issuer === issuer && one.jwksUri === jwksUri)
  return {
    rules: {
      issuer,
      audiences: typeof audience === 'string' ? [audience] : audience,
      requiredScopes: required_scopes,
      findKey: same?.rules.findKey ?? keysOf(issuer, jwksUri),
    },
    mapping: openMapping(entry, prefix),
    jwksUri,
  }
}

/** Loads the library with the first token: most gateways have no identity provider. */
function keysOf(issuer: string, jwksUri: string | null): JWTVerifyGetKey {
  let keys: Promise<JWTVerifyGetKey> | null = null
  return async (header, token) => {
    keys ??= import('./issuer-keys.ts').then(it => it.findIssuerKeys(issuer, jwksUri))
    return await (await keys)(header, token)
  }
}

function openMapping({ issuer, claims = {}, roles = [] }: Issuer, prefix: string): Mapping {
  if ((claims.role === undefined) !== (roles.length === 0)) {
    throw unusable(issuer, 'claims.role and roles go together; set both, or none')
  }
  const compiled = (part: 'role' | 'allow' | 'credentials') => {
    const text = claims[part]
    return text === undefined ? null : compile(issuer, part, text)
  }
  const opened = new Map<string, Caller>()
  for (const role of roles) {
    if (opened.has(role.name)) throw unusableRole(issuer, role, 'its name stands there twice')
    opened.set(role.name, openRole(issuer, role, claims))
  }
  return {
    issuer,
    prefix,
    name: compile(issuer, 'name', claims.name ?? 'sub'),
    role: compiled('role'),
    allow: compiled('allow'),
    credentials: compiled('credentials'),
    roles: opened,
  }
}

function openRole(issuer: string, role: Role, claims: NonNullable<Issuer['claims']>): Caller {
  if (claims.allow !== undefined && (role.allow ?? role.read_only) !== undefined) {
    throw unusableRole(
      issuer,
      role,
      'claims.allow says what callers may call; leave out its own list',
    )
  }
  if (claims.credentials !== undefined && role.credentials !== undefined) {
    throw unusableRole(issuer, role, 'claims.credentials chooses credentials; leave out its own')
  }
  return openRights(role.name, role, message => unusableRole(issuer, role, message))
}

function compile(issuer: string, part: string, text: string): Expression {
  try {
    return compileExpression(text)
  } catch (error) {
    if (!(error instanceof ExpressionError)) throw error
    throw unusable(issuer, `claims.${part} ${error.message}`)
  }
}

/**
 * The caller with this token, or the error to answer with; null when the text is no JWT.
 */
export async function identifyByToken(
  issuers: readonly OpenIssuer[],
  token: string,
): Promise<Caller | GatewayError | null> {
  const { claimedIssuer, verifyToken } = await import('./verify-token.ts')
  const claimed = claimedIssuer(token)
  if (claimed === null) return null
  const issuer = issuers.find(({ rules }) => rules.issuer === claimed)
  if (!issuer) return foreignIssuer(issuers)
  try {
    return callerOfClaims(issuer.mapping, await verifyToken(token, issuer.rules))
  } catch (error) {
    if (error instanceof GatewayError) return error
    throw error
  }
}

/** Fetches the keys of an issuer. Returns the error if there is one. */
export async function checkKeysOf({ rules }: OpenIssuer): Promise<GatewayError | null> {
  try {
    await rules.findKey({ alg: 'RS256' }, { payload: '', signature: '' })
  } catch (error) {
    // Any other error is about the key that nobody asked for.
    if (error instanceof GatewayError) return error
  }
  return null
}

function foreignIssuer(issuers: readonly OpenIssuer[]): AccessError {
  const known = issuers.map(({ rules }) => rules.issuer).join(' or ')
  return new AccessError(
    'invalid_token',
    `The gateway does not accept the token: its issuer is not ${known}. Get one there.`,
  )
}

function withoutScheme(address: string): string {
  return address.replace(/^https?:\/\//, '')
}

function unusable(issuer: string, message: string): SettingsError {
  return new SettingsError(`the identity provider ${issuer} is not usable: ${message}.`)
}

function unusableRole(issuer: string, { name }: Role, message: string): SettingsError {
  return unusable(issuer, `role ${JSON.stringify(name)}: ${message}`)
}
