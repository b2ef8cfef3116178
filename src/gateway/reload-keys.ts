import type { Logger } from 'pino'
import { openIssuers } from '../access/issuers.ts'
import type { KeyRing } from '../access/key-ring.ts'
import { openKeys } from '../access/open-keys.ts'
import { keyDecisions, knownKeys, settingsReloaded } from '../access/settings-audit.ts'
import { reloadOnChange } from '../lib/reload-on-change.ts'
import { GATEWAY, type NoteDecision } from '../model/audit.ts'
import { SettingsError } from '../model/settings-error.ts'
import type { Settings } from './config.ts'

export interface ReloadKeysOptions {
  readonly ring: KeyRing
  /** The settings at the start. */
  readonly settings: Pick<Settings, 'keys'>
  /** The settings file; null when there is none. */
  readonly file: string | null
  /** Reads the settings again. @throws {SettingsError} */
  readonly read: () => Pick<Settings, 'keys' | 'oidc'>
  readonly logger: Pick<Logger, 'info' | 'error' | 'warn'>
  readonly note: NoteDecision
}

/**
 * Takes over the keys and identity providers of the settings on SIGHUP, and when the settings file or the file of a secret changes. Running
 * calls end as they began. Faulty keys are logged, and the previous ones stay. Ends when it is disposed.
 */
export function keepKeysCurrent(options: ReloadKeysOptions): Disposable {
  const { ring, settings, file, read: readAgain, logger, note } = options
  const files = settings.keys.flatMap(({ secret_file }) => secret_file ?? [])
  let known = knownKeys(settings.keys, openKeys(settings.keys))
  return reloadOnChange({
    paths: [...(file === null ? [] : [file]), ...files],
    async reload() {
      try {
        const read = readAgain()
        const keys = openKeys(read.keys)
        ring.replace(keys, openIssuers(read.oidc, ring.issuers))
        const next = knownKeys(read.keys, keys)
        const changes = keyDecisions(known, next)
        known = next
        for (const change of [settingsReloaded(changes, read), ...changes]) note(change)
        const names = keys.map(({ caller }) => caller.name)
        const issuers = read.oidc.map(({ issuer }) => issuer)
        logger.info({ keys: names, issuers }, 'gateway keys reloaded')
      } catch (error) {
        if (!(error instanceof SettingsError)) throw error
        note({ ...FAULTY, reason: error.message })
        logger.error({ err: error }, 'the gateway keys are faulty; the previous ones stay in use')
      }
    },
    onBlind: error =>
      logger.warn({ err: error }, 'cannot watch the settings file; send SIGHUP to reload the keys'),
  })
}

const FAULTY = { action: 'settings.faulty', actor: GATEWAY, subject: 'settings' } as const
