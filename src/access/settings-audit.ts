import { createHash } from 'node:crypto'
import { canonicalJson } from '../lib/canonical.ts'
import { type Decision, GATEWAY } from '../model/audit.ts'
import type { Key } from './key-schema.ts'
import type { OpenKey } from './open-keys.ts'

/** A key of the settings, with the digest of its secret. */
export interface KnownKey {
  readonly key: Key
  readonly digest: string
}

export function knownKeys(keys: readonly Key[], open: readonly OpenKey[]): readonly KnownKey[] {
  return keys.map((key, at) => ({ key, digest: open[at]?.digest ?? '' }))
}

/**
 * The settings at a start. A hash shows whether a setting has changed; of keys and addresses, it leaves out the secrets,
 * which could be guessed from it.
 */
export function settingsLoaded(
  settings: Readonly<Record<string, unknown>>,
  version: string,
): Decision {
  const hashes = Object.entries(settings).map(([name, value]) => [
    name,
    hashOf(hashed(name, value)),
  ])
  const keys = (settings.keys as readonly Key[]).map(({ name }) => name)
  const details = { version, keys, hashes: Object.fromEntries(hashes) }
  return { action: 'settings.loaded', actor: GATEWAY, subject: 'settings', details }
}

/** The settings that a reload takes over. A hash shows whether the identity providers have changed. */
export function settingsReloaded(
  changes: readonly Decision[],
  { oidc }: { readonly oidc: readonly unknown[] },
): Decision {
  const details = { changed_keys: changes.length, hashes: { oidc: hashOf(oidc) } }
  return { action: 'settings.reloaded', actor: GATEWAY, subject: 'settings', details }
}

/** The differences between the keys before and after a reload. */
export function keyDecisions(
  before: readonly KnownKey[],
  after: readonly KnownKey[],
): readonly Decision[] {
  const common = { actor: GATEWAY, reason: 'The settings were read again.' }
  const named = (keys: readonly KnownKey[]) => new Map(keys.map(one => [one.key.name, one]))
  const [old, now] = [named(before), named(after)]
  const removed = before.filter(({ key }) => !now.has(key.name))
  return [
    ...removed.map(({ key }) => ({ ...common, action: 'key.removed' as const, subject: key.name })),
    ...after.flatMap((one): Decision[] => {
      const subject = one.key.name
      const known = old.get(subject)
      const details = { hash: hashOf(withoutSecret(one.key)) }
      if (!known) return [{ ...common, action: 'key.added', subject, details }]
      const changed = changedMembers(known, one)
      if (changed.length === 0) return []
      return [{ ...common, action: 'key.changed', subject, details: { ...details, changed } }]
    }),
  ]
}

function changedMembers(one: KnownKey, other: KnownKey): readonly string[] {
  const [before, after] = [withoutSecret(one.key), withoutSecret(other.key)]
  const names = new Set([...Object.keys(before), ...Object.keys(after)])
  const changed = [...names].filter(
    name => canonicalJson(before[name]) !== canonicalJson(after[name]),
  )
  return one.digest === other.digest ? changed : [...changed, 'secret']
}

function withoutSecret(key: Key): Readonly<Record<string, unknown>> {
  const { secret: _, secret_sha256: __, ...rest } = key
  return rest
}

function hashed(name: string, value: unknown): unknown {
  if (name === 'keys') return (value as readonly Key[]).map(withoutSecret)
  if (name.endsWith('_secret')) return value !== ''
  return typeof value === 'string' ? value.replace(/\/\/[^/@]*@/, '//') : value
}

function hashOf(value: unknown): string {
  return createHash('sha256').update(canonicalJson(value)).digest('hex').slice(0, 16)
}
