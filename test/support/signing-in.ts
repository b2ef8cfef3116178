import type {
  OAuthClientProvider,
  OAuthDiscoveryState,
  OAuthTokens,
  StoredOAuthClientInformation,
} from '@modelcontextprotocol/client'

export const CALLBACK = 'http://127.0.0.1/signed-in'

/** The memory of a client of MCP that signs in: its registration, its tokens, and where it sends the browser. */
export interface SigningIn extends OAuthClientProvider {
  /** The address to which the client sends the browser. */
  address: URL | null
  held: OAuthTokens | undefined
}

/** @param scope the scopes that the client asks for by itself */
export function createSigningIn(scope?: string): SigningIn {
  let registered: StoredOAuthClientInformation | undefined
  let verifier = ''
  let discovered: OAuthDiscoveryState | undefined
  const self: SigningIn = {
    address: null,
    held: undefined,
    redirectUrl: CALLBACK,
    clientMetadata: {
      client_name: 'tester',
      redirect_uris: [CALLBACK],
      grant_types: ['authorization_code', 'refresh_token'],
      response_types: ['code'],
      token_endpoint_auth_method: 'none',
      ...(scope === undefined ? {} : { scope }),
    },
    clientInformation: () => registered,
    saveClientInformation: next => {
      registered = next
    },
    tokens: () => self.held,
    saveTokens: next => {
      self.held = next
    },
    redirectToAuthorization: address => {
      self.address = address
    },
    saveCodeVerifier: next => {
      verifier = next
    },
    codeVerifier: () => verifier,
    saveDiscoveryState: next => {
      discovered = next
    },
    discoveryState: () => discovered,
  }
  return self
}
