import { existsSync, type FSWatcher, watch } from 'node:fs'
import type { Logger } from 'pino'
import { formatProblem } from '../lib/problem.ts'
import type { Capabilities } from './capabilities.ts'

export interface ReloadOptions {
  readonly capabilities: Pick<Capabilities, 'reload'>
  /** Of cards of one's own; those that are shipped change with the version only. */
  readonly directories: readonly string[]
  readonly logger: Pick<Logger, 'info' | 'error' | 'warn'>
}

/** An editor, or a checkout, writes several files one after the other. */
const SETTLED_MS = 300

/**
 * Loads the cards again on SIGHUP and when a file of theirs has changed. Faulty ones are told in the log, and
 * those before stay. Ends when it is disposed.
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
    if (reloaded.ok) logger.info({ capabilities: reloaded.capabilities }, 'cards loaded again')
    else {
      const problems = reloaded.problems.map(formatProblem)
      logger.error({ problems }, 'the cards are faulty; those before stay in use')
    }
  } catch (error) {
    // A file can vanish between being listed and being read.
    logger.error({ err: error }, 'the cards cannot be read; those before stay in use')
  }
}

/** Where files cannot be watched, SIGHUP is left. */
function watchFiles(path: string, onChange: () => void, logger: Pick<Logger, 'warn'>): FSWatcher[] {
  const failed = (error: unknown) =>
    logger.warn({ err: error, path }, 'changes of cards are not noticed here; send SIGHUP')
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
