import { once } from 'node:events'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import Provider from 'oidc-provider'
import { onTestFinished } from 'vitest'

/** A real authorization server with people who sign in without a password. */
export interface SignInServer {
  readonly issuer: string
  /** The person at the browser. */
  user: string
  /** The resources for which tokens were asked. */
  readonly resources: readonly string[]
  /** Follows the redirects of a browser, from the address at which a client sends it. @returns where it ends */
  browse(address: URL, until: string): Promise<URL>
}

/** Access tokens are JWTs. */
const asResource = (audience: string, seconds: number) => ({
  scope: 'signalbox',
  audience,
  accessTokenFormat: 'jwt',
  accessTokenTTL: seconds,
  jwt: { sign: { alg: 'RS256' } },
})

export interface SignInOptions {
  /** The groups of each person. */
  readonly groups: Readonly<Record<string, readonly string[]>>
  /** How long an access token is good. @default an hour */
  readonly seconds?: number
  /** The audience of every token. @default the resource that the client asks for */
  readonly audience?: string
}

/** Starts an authorization server. It ends with the test. */
export async function startSignInServer({
  groups,
  seconds = 3600,
  audience,
}: SignInOptions): Promise<SignInServer> {
  const server = createServer()
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const issuer = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  const resources: string[] = []
  const provider: Provider = new Provider(issuer, {
    scopes: ['openid', 'offline_access', 'signalbox'],
    features: {
      devInteractions: { enabled: false },
      registration: { enabled: true },
      resourceIndicators: {
        enabled: true,
        useGrantedResource: () => true,
        getResourceServerInfo: (_: unknown, resource: string) => {
          resources.push(resource)
          return asResource(audience ?? resource, seconds)
        },
      },
    },
    interactions: { url: () => '/sign-in' },
    findAccount: (_: unknown, id: string) => ({ accountId: id, claims: () => ({ sub: id }) }),
    extraTokenClaims: (_: unknown, { accountId }: { accountId?: string }) =>
      accountId === undefined
        ? {}
        : { email: `${accountId}@example.com`, groups: groups[accountId] ?? [] },
  })
  const handle = provider.callback()
  const self: SignInServer = {
    issuer,
    user: '',
    resources,
    browse: (address, until) => browse(address, until),
  }
  server.on('request', (request, response) => {
    if (!request.url?.startsWith('/sign-in')) return handle(request, response)
    void decide(provider, self.user, request, response)
  })
  onTestFinished(() => {
    server.closeAllConnections()
    server.close()
  })
  return self
}

/** Signs the person in, then gives the client whatever it asks for. */
async function decide(
  provider: Provider,
  user: string,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  const { prompt, params } = await provider.interactionDetails(request, response)
  if (prompt.name === 'login') {
    return await provider.interactionFinished(request, response, { login: { accountId: user } })
  }
  const grant = new provider.Grant({ clientId: params.client_id, accountId: user })
  grant.addOIDCScope('openid offline_access signalbox')
  for (const resource of [params.resource ?? []].flat()) {
    grant.addResourceScope(resource, 'signalbox')
  }
  const consent = { grantId: await grant.save() }
  await provider.interactionFinished(request, response, { consent })
}

const MOST_REDIRECTS = 10

async function browse(address: URL, until: string): Promise<URL> {
  const cookies = new Map<string, string>()
  let at = address
  for (let left = MOST_REDIRECTS; left > 0; left--) {
    if (at.href.startsWith(until)) return at
    const cookie = [...cookies].map(pair => pair.join('=')).join('; ')
    const response = await fetch(at, { redirect: 'manual', headers: { cookie } })
    for (const line of response.headers.getSetCookie()) {
      const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(line) ?? []
      cookies.set(name, value)
    }
    const next = response.headers.get('location')
    if (next === null) throw new Error(`${at.href}: ${response.status} ${await response.text()}`)
    at = new URL(next, at)
  }
  throw new Error('too many redirects')
}
