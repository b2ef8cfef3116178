import { existsSync, type FSWatcher, watch } from 'node:fs'
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
  const watchers = directories.filter(existsSync).flatMap(path => watchFiles(path, soon, logger))
  return {
    [Symbol.dispose]() {
      process.off('SIGHUP', reload)
      if (timer) clearTimeout(timer)
      for (const watcher of watchers) watcher.close()
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

/** Watching fails on some file systems; SIGHUP still works there. */
function watchFiles(path: string, onChange: () => void, logger: Pick<Logger, 'warn'>): FSWatcher[] {
  const failed = (error: unknown) =>
    logger.warn(
      { err: error, path },
      'cannot watch the cards for changes; send SIGHUP to reload them',
    )
  try {
    const watcher = watch(path, { recursive: true, persistent: false }, (_event, name) => {
      if (name === null || /\.ya?ml$|\.graphql$/.test(name)) onChange()
    })
    return [watcher.on('error', failed)]
  } catch (error) {
    failed(error)
    return []
  }
}
