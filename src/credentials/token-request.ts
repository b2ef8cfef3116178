import * as oauth from 'oauth4webapi'
import { type Agent, fetch } from 'undici'
import { CredentialError, type CredentialFault } from '../model/credential.ts'
import type { OAuth2Declaration } from './schema.ts'

export interface Token {
  readonly accessToken: string
  /** Null when the server does not say. */
  readonly expiresInS: number | null
  /** A new one to use from now on; null to keep the old one. */
  readonly refreshToken: string | null
}

export interface OAuthClient {
  readonly id: string
  readonly secret: string | null
  readonly refreshToken: string | null
}

/**
 * Asks a token endpoint for a token, once.
 * @throws {CredentialError} for everything that the endpoint or the network can do.
 */
export async function requestToken(
  declared: OAuth2Declaration,
  client: OAuthClient,
  agent: Agent,
  signal: AbortSignal,
): Promise<Token> {
  const { token_url, grant = 'client_credentials' } = declared
  // The library asks for an issuer, and compares it only with tokens that the gateway does not read.
  const server = { issuer: token_url, token_endpoint: token_url }
  const own = { client_id: client.id }
  const auth = clientAuth(declared, client.secret)
  const parameters = parametersOf(declared, client)
  let answer: Response | null = null
  const options = {
    signal,
    [oauth.allowInsecureRequests]: true,
    [oauth.customFetch]: async (url: string, sent: SentOptions) => {
      answer = await send(url, sent, agent)
      return answer
    },
  }
  try {
    const response = await oauth.genericTokenEndpointRequest(
      server,
      own,
      auth,
      grant,
      parameters,
      options,
    )
    const token = await oauth.processGenericTokenEndpointResponse(server, own, response)
    const { access_token, expires_in = null, refresh_token = null } = token
    return { accessToken: access_token, expiresInS: expires_in, refreshToken: refresh_token }
  } catch (error) {
    throw tokenFailure(error, answer, token_url, signal)
  }
}

type SentOptions = oauth.CustomFetchOptions<'POST', URLSearchParams>

function parametersOf(
  { grant, scope, parameters = {} }: OAuth2Declaration,
  { refreshToken }: OAuthClient,
): URLSearchParams {
  const sent = new URLSearchParams(parameters)
  if (scope !== undefined) sent.set('scope', scope)
  if (grant === 'refresh_token') sent.set('refresh_token', refreshToken ?? '')
  return sent
}

function clientAuth({ client_auth }: OAuth2Declaration, secret: string | null): oauth.ClientAuth {
  if (secret === null || client_auth === 'none') return oauth.None()
  return client_auth === 'post' ? oauth.ClientSecretPost(secret) : clientSecretBasic(secret)
}

/**
 * As RFC 6749 section 2.3.1 says, id and secret are form-encoded. The library's own encodes `-`, `.`, `_` and `*` too, and
 * servers that never decode then refuse each id that is a UUID.
 */
function clientSecretBasic(secret: string): oauth.ClientAuth {
  return (_server, client, _body, headers) => {
    const pair = [client.client_id, secret].map(formEncode).join(':')
    headers.set('authorization', `Basic ${Buffer.from(pair).toString('base64')}`)
  }
}

function formEncode(text: string): string {
  return new URLSearchParams({ '': text }).toString().slice(1)
}

/** Sends by undici, which bounds the size of the answer. */
async function send(
  url: string,
  { method, headers, body, redirect, signal }: SentOptions,
  dispatcher: Agent,
): Promise<Response> {
  const options = { method, headers, body: body.toString(), redirect, dispatcher }
  const answer = await fetch(url, signal === undefined ? options : { ...options, signal })
  const text = await answer.text()
  return new Response(withoutIdToken(text), {
    status: answer.status,
    headers: [...answer.headers].filter(([name]) => KEPT_HEADERS.includes(name)),
  })
}

const KEPT_HEADERS: readonly string[] = ['content-type', 'retry-after']

/** The gateway reads no ID token, and the library would check it against an issuer that it does not know. */
function withoutIdToken(text: string): string {
  try {
    const { id_token: _, ...token } = JSON.parse(text) as Record<string, unknown>
    return JSON.stringify(token)
  } catch {
    return text
  }
}

/** Error codes of RFC 6749 and 8707 that may be shown; any other text of an answer could hold a secret. */
const OAUTH_ERRORS: readonly string[] = [
  'invalid_request',
  'invalid_client',
  'invalid_grant',
  'unauthorized_client',
  'unsupported_grant_type',
  'invalid_scope',
  'invalid_target',
]

/** Names the endpoint's origin, and nothing of its answer but status and code. */
function tokenFailure(
  error: unknown,
  answer: Response | null,
  tokenUrl: string,
  signal: AbortSignal,
): CredentialError {
  const fail = (code: CredentialFault, said: string, retryAfterMs: number | null = null) => {
    const { origin } = new URL(tokenUrl)
    return new CredentialError(
      code,
      `The authorization server ${origin} ${said}, so there is no token.`,
      retryAfterMs,
    )
  }
  if (answer === null) {
    if (signal.aborted) return fail('TIMEOUT', 'did not answer in time')
    return fail('NETWORK', `cannot be reached${networkCode(error)}`)
  }
  const { status } = answer
  if (status === 429) return fail('RATE_LIMIT', 'answered 429', retryAfter(answer))
  if (status >= 500) return fail('SERVER', `answered ${status}`, retryAfter(answer))
  const said = error instanceof oauth.ResponseBodyError ? error.error : ''
  const code = OAUTH_ERRORS.includes(said) ? ` ${said}` : ''
  return fail('AUTH', `answered ${status}${code}`)
}

/** The codes of errors stand in the causes of `fetch failed`. */
function networkCode(error: unknown): string {
  const { code, cause } = (error ?? {}) as { readonly code?: unknown; readonly cause?: unknown }
  if (typeof code === 'string' && /^[A-Z][A-Z_]{1,40}$/.test(code)) return ` (${code})`
  return cause === undefined || cause === null ? '' : networkCode(cause)
}

function retryAfter(answer: Response): number | null {
  const seconds = Number(answer.headers.get('retry-after') ?? Number.NaN)
  return Number.isFinite(seconds) && seconds >= 0 ? seconds * 1000 : null
}
