import { decodeJwt, errors, type JWTPayload, type JWTVerifyGetKey, jwtVerify } from 'jose'
import { GatewayError } from '../model/errors.ts'
import { AccessError } from './access-error.ts'

/** Asymmetric ones only: with a public key as an HMAC secret, everybody could sign. */
const ALGORITHMS = [
  'RS256',
  'RS384',
  'RS512',
  'PS256',
  'PS384',
  'PS512',
  'ES256',
  'ES384',
  'ES512',
  'EdDSA',
  'Ed25519',
]

/** Between the clocks of two machines, seconds. */
const CLOCK_TOLERANCE_S = 5

/** Tokens of other types, such as those of a logout, prove nothing about their bearer. */
const TYPES: readonly string[] = ['jwt', 'at+jwt', 'application/at+jwt']

/** The rules for the tokens of one issuer. */
export interface TokenRules {
  readonly issuer: string
  readonly audiences: readonly string[]
  readonly requiredScopes: readonly string[]
  readonly findKey: JWTVerifyGetKey
}

export type Claims = Readonly<JWTPayload>

/** The issuer that a token names, which proves nothing yet; null when the text is no JWT. */
export function claimedIssuer(token: string): string | null {
  try {
    return decodeJwt(token).iss ?? ''
  } catch {
    return null
  }
}

/**
 * Returns the claims of a token that is good.
 * @throws {AccessError} for a token that is not
 * @throws {GatewayError} SERVER while the keys of the issuer cannot be fetched
 */
export async function verifyToken(token: string, rules: TokenRules): Promise<Claims> {
  const { issuer, audiences, findKey } = rules
  try {
    const { payload, protectedHeader } = await jwtVerify(token, findKey, {
      issuer,
      audience: [...audiences],
      algorithms: ALGORITHMS,
      clockTolerance: CLOCK_TOLERANCE_S,
      requiredClaims: ['exp'],
    })
    requireType(protectedHeader.typ, issuer)
    requireBearer(payload, issuer)
    requireScopes(payload, rules)
    return payload
  } catch (error) {
    if (error instanceof GatewayError) throw error
    throw invalidToken(faultOf(error, audiences), issuer)
  }
}

function requireType(type: string | undefined, issuer: string): void {
  if (type === undefined || TYPES.includes(type.toLowerCase())) return
  throw invalidToken('it is no access token', issuer)
}

/** A token that is bound to a key of its client is worth nothing without a proof of that key. */
function requireBearer({ cnf }: Claims, issuer: string): void {
  if (cnf === undefined) return
  throw invalidToken(
    'it is bound to a key of its client, and this gateway takes bearer tokens',
    issuer,
  )
}

function requireScopes(claims: Claims, { requiredScopes }: TokenRules): void {
  const scopes = scopesOf(claims)
  const lacking = requiredScopes.filter(scope => !scopes.includes(scope))
  if (lacking.length === 0) return
  throw new AccessError(
    'insufficient_scope',
    `The token lacks the scope ${lacking.join(' ')}. Get one with ${requiredScopes.join(' ')}.`,
  )
}

/** RFC 9068 has `scope`, a text; Entra ID and Okta have `scp`, a text or a list. */
function scopesOf({ scope, scp }: Claims): readonly unknown[] {
  return [scope, scp].flatMap(value =>
    typeof value === 'string' ? value.split(' ') : Array.isArray(value) ? value : [],
  )
}

/** Says nothing of the token that its bearer could not read in it. */
function faultOf(error: unknown, audiences: readonly string[]): string {
  if (error instanceof errors.JWTExpired) {
    return `it expired at ${new Date(Number(error.payload.exp) * 1000).toISOString()}`
  }
  if (error instanceof errors.JWTClaimValidationFailed) {
    return CLAIM_FAULTS[error.claim]?.(audiences) ?? `its claim ${error.claim} is not valid`
  }
  if (error instanceof errors.JOSEAlgNotAllowed) {
    return `its algorithm is not one of ${ALGORITHMS.join(', ')}`
  }
  if (error instanceof errors.JWKSNoMatchingKey) return 'its issuer has no key with its kid'
  if (error instanceof errors.JWKSMultipleMatchingKeys)
    return 'it does not say with which kid it is signed'
  if (error instanceof errors.JWSSignatureVerificationFailed) return 'its signature is wrong'
  return 'it is not a valid JWT'
}

const CLAIM_FAULTS: Readonly<Record<string, (audiences: readonly string[]) => string>> = {
  aud: audiences => `it is not for this gateway, whose audience is ${audiences.join(' or ')}`,
  nbf: () => 'it is not valid yet',
  exp: () => 'it has no time at which it expires',
}

export function invalidToken(fault: string, issuer: string): AccessError {
  return new AccessError(
    'invalid_token',
    `The gateway does not accept the token: ${fault}. Get a new one from ${issuer}.`,
  )
}
