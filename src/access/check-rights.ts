import type { Problem } from '../lib/problem.ts'
import type { Card, ConnectedUpstream } from '../model/card.ts'
import { matchesCard, parseCardPattern } from '../model/card-pattern.ts'
import { nameIn } from '../model/credential.ts'
import { SettingsError } from '../model/settings-error.ts'
import type { Issuer } from './issuer-schema.ts'
import { openIssuers } from './issuers.ts'
import type { Key } from './key-schema.ts'
import { openKeys } from './open-keys.ts'
import type { Rights } from './rights.ts'

/** The settings that give rights to callers. */
export interface AccessSettings {
  readonly keys: readonly Key[]
  readonly oidc: readonly Issuer[]
}

/** The things that rights name. */
export interface Loaded {
  readonly cards: Iterable<Pick<Card, 'id' | 'effect' | 'destructive'>>
  readonly upstreams: readonly Pick<ConnectedUpstream, 'upstream'>[]
}

/** Finds keys and identity providers that cannot be used. */
export function checkAccess({ keys, oidc }: AccessSettings): readonly Problem[] {
  return [() => openKeys(keys), () => openIssuers(oidc)].flatMap(open => {
    try {
      open()
      return []
    } catch (error) {
      if (!(error instanceof SettingsError)) throw error
      return [problem(error.message, 'Correct it in the settings.')]
    }
  })
}

/** Finds credentials that nobody has: each call of such a key would fail. */
export function checkCredentials(
  settings: AccessSettings,
  { upstreams }: Pick<Loaded, 'upstreams'>,
): readonly Problem[] {
  const known = new Map(
    upstreams.map(({ upstream }) => [upstream.id, upstream.credentials.ids.map(nameIn)]),
  )
  return holdersIn(settings).flatMap(({ who, rights }) =>
    Object.entries(rights.credentials ?? {}).flatMap(([upstream, name]) => {
      const fault = credentialFault(upstream, name, known)
      return fault === null ? [] : [problem(`${who} ${fault.message}`, fault.fix)]
    }),
  )
}

function credentialFault(
  upstream: string,
  name: string,
  known: ReadonlyMap<string, readonly string[]>,
): Pick<Problem, 'message' | 'fix'> | null {
  const names = known.get(upstream)
  if (names?.includes(name)) return null
  if (names) {
    const message = `names the credential "${name}", and ${upstream} has ${listed(names)}`
    return { message, fix: 'Name one that it has, or add it under credentials.' }
  }
  const message = `names a credential of "${upstream}", and the upstreams are ${listed([...known.keys()])}`
  return { message, fix: 'Name one of them; or load its pack, or its directory of cards.' }
}

const LISTS = ['allow', 'deny', 'approve', 'tools'] as const

/** Finds patterns that match no capability: most likely they are misspelt. */
export function findUnmatched(
  settings: AccessSettings,
  { cards }: Pick<Loaded, 'cards'>,
): readonly Problem[] {
  const all = [...cards]
  const isUnmatched = (text: string) => {
    const pattern = parseCardPattern(text.replace(/^-/, ''))
    return !all.some(card => matchesCard(pattern, card))
  }
  return holdersIn(settings).flatMap(({ who, rights }) =>
    LISTS.flatMap(list => {
      const texts = (rights[list] ?? []).filter(text => !WAYS.includes(text) && isUnmatched(text))
      const fix = 'Correct it, or take it out.'
      return texts.map(text =>
        problem(`${who} has "${text}" in ${list}, which matches no capability`, fix),
      )
    }),
  )
}

/** Words of `tools` that are no patterns. */
const WAYS = ['search', 'all']

interface Holder {
  readonly who: string
  readonly rights: Rights
}

function holdersIn({ keys, oidc }: AccessSettings): readonly Holder[] {
  return [
    ...keys.map(key => ({ who: `the gateway key "${key.name}"`, rights: key })),
    ...oidc.flatMap(({ issuer, roles = [] }) =>
      roles.map(role => ({ who: `the role "${role.name}" of ${issuer}`, rights: role })),
    ),
  ]
}

function listed(names: readonly string[]): string {
  return names.length === 0 ? 'none' : names.join(', ')
}

function problem(message: string, fix: string): Problem {
  return { file: 'settings', line: null, message, fix }
}
