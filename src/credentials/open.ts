import {
  type Credentials,
  callersId,
  createCredential,
  type Identity,
  type Lacking,
  type Needs,
  ownId,
  type SourceState,
} from '../model/credential.ts'
import type { Environment } from '../model/environment.ts'
import { wordsOf } from '../model/standing.ts'
import { isOf, OwnIdentity, partsOf, type SchemeSources, type SourcesByScheme } from './identity.ts'
import { KnownSecrets } from './known-secrets.ts'
import { type OpenOptions, openScheme } from './open-source.ts'
import type { CredentialsSource } from './schema.ts'
import type { ServiceApi } from './source.ts'

/** The credentials of an upstream as it declares them, free of faults. */
export interface CredentialDeclaration {
  readonly upstream: string
  readonly credentials: CredentialsSource
  /** The scheme that callers may send the secret of; null when they may not. */
  readonly passthrough: string | null
}

export interface CredentialOptions {
  readonly env: Environment
  readonly now: () => number
  /** Directory of the file that declares a credential. */
  readonly directory: (name: string) => string
  /** The service's own API; null when the upstream has none. */
  readonly api: ServiceApi | null
}

/** The name of the identity that serves calls which ask for none. */
const DEFAULT = 'default'

/** Opens the identities of an upstream. Reads nothing before the first call but the environment. */
export function openCredentials(
  { upstream, credentials, passthrough }: CredentialDeclaration,
  options: CredentialOptions,
): Credentials {
  const known = new KnownSecrets()
  const names = defaultFirst(Object.keys(credentials))
  const sources = new Map(
    names.map(name => {
      const { env, now, api } = options
      const identity = ownId(upstream, name)
      const opening = { env, now, api, identity, directory: options.directory(name) }
      return [name, openIdentity(credentials[name] ?? {}, opening, known)]
    }),
  )
  const identities = new Map(
    [...sources].map(([name, own]) => [name, new OwnIdentity(ownId(upstream, name), own, known)]),
  )
  const explain = { upstream, passthrough, sources, first: names[0] ?? null }
  return {
    ids: names.map(name => ownId(upstream, name)),
    passthrough: passthrough !== null,
    choose(name) {
      const chosen = name ?? names[0]
      const identity = chosen === undefined ? undefined : identities.get(chosen)
      const own = chosen === undefined ? undefined : sources.get(chosen)
      if (!identity || !own) return null
      return [...own.keys()].some(identity.has) ? identity : null
    },
    ofCaller: token => callersIdentity(token, passthrough),
    lacking: (identity, needs) => explainLack(identity, needs, explain),
    owns: id => [...identities.values()].some(one => one.covers(id)),
    statuses: () => [...identities.values()].flatMap(one => one.statuses()),
    sources: () => [...sources].flatMap(([name, own]) => statesOf(name, own)),
    secrets: () => known.all(),
    close() {
      for (const own of sources.values())
        for (const scheme of own.values()) for (const [, source] of partsOf(scheme)) source.close()
    },
  }
}

function defaultFirst(names: readonly string[]): readonly string[] {
  return names.includes(DEFAULT) ? [DEFAULT, ...names.filter(name => name !== DEFAULT)] : names
}

function openIdentity(
  declared: CredentialsSource[string],
  options: OpenOptions,
  known: KnownSecrets,
): SourcesByScheme {
  return new Map(
    Object.entries(declared).map(([scheme, source]) => [
      scheme,
      openScheme(source, options, known),
    ]),
  )
}

function callersIdentity(token: string, scheme: string | null): Identity {
  const id = callersId(token)
  const has = (name: string) => name === scheme
  return {
    id,
    has,
    open(needs) {
      const schemes = needs.find(names => names.every(has)) ?? []
      const values = Object.fromEntries(schemes.map(name => [name, token]))
      return createCredential(id, values, [token])
    },
    renew: async () => null,
  }
}

interface Explaining {
  readonly upstream: string
  readonly passthrough: string | null
  readonly sources: ReadonlyMap<string, SourcesByScheme>
  readonly first: string | null
}

/** Says what would give the identity the schemes of its nearest alternative. */
function explainLack(
  identity: Identity | null,
  needs: Needs,
  { upstream, passthrough, sources, first }: Explaining,
): Lacking | null {
  if (needs.some(names => names.every(name => identity?.has(name) ?? false))) return null
  const name = identity === null ? first : nameOf(identity, upstream, sources)
  const own = name === null ? undefined : sources.get(name)
  const [wanted = []] = needs
  const missing = wanted.filter(scheme => !(identity?.has(scheme) ?? false))
  const ways = [
    ...missing.flatMap(scheme => waysTo(scheme, name, own?.get(scheme))),
    ...(missing.length === 1 && missing[0] === passthrough
      ? ['send X-Upstream-Authorization with the call']
      : []),
  ]
  const isNamed = missing.some(scheme => scheme !== PLACEHOLDER)
  const of = isNamed ? `: ${missing.join(' and ')} of ${name ?? 'a credential'}` : ''
  return {
    message: `No credential for ${upstream}${of}.`,
    fix: `Give the gateway a credential: ${ways.join(missing.length > 1 ? ', and ' : ', or ')}.`,
  }
}

/** The scheme of the short form, `credential:`, which has no name of its own. */
export const PLACEHOLDER = 'credential'

function nameOf(
  { id }: Identity,
  upstream: string,
  sources: ReadonlyMap<string, SourcesByScheme>,
): string | null {
  return [...sources.keys()].find(name => isOf(id, ownId(upstream, name))) ?? null
}

function waysTo(
  scheme: string,
  name: string | null,
  sources: SchemeSources | undefined,
): readonly string[] {
  if (sources) return partsOf(sources).flatMap(([, { lacking }]) => lacking?.fix ?? [])
  if (scheme === PLACEHOLDER) return []
  return [`declare a source under credentials.${name ?? DEFAULT}.${scheme} in upstream.yaml`]
}

function statesOf(name: string, own: SourcesByScheme): readonly SourceState[] {
  return [...own].flatMap(([scheme, sources]) =>
    partsOf(sources).map(([part, source]) => ({
      name: scheme === PLACEHOLDER ? name : `${name}.${scheme}${part}`,
      lacking: source.lacking,
      found: source.found,
      isFile: source.isFile ?? false,
      attempt: async signal => {
        if (source.examine) return await source.examine(signal)
        await source.get(signal)
        return source.standing ? [wordsOf(source.standing())] : []
      },
    })),
  )
}
