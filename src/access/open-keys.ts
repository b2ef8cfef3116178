import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import type { Caller } from '../model/caller.ts'
import { SettingsError } from '../model/settings-error.ts'
import { type Key, SHORTEST_SECRET } from './key-schema.ts'
import { isReserved } from './reserved-names.ts'
import { openRights } from './rights.ts'

/** A key that is ready to be compared with what callers send. */
export interface OpenKey {
  readonly caller: Caller
  /** SHA-256 of the secret, in hex. */
  readonly digest: string
  /** Null when the settings have only the digest. */
  readonly secret: string | null
  /** Epoch milliseconds; null when it does not expire. */
  readonly expires: number | null
}

export function digestOf(secret: string): string {
  return createHash('sha256').update(secret).digest('hex')
}

/**
 * Reads the files of the keys.
 * @throws {SettingsError} for a file that cannot be read, for a reserved name, and for two keys with one name or one
 * secret. Shows no secret.
 */
export function openKeys(keys: readonly Key[]): readonly OpenKey[] {
  const open = keys.map(openKey)
  assertDistinct(open, 'name', key => key.caller.name)
  assertDistinct(open, 'secret', key => key.digest)
  return open
}

function openKey(key: Key): OpenKey {
  const { name, secret, secret_sha256, secret_file, expires } = key
  if (isReserved(name)) throw unusable(name, 'commands and the audit use this name; choose another')
  if ([secret, secret_sha256, secret_file].filter(form => form !== undefined).length !== 1) {
    throw unusable(name, 'set one of secret, secret_sha256 and secret_file')
  }
  const text = secret_file === undefined ? secret : readSecret(name, secret_file)
  const ends = expires === undefined ? null : Date.parse(expires)
  return {
    caller: {
      ...openRights(name, key, message => unusable(name, message)),
      ...(ends === null ? {} : { expires: ends }),
    },
    digest: secret_sha256 ?? digestOf(text ?? ''),
    secret: text ?? null,
    expires: ends,
  }
}

function readSecret(name: string, file: string): string {
  let text: string
  try {
    text = readFileSync(file, 'utf8').replace(/\r?\n$/, '')
  } catch (error) {
    throw unusable(name, `secret_file cannot be read (${(error as NodeJS.ErrnoException).code})`)
  }
  if (text.length >= SHORTEST_SECRET && !/\s/.test(text)) return text
  throw unusable(
    name,
    `secret_file must hold one secret of ${SHORTEST_SECRET} characters or more, and no spaces`,
  )
}

function assertDistinct(
  keys: readonly OpenKey[],
  what: 'name' | 'secret',
  valueOf: (key: OpenKey) => string,
): void {
  const seen = new Map<string, string>()
  for (const key of keys) {
    const value = valueOf(key)
    const other = seen.get(value)
    if (other !== undefined) {
      throw unusable(key.caller.name, `the key "${other}" has the same ${what}; give it its own`)
    }
    seen.set(value, key.caller.name)
  }
}

function unusable(name: string, message: string): SettingsError {
  return new SettingsError(`the gateway key "${name}" is not usable: ${message}.`)
}
