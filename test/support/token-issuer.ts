import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import {
  exportJWK,
  generateKeyPair,
  type JWTHeaderParameters,
  type JWTPayload,
  SignJWT,
} from 'jose'

export const AUDIENCE = 'https://gateway.example.com/mcp'

export type SigningKey = Awaited<ReturnType<typeof generateKeyPair>> & { readonly kid: string }

export interface IssuerAnswer {
  readonly status: number
  readonly body: string
}

/** An issuer that serves its metadata and keys, and signs what it is asked to. */
export interface TokenIssuer {
  readonly issuer: string
  /** The keys that it publishes, which a test can change. */
  readonly keys: SigningKey[]
  /** Signs claims with the first of its keys. Null leaves a claim or a header out. */
  sign(claims?: Record<string, unknown>, options?: SignOptions): Promise<string>
  /** The paths that were asked for. */
  readonly asked: string[]
  /** Changes its answers. @default null: it answers as it should */
  fault: ((path: string, usual: string) => IssuerAnswer | null) | null
  close(): Promise<void>
}

export interface SignOptions {
  readonly header?: Partial<JWTHeaderParameters> & Record<string, unknown>
  readonly key?: SigningKey | Uint8Array
}

export async function createSigningKey(kid: string, alg = 'RS256'): Promise<SigningKey> {
  return { ...(await generateKeyPair(alg, { extractable: true })), kid }
}

export async function startTokenIssuer(): Promise<TokenIssuer> {
  const keys = [await createSigningKey('first')]
  const asked: string[] = []
  const server = createServer((request, response) => {
    void answer(request.url ?? '').then(reply => {
      response.writeHead(reply.status, { 'content-type': 'application/json' }).end(reply.body)
    })
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const issuer = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  const answer = async (path: string) => {
    asked.push(path)
    const found = await documentAt(path)
    const usual = { status: found === null ? 404 : 200, body: JSON.stringify(found ?? {}) }
    return self.fault?.(path, usual.body) ?? usual
  }
  const documentAt = async (path: string) => {
    if (path === '/.well-known/openid-configuration') return { issuer, jwks_uri: `${issuer}/jwks` }
    if (path !== '/jwks') return null
    return { keys: await Promise.all(keys.map(publicJwk)) }
  }
  const self: TokenIssuer = {
    issuer,
    keys,
    asked,
    fault: null,
    sign: (claims = {}, options = {}) => sign({ ...defaults(issuer), ...claims }, keys[0], options),
    async close() {
      server.closeAllConnections()
      server.close()
      await once(server, 'close')
    },
  }
  return self
}

async function publicJwk({ publicKey, kid }: SigningKey) {
  return { ...(await exportJWK(publicKey)), kid, use: 'sig' }
}

function defaults(issuer: string): JWTPayload {
  const now = Math.floor(Date.now() / 1000)
  return { iss: issuer, aud: AUDIENCE, sub: 'ann', iat: now, exp: now + 600 }
}

async function sign(
  claims: Record<string, unknown>,
  own: SigningKey | undefined,
  { header = {}, key = own }: SignOptions,
): Promise<string> {
  if (key === undefined) throw new Error('the issuer has no key')
  const present = Object.entries(claims).filter(([, value]) => value !== null)
  const isSecret = key instanceof Uint8Array
  const usual = isSecret ? { alg: 'HS256' } : { alg: 'RS256', kid: key.kid }
  const headers = Object.entries({ ...usual, ...header }).filter(([, value]) => value !== null)
  return await new SignJWT(Object.fromEntries(present))
    .setProtectedHeader(Object.fromEntries(headers) as unknown as JWTHeaderParameters)
    .sign(isSecret ? key : key.privateKey)
}
