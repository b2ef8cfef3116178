import { type FSWatcher, watch } from 'chokidar'
import type { Logger } from 'pino'
import { formatProblem } from '../lib/problem.ts'
import type { Capabilities } from './capabilities.ts'

export interface ReloadOptions {
  readonly capabilities: Pick<Capabilities, 'reload'>
  /** The operator's own cards. Shipped ones change only with the version. */
  readonly directories: readonly string[]
  readonly logger: Pick<Logger, 'info' | 'error' | 'warn'>
}

/** Waits for an editor or a checkout to finish writing its files. */
const SETTLED_MS = 300

/**
 * Reloads the cards on SIGHUP and when one of their files changes. Logs the problems of faulty cards and keeps
 * the previous ones. Ends when it is disposed.
 */
export function keepReloading({ capabilities, directories, logger }: ReloadOptions): Disposable {
  let timer: NodeJS.Timeout | null = null
  let running: Promise<void> = Promise.resolve()
  const reload = () => {
    running = running.then(() => reloadOnce(capabilities, logger))
  }
  const soon = () => {
    if (timer) clearTimeout(timer)
    timer = setTimeout(reload, SETTLED_MS).unref()
  }
  process.on('SIGHUP', reload)
  const watcher = watchFiles(directories, soon, logger)
  return {
    [Symbol.dispose]() {
      process.off('SIGHUP', reload)
      if (timer) clearTimeout(timer)
      void watcher.close()
    },
  }
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

/**
 * Watches for new, changed, replaced and removed files. Editors replace a file by another of its name.
 * Watching fails on some file systems; SIGHUP still works there.
 */
function watchFiles(
  directories: readonly string[],
  onChange: () => void,
  logger: Pick<Logger, 'warn'>,
): FSWatcher {
  const failed = (error: unknown) =>
    logger.warn({ err: error }, 'cannot watch the cards for changes; send SIGHUP to reload them')
  return watch([...directories], {
    ignored: (path, stats) => stats?.isFile() === true && !/\.ya?ml$|\.graphql$/.test(path),
    ignoreInitial: true,
    persistent: false,
  })
    .on('all', onChange)
    .on('error', failed)
}
