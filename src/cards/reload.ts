import type { Logger } from 'pino'
import { messageOf } from '../lib/message-of.ts'
import { formatProblem } from '../lib/problem.ts'
import { reloadOnChange } from '../lib/reload-on-change.ts'
import { shorten } from '../lib/text.ts'
import { GATEWAY, type NoteDecision } from '../model/audit.ts'
import type { Capabilities, Reloaded } from './capabilities.ts'
import type { CardChanges } from './changes.ts'

const MAX_REASON = 1_000
const MOST_NAMED = 100

/**
 * Reloads the cards, and keeps the previous ones if they are faulty. Never rejects.
 * @param by the key that asked for it. @default the gateway itself
 */
export type ReloadCards = (by?: string) => Promise<Reloaded>

export interface ReloadOptions {
  readonly capabilities: Pick<Capabilities, 'reload'>
  /** The operator's own cards. Shipped cards change only with the version. */
  readonly directories: readonly string[]
  readonly logger: Pick<Logger, 'info' | 'error'>
  readonly note: NoteDecision
}

/** Creates the one reload of a gateway: it makes one at a time, and logs and notes how each ended. */
export function createReload(options: ReloadOptions): ReloadCards {
  let running: Promise<unknown> = Promise.resolve()
  return (by = GATEWAY) => {
    const reloaded = running.then(() => reloadOnce(options, by))
    running = reloaded
    return reloaded
  }
}

export interface KeepReloadingOptions {
  readonly reload: ReloadCards
  /** The operator's own cards, and the settings file. */
  readonly directories: readonly string[]
  readonly logger: Pick<Logger, 'warn'>
}

/** Reloads the cards on SIGHUP and when one of their files changes. Ends when it is disposed. */
export function keepReloading({ reload, directories, logger }: KeepReloadingOptions): Disposable {
  return reloadOnChange({
    paths: directories,
    matters: file => /\.ya?ml$|\.graphql$/.test(file) || directories.includes(file),
    reload: async () => void (await reload()),
    onBlind: error =>
      logger.warn({ err: error }, 'cannot watch the cards for changes; send SIGHUP to reload them'),
  })
}

async function reloadOnce(
  { capabilities, directories, logger, note }: ReloadOptions,
  actor: string,
): Promise<Reloaded> {
  const subject = directories.join(' ') || 'shipped packs'
  const reloaded = await capabilities.reload().catch(unreadable)
  if (reloaded.ok) {
    const details = { capabilities: reloaded.capabilities, ...shortened(reloaded.changes) }
    note({ action: 'cards.reloaded', actor, subject, details })
    logger.info(details, 'cards reloaded')
    return reloaded
  }
  const problems = reloaded.problems.map(formatProblem)
  note({
    action: 'cards.faulty',
    actor,
    subject,
    reason: shorten(problems.join('\n'), MAX_REASON),
  })
  logger.error({ problems }, 'the cards are faulty; the previous ones stay in use')
  return reloaded
}

/** A folder of thousands of cards must not fill the log and the audit. */
function shortened(changes: CardChanges): CardChanges {
  const entries = Object.entries(changes) as [keyof CardChanges, readonly string[]][]
  return Object.fromEntries(
    entries.map(([kind, ids]) => [kind, ids.slice(0, MOST_NAMED)]),
  ) as unknown as CardChanges
}

/** A file can vanish after it has been listed. */
function unreadable(error: NodeJS.ErrnoException): Reloaded {
  const fix = 'Make the files of the cards readable, and load them again.'
  const problem = { file: error.path ?? 'cards', line: null, message: messageOf(error), fix }
  return { ok: false, problems: [problem] }
}
