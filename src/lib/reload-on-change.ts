import { watch } from 'chokidar'

export interface ReloadOptions {
  /** Directories whose files matter, or single files. */
  readonly paths: readonly string[]
  /** Whether a file in one of the directories matters. @default all do */
  readonly matters?: (file: string) => boolean
  /** Must not reject. Runs are never concurrent. */
  readonly reload: () => Promise<void>
  /** The files cannot be watched; SIGHUP still works. */
  readonly onBlind: (error: unknown) => void
}

/** Waits for an editor or a checkout to finish writing its files. */
const SETTLED_MS = 300

/** Reloads on SIGHUP, and when a file is new, changed, replaced or removed. Ends when it is disposed. */
export function reloadOnChange({ paths, matters, reload, onBlind }: ReloadOptions): Disposable {
  let timer: NodeJS.Timeout | null = null
  let running: Promise<void> = Promise.resolve()
  const start = () => {
    running = running.then(reload)
  }
  const soon = () => {
    if (timer) clearTimeout(timer)
    timer = setTimeout(start, SETTLED_MS).unref()
  }
  process.on('SIGHUP', start)
  // Watching fails on some file systems.
  const watcher = watch([...paths], {
    ignored: (path, stats) => stats?.isFile() === true && matters?.(path) === false,
    ignoreInitial: true,
    persistent: false,
  })
    .on('all', soon)
    .on('error', onBlind)
  return {
    [Symbol.dispose]() {
      process.off('SIGHUP', start)
      if (timer) clearTimeout(timer)
      void watcher.close()
    },
  }
}
