import { createRemoteJWKSet, customFetch, errors, type JWTVerifyGetKey } from 'jose'
import * as oauth from 'oauth4webapi'
import { Agent, fetch } from 'undici'
import { isTrustedAddress } from '../lib/trusted-address.ts'
import { GatewayError } from '../model/errors.ts'

const TIMEOUT_MS = 5000
/** For so long a failed fetch is not repeated: requests with a token would send one each. */
const PAUSE_MS = 2000
/** For so long a key that is not in the set is unknown without another fetch. */
const COOLDOWN_MS = 5000
/** For so long a key that the issuer has withdrawn may still count. */
const MAX_AGE_MS = 600_000
const MOST_BYTES = 1_048_576

/** Without keep-alive, no idle connection outlives the gateway. */
const agent = new Agent({ maxResponseSize: MOST_BYTES, pipelining: 0 })

/**
 * Finds the public keys of an issuer, and keeps them.
 * @param jwksUri null: its metadata names it
 * @returns a function that throws a `GatewayError` (SERVER, 503) while the keys cannot be fetched
 */
export function findIssuerKeys(
  issuer: string,
  jwksUri: string | null,
  now: () => number = Date.now,
): JWTVerifyGetKey {
  let failed: { readonly until: number; readonly error: unknown } | null = null
  const send: Send = (url, options) => {
    if (failed !== null && now() < failed.until) throw failed.error
    return fetchBounded(url, options)
  }
  const open = async () => openKeySet(jwksUri ?? (await discover(issuer, send)), send)
  let keySet: ReturnType<typeof open> | null = null
  return async (header, token) => {
    const opened = (keySet ??= open())
    try {
      return await (await opened)(header, token)
    } catch (error) {
      if (isFaultOfToken(error)) throw error
      opened.catch(() => {
        if (keySet === opened) keySet = null
      })
      if (failed?.error !== error) failed = { until: now() + PAUSE_MS, error }
      throw unavailable(issuer, error)
    }
  }
}

type Send = (url: string, options: SentOptions) => Promise<Response>
type SentOptions = Pick<oauth.CustomFetchOptions<'GET'>, 'headers' | 'method' | 'redirect'> & {
  readonly signal?: AbortSignal | undefined
}

function openKeySet(address: string, send: Send): ReturnType<typeof createRemoteJWKSet> {
  return createRemoteJWKSet(new URL(address), {
    timeoutDuration: TIMEOUT_MS,
    cooldownDuration: COOLDOWN_MS,
    cacheMaxAge: MAX_AGE_MS,
    [customFetch]: (url, { headers, ...options }) =>
      send(url, { ...options, headers: Object.fromEntries(headers) }),
  })
}

/** Issuers of OpenID Connect publish their metadata at one address, other authorization servers at another. */
async function discover(issuer: string, send: Send): Promise<string> {
  try {
    return await discoverAs('oidc', issuer, send)
  } catch (error) {
    return await discoverAs('oauth2', issuer, send).catch(() => {
      throw error
    })
  }
}

async function discoverAs(
  algorithm: 'oidc' | 'oauth2',
  issuer: string,
  send: Send,
): Promise<string> {
  const expected = new URL(issuer)
  const response = await oauth.discoveryRequest(expected, {
    algorithm,
    signal: AbortSignal.timeout(TIMEOUT_MS),
    [oauth.allowInsecureRequests]: true,
    [oauth.customFetch]: send,
  })
  const { jwks_uri } = await oauth.processDiscoveryResponse(expected, response)
  if (jwks_uri !== undefined && isTrustedAddress(jwks_uri)) return jwks_uri
  throw new Error('its metadata names no jwks_uri with https')
}

async function fetchBounded(url: string, options: SentOptions): Promise<Response> {
  const response = await fetch(url, { ...options, dispatcher: agent } as object)
  const { status } = response
  const text = await response.text()
  return new Response(text, { status, headers: { 'content-type': 'application/json' } })
}

function isFaultOfToken(error: unknown): boolean {
  return (
    error instanceof errors.JWKSNoMatchingKey ||
    error instanceof errors.JWKSMultipleMatchingKeys ||
    error instanceof errors.JOSENotSupported
  )
}

function unavailable(issuer: string, cause: unknown): GatewayError {
  return new GatewayError(
    'SERVER',
    `The keys of the identity provider ${issuer} cannot be fetched${codeOf(cause)}, so the gateway cannot check the token. Send the request again.`,
    { status: 503, retryAfterMs: PAUSE_MS, cause },
  )
}

/** The codes of errors stand in the causes of `fetch failed`. */
function codeOf(error: unknown): string {
  const { code, cause } = (error ?? {}) as { readonly code?: unknown; readonly cause?: unknown }
  if (typeof code === 'string' && /^[A-Z][A-Z_]{1,40}$/.test(code)) return ` (${code})`
  return cause === undefined || cause === null ? '' : codeOf(cause)
}
