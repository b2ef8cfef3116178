import type { IncomingHttpHeaders } from 'node:http'
import type { GatewayError } from '../model/errors.ts'
import { AccessError } from './access-error.ts'
import type { OpenIssuer } from './issuers.ts'

/** The place at which RFC 9728 puts the description of a gateway. That of a part has the part's path at its end. */
export const METADATA_PATH = '/.well-known/oauth-protected-resource'
const MCP_PATH = '/mcp'

/** The facts of the gateway for OAuth clients, which find the authorization server there. */
export interface ResourceMetadata {
  readonly resource: string
  readonly authorization_servers: readonly string[]
  readonly scopes_supported?: readonly string[]
  readonly bearer_methods_supported: readonly string[]
  readonly resource_name: string
}

/** @param path the part that the metadata describe; empty for the gateway as a whole */
export function describeResource(
  issuers: readonly OpenIssuer[],
  base: string,
  path: string,
): ResourceMetadata {
  const scopes = scopesOf(issuers)
  return {
    resource: resourceOf(issuers, `${base}${path}`),
    authorization_servers: issuers.map(({ rules }) => rules.issuer),
    ...(scopes.length === 0 ? {} : { scopes_supported: scopes }),
    bearer_methods_supported: ['header'],
    resource_name: 'Signalbox',
  }
}

/** Clients ask for tokens for this resource, so an audience that contains the address comes first. */
function resourceOf(issuers: readonly OpenIssuer[], address: string): string {
  const audiences = issuers.flatMap(({ rules }) => rules.audiences)
  const exact = audiences.find(audience => audience === address)
  return exact ?? audiences.find(audience => contains(audience, address)) ?? address
}

function contains(audience: string, address: string): boolean {
  if (!URL.canParse(audience)) return false
  const [outer, inner] = [new URL(audience), new URL(address)]
  const path = outer.pathname.replace(/\/?$/, '/')
  return outer.origin === inner.origin && `${inner.pathname}/`.startsWith(path)
}

function scopesOf(issuers: readonly OpenIssuer[]): readonly string[] {
  return [...new Set(issuers.flatMap(({ rules }) => rules.requiredScopes))]
}

/** The address under which a request reached the gateway. */
export function baseOf({ host }: IncomingHttpHeaders, publicUrl: string): string {
  return publicUrl === '' ? `http://${host ?? 'localhost'}` : publicUrl.replace(/\/$/, '')
}

/**
 * The header WWW-Authenticate of a refusal, as RFC 6750 and RFC 9728 say: it leads clients to the authorization server, or
 * says what is wrong with their token. Null for a refusal that another token would not change.
 */
export function challengeOf(
  error: GatewayError,
  issuers: readonly OpenIssuer[],
  base: string,
  path: string,
): string | null {
  const fault = error instanceof AccessError ? error.fault : null
  if (error.status !== 401 && fault === null) return null
  if (issuers.length === 0) return 'Bearer realm="signalbox"'
  const scopes = scopesOf(issuers)
  const place = path === MCP_PATH ? `${METADATA_PATH}${MCP_PATH}` : METADATA_PATH
  const parameters = {
    realm: 'signalbox',
    ...(fault === null ? {} : { error: fault, error_description: error.message }),
    ...(scopes.length === 0 ? {} : { scope: scopes.join(' ') }),
    resource_metadata: `${base}${place}`,
  }
  const pairs = Object.entries(parameters).map(([name, value]) => `${name}="${quotable(value)}"`)
  return `Bearer ${pairs.join(', ')}`
}

/** RFC 6750 allows neither quotes nor backslashes there, nor anything outside ASCII. */
function quotable(text: string): string {
  return text.replaceAll('"', "'").replaceAll(/[^ -[\]-~]/g, '?')
}
