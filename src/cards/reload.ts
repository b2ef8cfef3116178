import type { Logger } from 'pino'
import { formatProblem } from '../lib/problem.ts'
import { reloadOnChange } from '../lib/reload-on-change.ts'
import type { Capabilities } from './capabilities.ts'

export interface ReloadOptions {
  readonly capabilities: Pick<Capabilities, 'reload'>
  /** The operator's own cards. Shipped ones change only with the version. */
  readonly directories: readonly string[]
  readonly logger: Pick<Logger, 'info' | 'error' | 'warn'>
}

/**
 * Reloads the cards on SIGHUP and when one of their files changes. Logs the problems of faulty cards and keeps
 * the previous ones. Ends when it is disposed.
 */
export function keepReloading({ capabilities, directories, logger }: ReloadOptions): Disposable {
  return reloadOnChange({
    paths: directories,
    matters: file => /\.ya?ml$|\.graphql$/.test(file),
    reload: () => reloadOnce(capabilities, logger),
    onBlind: error =>
      logger.warn({ err: error }, 'cannot watch the cards for changes; send SIGHUP to reload them'),
  })
}

async function reloadOnce(
  capabilities: ReloadOptions['capabilities'],
  logger: ReloadOptions['logger'],
): Promise<void> {
  try {
    const reloaded = await capabilities.reload()
    if (reloaded.ok) logger.info({ capabilities: reloaded.capabilities }, 'cards reloaded')
    else {
      const problems = reloaded.problems.map(formatProblem)
      logger.error({ problems }, 'the cards are faulty; the previous ones stay in use')
    }
  } catch (error) {
    // A file can vanish after it has been listed.
    logger.error({ err: error }, 'the cards cannot be read; the previous ones stay in use')
  }
}
