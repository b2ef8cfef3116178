import { BoundedMap } from '../../lib/bounded-map.ts'
import { isObject } from '../../lib/is-object.ts'
import type { Signal } from '../../lib/signal.ts'
import { CredentialError } from '../../model/credential.ts'
import { type Issued, RenewingSource } from '../renewing-source.ts'
import type { GitHubAppDeclaration } from '../schema.ts'
import type { Remember, Source, SourceOptions } from '../source.ts'
import { AppClient } from './app-client.ts'
import type { AppSources } from './app-jwt.ts'
import { examineApp } from './examine-app.ts'
import { findInstallation, type Installation, notInstalled } from './installation.ts'

const DEFAULT_TIMEOUT_MS = 10_000
/** Accounts whose tokens are kept. Callers name them. */
const MOST_ACCOUNTS = 1000

export interface AppOptions extends SourceOptions {
  readonly sources: AppSources
  /** For the tokens of one more installation. */
  readonly rememberMore: () => Remember
}

/**
 * Tokens of the installations of a GitHub App. Without `installation`, each account has a token of its own, and calls
 * without an account take the only installation.
 */
export function githubAppSource(declared: GitHubAppDeclaration, options: AppOptions): Source {
  const { sources, api } = options
  if (api === null) throw new TypeError('an app needs the API of its service')
  const client = new AppClient(sources, api, options)
  const open = (account: string | number | null) =>
    tokensOf(declared, account, { ...options, client })
  const own = open(declared.installation ?? null)
  const byAccount = new BoundedMap<string, Source>(MOST_ACCOUNTS)
  const ofAccount = (account: string): Source => {
    const known = byAccount.get(account) ?? open(account)
    byAccount.set(account, known)
    return known
  }
  return {
    lacking: sources.appId.lacking ?? sources.privateKey.lacking,
    found: own.found,
    get: signal => own.get(signal),
    renew: (refused, signal) => own.renew(refused, signal),
    standing: () => own.standing(),
    examine: async signal =>
      await examineApp(client, declared.installation === undefined ? ofAccount : () => own, signal),
    ...(declared.installation === undefined ? { ofAccount } : {}),
    close() {
      for (const source of [own, ...byAccount.values(), ...Object.values(sources)]) source.close()
    },
  }
}

interface TokenOptions extends AppOptions {
  readonly client: AppClient
}

function tokensOf(
  declared: GitHubAppDeclaration,
  account: string | number | null,
  { client, now, rememberMore, api }: TokenOptions,
): RenewingSource {
  /** Forgotten when GitHub no longer knows it: an app that is installed again has another. */
  let installation: Installation | null =
    typeof account === 'number' ? { id: account, account: null } : null
  let remember: Remember | null = null
  const find = async (signal: Signal) => {
    if (typeof account === 'number') return { id: account, account: null }
    return await findInstallation(client, account, signal)
  }
  return new RenewingSource({
    issue: async signal => {
      const known = installation
      installation ??= await find(signal)
      const issued = await issueToken(client, installation, declared, { now, signal })
      if (issued !== null) return issued
      installation = null
      if (known === null || typeof account === 'number') throw notInstalled(String(account))
      installation = await find(signal)
      const again = await issueToken(client, installation, declared, { now, signal })
      if (again === null) throw notInstalled(String(account))
      return again
    },
    timeoutMs: declared.timeout_ms ?? DEFAULT_TIMEOUT_MS,
    found: `${api?.origin} gives tokens of the app`,
    now,
    // An account on which nobody has installed the app takes no room among the known secrets.
    remember: secret => (remember ??= rememberMore())(secret),
    note: () => client.note(),
  })
}

interface Moment {
  readonly now: () => number
  readonly signal: Signal
}

/** Null when GitHub no longer knows the installation. */
async function issueToken(
  client: AppClient,
  { id, account }: Installation,
  { permissions, repositories }: GitHubAppDeclaration,
  { now, signal }: Moment,
): Promise<Issued | null> {
  const asked = { ...(permissions && { permissions }), ...(repositories && { repositories }) }
  const begun = now()
  const path = `/app/installations/${id}/access_tokens`
  const answer = await client.ask('POST', path, signal, asked)
  const { status, body, date } = answer
  const where = account ?? `installation ${id}`
  switch (status) {
    case 201:
      return readToken(body, { begun, date })
    case 404:
      return null
    case 403:
      throw new CredentialError(
        'AUTH',
        `The app is suspended on ${where}. An owner of the account, or of the app, can end that.`,
      )
    case 422:
      throw new CredentialError(
        'AUTH',
        `The installation on ${where} lacks some of the permissions or repositories that the credential asks for. Grant them on GitHub, or take them out of github_app.`,
      )
    default:
      throw new CredentialError('AUTH', `The service answered ${status} instead of a token.`)
  }
}

function readToken(
  { token, expires_at, permissions }: Readonly<Record<string, unknown>>,
  { begun, date }: { readonly begun: number; readonly date: number | null },
): Issued {
  const end = Date.parse(String(expires_at))
  if (typeof token !== 'string' || token === '' || Number.isNaN(end)) {
    throw new CredentialError('SERVER', 'The service answered without a token and its end.')
  }
  // By GitHub's clock, so that ours may be wrong.
  const expiresAt = begun + end - (date ?? begun)
  const granted = isObject(permissions) ? Object.entries(permissions) : []
  return {
    value: token,
    expiresAt,
    scopes: granted.map(([name, level]) => `${name}:${String(level)}`),
  }
}
