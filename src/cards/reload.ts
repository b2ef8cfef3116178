import type { Logger } from 'pino'
import { formatProblem } from '../lib/problem.ts'
import { reloadOnChange } from '../lib/reload-on-change.ts'
import { shorten } from '../lib/text.ts'
import { GATEWAY, type NoteDecision } from '../model/audit.ts'
import type { Capabilities } from './capabilities.ts'

const MAX_REASON = 1_000

export interface ReloadOptions {
  readonly capabilities: Pick<Capabilities, 'reload'>
  /** The operator's own cards, and the settings file. Shipped cards change only with the version. */
  readonly directories: readonly string[]
  readonly logger: Pick<Logger, 'info' | 'error' | 'warn'>
  readonly note: NoteDecision
}

/**
 * Reloads the cards on SIGHUP and when one of their files changes. Logs the problems of faulty cards and keeps
 * the previous ones. Ends when it is disposed.
 */
export function keepReloading(options: ReloadOptions): Disposable {
  const { directories, logger } = options
  return reloadOnChange({
    paths: directories,
    matters: file => /\.ya?ml$|\.graphql$/.test(file) || directories.includes(file),
    reload: () => reloadOnce(options),
    onBlind: error =>
      logger.warn({ err: error }, 'cannot watch the cards for changes; send SIGHUP to reload them'),
  })
}

async function reloadOnce({
  capabilities,
  directories,
  logger,
  note,
}: ReloadOptions): Promise<void> {
  const subject = directories.join(' ') || 'shipped packs'
  try {
    const reloaded = await capabilities.reload()
    if (reloaded.ok) {
      const details = { capabilities: reloaded.capabilities }
      note({ action: 'cards.reloaded', actor: GATEWAY, subject, details })
      logger.info(details, 'cards reloaded')
    } else {
      const problems = reloaded.problems.map(formatProblem)
      note({
        action: 'cards.faulty',
        actor: GATEWAY,
        subject,
        reason: shorten(problems.join('\n'), MAX_REASON),
      })
      logger.error({ problems }, 'the cards are faulty; the previous ones stay in use')
    }
  } catch (error) {
    // A file can vanish after it has been listed.
    logger.error({ err: error }, 'the cards cannot be read; the previous ones stay in use')
  }
}
