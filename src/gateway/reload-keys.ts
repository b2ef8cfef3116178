import type { Logger } from 'pino'
import type { KeyRing } from '../access/key-ring.ts'
import { openKeys } from '../access/open-keys.ts'
import { reloadOnChange } from '../lib/reload-on-change.ts'
import { SettingsError } from '../model/settings-error.ts'
import type { Settings } from './config.ts'

export interface ReloadKeysOptions {
  readonly ring: KeyRing
  /** The settings at the start. */
  readonly settings: Pick<Settings, 'keys'>
  /** The settings file; null when there is none. */
  readonly file: string | null
  /** Reads the settings again. @throws {SettingsError} */
  readonly read: () => Pick<Settings, 'keys'>
  readonly logger: Pick<Logger, 'info' | 'error' | 'warn'>
}

/**
 * Takes over the keys of the settings on SIGHUP, and when the settings file or the file of a secret changes. Running
 * calls end as they began. Faulty keys are logged, and the previous ones stay. Ends when it is disposed.
 */
export function keepKeysCurrent(options: ReloadKeysOptions): Disposable {
  const { ring, settings, file, read, logger } = options
  const files = settings.keys.flatMap(({ secret_file }) => secret_file ?? [])
  return reloadOnChange({
    paths: [...(file === null ? [] : [file]), ...files],
    async reload() {
      try {
        const keys = openKeys(read().keys)
        ring.replace(keys)
        logger.info({ keys: keys.map(({ caller }) => caller.name) }, 'gateway keys reloaded')
      } catch (error) {
        if (!(error instanceof SettingsError)) throw error
        logger.error({ err: error }, 'the gateway keys are faulty; the previous ones stay in use')
      }
    },
    onBlind: error =>
      logger.warn({ err: error }, 'cannot watch the settings file; send SIGHUP to reload the keys'),
  })
}
