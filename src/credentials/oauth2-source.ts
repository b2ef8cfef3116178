import type * as undici from 'undici'
import { Agent } from '../lib/undici.ts'
import { type Issued, RenewingSource } from './renewing-source.ts'
import type { OAuth2Declaration } from './schema.ts'
import type { Source, SourceOptions } from './source.ts'
import type { Token } from './token-request.ts'

const DEFAULT_TIMEOUT_MS = 10_000
/** The life of a token whose server does not say how long it lives. */
const USUAL_LIFE_MS = 300_000
const MOST_BYTES = 1_048_576

/** The sources of the texts that identify a client. */
export interface ClientSources {
  readonly clientId: Source
  readonly clientSecret: Source | null
  readonly refreshToken: Source | null
}

/** An access token of an authorization server, kept and renewed. */
export function oauth2Source(
  declared: OAuth2Declaration,
  client: ClientSources,
  { now, remember }: SourceOptions,
): Source {
  const agent = new Agent({ maxResponseSize: MOST_BYTES })
  const issue = tokenIssuer(declared, client, agent, remember)
  const renewing = new RenewingSource({
    issue: async signal => {
      const issued = lasting(await issue(signal), now())
      return { ...issued, scopes: declared.scope?.split(' ').filter(Boolean) }
    },
    timeoutMs: declared.timeout_ms ?? DEFAULT_TIMEOUT_MS,
    found: `${new URL(declared.token_url).origin} gives tokens`,
    now,
    remember,
  })
  const sources = Object.values(client).filter((source: Source | null) => source !== null)
  return {
    lacking: sources.map(({ lacking }) => lacking).find(lacking => lacking !== null) ?? null,
    found: renewing.found,
    get: signal => renewing.get(signal),
    renew: (refused, signal) => renewing.renew(refused, signal),
    standing: () => renewing.standing(),
    close() {
      renewing.close()
      for (const source of sources) source.close()
      void agent.destroy()
    },
  }
}

function lasting({ accessToken, expiresInS }: Token, now: number): Issued {
  const life = expiresInS === null ? USUAL_LIFE_MS : expiresInS * 1000
  return { value: accessToken, expiresAt: now + life }
}

function tokenIssuer(
  declared: OAuth2Declaration,
  { clientId, clientSecret, refreshToken }: ClientSources,
  agent: undici.Agent,
  remember: SourceOptions['remember'],
): (signal: AbortSignal) => Promise<Token> {
  /** A server may replace the refresh token with each use, and then takes only the newest. */
  let rotated: string | null = null
  return async signal => {
    const client = {
      id: await clientId.get(signal),
      secret: (await clientSecret?.get(signal)) ?? null,
      refreshToken: rotated ?? (await refreshToken?.get(signal)) ?? null,
    }
    // Most gateways need no tokens: load the library with the first.
    const { requestToken } = await import('./token-request.ts')
    const token = await requestToken(declared, client, agent, signal).catch(error => {
      // Next time the declared one may be another: people replace it.
      if ((error as { readonly code?: unknown }).code === 'AUTH') rotated = null
      throw error
    })
    if (token.refreshToken !== null) {
      rotated = token.refreshToken
      remember(rotated)
    }
    return token
  }
}
