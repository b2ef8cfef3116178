import type { Logger } from 'pino'
import { type AccessSettings, checkCredentials, findUnmatched } from '../access/check-rights.ts'
import { openIssuers } from '../access/issuers.ts'
import type { KeyRing } from '../access/key-ring.ts'
import { openKeys } from '../access/open-keys.ts'
import { keyDecisions, knownKeys, settingsReloaded } from '../access/settings-audit.ts'
import { formatProblem } from '../lib/problem.ts'
import { reloadOnChange } from '../lib/reload-on-change.ts'
import { GATEWAY, type NoteDecision } from '../model/audit.ts'
import { SettingsError } from '../model/settings-error.ts'
import type { RunningEngine } from './create-engine.ts'

export interface ReloadKeysOptions {
  readonly engine: Pick<RunningEngine, 'catalog' | 'upstreams' | 'reload'>
  readonly ring: KeyRing
  /** The settings at the start. */
  readonly settings: AccessSettings
  /** The settings file; null when there is none. */
  readonly file: string | null
  /** Reads the settings again. @throws {SettingsError} */
  readonly read: () => AccessSettings
  readonly logger: Pick<Logger, 'info' | 'error' | 'warn'>
  readonly note: NoteDecision
}

/**
 * Takes over the keys and identity providers of the settings on SIGHUP, and when the settings file or the file of a secret changes. Running
 * calls end as they began. Faulty keys are logged, and the previous ones stay. Ends when it is disposed.
 */
export function keepKeysCurrent(options: ReloadKeysOptions): Disposable {
  const { engine, ring, settings, file, read: readAgain, logger, note } = options
  const files = settings.keys.flatMap(({ secret_file }) => secret_file ?? [])
  let known = knownKeys(settings.keys, openKeys(settings.keys))
  warnOfUnmatched(settings, options)
  return reloadOnChange({
    paths: [...(file === null ? [] : [file]), ...files],
    async reload() {
      try {
        const read = readAgain()
        const keys = openKeys(read.keys)
        const issuers = openIssuers(read.oidc, ring.issuers)
        await assertCredentials(read, engine)
        ring.replace(keys, issuers)
        const next = knownKeys(read.keys, keys)
        const changes = keyDecisions(known, next)
        known = next
        for (const change of [settingsReloaded(changes, read), ...changes]) note(change)
        logger.info(namesIn(read), 'gateway keys reloaded')
        warnOfUnmatched(read, options)
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

function namesIn({ keys, oidc }: AccessSettings) {
  return { keys: keys.map(({ name }) => name), issuers: oidc.map(({ issuer }) => issuer) }
}

/** @throws {SettingsError} for a credential that nobody has. */
async function assertCredentials(
  read: AccessSettings,
  { upstreams, reload }: Pick<RunningEngine, 'upstreams' | 'reload'>,
): Promise<void> {
  const find = () => checkCredentials(read, { upstreams: upstreams() })
  // The same change of the file may add the credential, and the reload of the cards takes it over.
  if (find().length > 0) await reload()
  const problems = find()
  if (problems.length > 0) throw new SettingsError(problems.map(formatProblem).join('\n'))
}

/** Logs each pattern that matches no capability, since it may be misspelt. */
function warnOfUnmatched(
  read: AccessSettings,
  { engine, logger }: Pick<ReloadKeysOptions, 'engine' | 'logger'>,
): void {
  for (const { message } of findUnmatched(read, { cards: engine.catalog.all() })) {
    logger.warn(message)
  }
}

const FAULTY = { action: 'settings.faulty', actor: GATEWAY, subject: 'settings' } as const
