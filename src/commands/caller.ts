import { openKeys } from '../access/open-keys.ts'
import type { Settings } from '../gateway/config.ts'
import type { Caller } from '../model/caller.ts'
import { SCOPES } from '../model/scopes.ts'
import { SettingsError } from '../model/settings-error.ts'

/**
 * The caller of a command: one of the gateway keys, without its secret, or the person at this machine, who has all
 * credentials of the gateway anyway.
 * @param command the caller's name without a key
 * @throws {SettingsError} for a key that does not exist, or has expired.
 */
export function callerOf(
  { keys }: Pick<Settings, 'keys'>,
  key: string | undefined,
  command: string,
): Caller {
  if (key === undefined) return { name: command, operator: true, scopes: SCOPES }
  const found = openKeys(keys).find(({ caller }) => caller.name === key)
  if (!found) {
    const names = keys.map(({ name }) => name).join(', ') || 'none'
    throw new SettingsError(`--key ${JSON.stringify(key)} is not among the gateway keys: ${names}.`)
  }
  if (found.expires !== null && found.expires <= Date.now()) {
    throw new SettingsError(
      `--key ${key} expired at ${new Date(found.expires).toISOString()}: give it a later time in the settings.`,
    )
  }
  return found.caller
}

/**
 * Where the people decide on the calls of a command: a gateway with these settings shows them. Undefined for a caller whose
 * calls nobody has to approve.
 */
export function approvalsFor(
  { permission }: Caller,
  { journal }: Pick<Settings, 'journal'>,
): string | undefined {
  return (permission?.approve ?? []).length === 0 ? undefined : journal
}
