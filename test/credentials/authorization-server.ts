import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import Provider from 'oidc-provider'
import { onTestFinished } from 'vitest'

/** With characters that a form encodes, and others that it leaves as they are. */
export const CLIENT = { id: 'gate-way_1', secret: 'client:secret+0123 456%7*.' }

export interface AuthorizationServer {
  readonly tokenUrl: string
  /** How many tokens it has issued. */
  readonly issued: () => number
  /** Whether it has issued this token, and the token has not ended. */
  readonly isValid: (token: string) => Promise<boolean>
  /** Ends a token before its time. */
  revoke(token: string): Promise<void>
  createRefreshToken(): Promise<string>
}

/** Starts a real authorization server whose tokens live for so many seconds. It ends with the test. */
export async function startAuthorizationServer(seconds: number): Promise<AuthorizationServer> {
  const server = createServer()
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const issuer = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  const provider = new Provider(issuer, {
    clients: [
      {
        client_id: CLIENT.id,
        client_secret: CLIENT.secret,
        grant_types: ['client_credentials', 'refresh_token', 'authorization_code'],
        redirect_uris: ['https://example.com/done'],
        response_types: ['code'],
      },
    ],
    features: { clientCredentials: { enabled: true }, devInteractions: { enabled: false } },
    scopes: ['openid', 'offline_access', 'parts.read'],
    ttl: { ClientCredentials: seconds, AccessToken: seconds, RefreshToken: 3600 },
    rotateRefreshToken: true,
    findAccount: (_: unknown, id: string) => ({ accountId: id, claims: () => ({ sub: id }) }),
  })
  let issued = 0
  provider.on('grant.success', () => issued++)
  server.on('request', provider.callback())
  onTestFinished(() => {
    server.closeAllConnections()
    server.close()
  })
  const find = async (token: string) =>
    (await provider.ClientCredentials.find(token)) ?? (await provider.AccessToken.find(token))
  return {
    tokenUrl: `${issuer}/token`,
    issued: () => issued,
    isValid: async token => (await find(token))?.isValid === true,
    revoke: async token => await (await find(token))?.destroy(),
    async createRefreshToken() {
      const scope = 'openid offline_access'
      const accountId = 'ann'
      const grant = new provider.Grant({ accountId, clientId: CLIENT.id })
      grant.addOIDCScope(scope)
      const grantId = await grant.save()
      const client = await provider.Client.find(CLIENT.id)
      const gty = 'authorization_code'
      return await new provider.RefreshToken({ accountId, client, grantId, scope, gty }).save()
    },
  }
}
