import { isLoopback } from '../lib/loopback.ts'
import { SettingsError } from '../model/settings-error.ts'
import type { Settings } from './config.ts'

/**
 * Refuses to listen on an address that other machines can reach, unless callers need a key or a token.
 * @throws {SettingsError}
 */
export function assertClosedToStrangers({
  host,
  keys,
  oidc,
}: Pick<Settings, 'host' | 'keys' | 'oidc'>): void {
  if (keys.length + oidc.length > 0 || isLoopback(host)) return
  throw new SettingsError(
    `HOST ${host} is open to other machines, and no gateway keys are set. ` +
      'Set SIGNALBOX_KEYS=name:secret (16 characters or more) or oidc, or listen on 127.0.0.1.',
  )
}
