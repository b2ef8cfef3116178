import { inspect } from 'node:util'
import closeWithGrace, { type CloseWithGraceAsyncCallback, type Options } from 'close-with-grace'

/** Signals that ask a process to end in an orderly way. */
export const STOP_SIGNALS = ['SIGTERM', 'SIGINT', 'SIGQUIT', 'SIGUSR2'] as const

/** Ctrl-C reaches a gateway that npm runs twice: the terminal signals both, and npm passes its signal on. */
const SAME_MS = 1_000

/** Ends the process with exit code 1. Throw it where the log has said why: nothing more is printed. */
export class BadEnd extends Error {}

/** Prints the errors of a stop that nobody expected. */
const STDERR = {
  error: (error: unknown) => {
    if (!(error instanceof BadEnd)) process.stderr.write(`${inspect(error)}\n`)
  },
}

type Close = CloseWithGraceAsyncCallback
type Grace = ReturnType<typeof closeWithGrace>

/**
 * Closes this process, and ends it, at the first signal. Signals of the next second count as the same one; a later one ends the
 * process at once, with exit code 1.
 */
export function closeOnSignal(options: Pick<Options, 'delay' | 'onTimeout'>, close: Close): Grace {
  let beganAt: number | null = null
  const grace = closeWhenAsked(options, async out => {
    beganAt ??= performance.now()
    await close(out)
  })
  const onSignal = (signal: NodeJS.Signals) => {
    if (beganAt === null) return grace.close()
    if (performance.now() - beganAt < SAME_MS) return
    process.stderr.write(`another ${signal} ends the process at once\n`)
    process.exit(1)
  }
  for (const signal of STOP_SIGNALS) process.on(signal, onSignal)
  const uninstall = () => {
    for (const signal of STOP_SIGNALS) process.off(signal, onSignal)
    grace.uninstall()
  }
  return { close: grace.close, uninstall }
}

/** The same without the signals: somebody else says when. A fault that nobody has caught closes the process too. */
export function closeWhenAsked(options: Pick<Options, 'delay' | 'onTimeout'>, close: Close): Grace {
  const skip = ['SIGHUP', ...STOP_SIGNALS] as const
  return closeWithGrace({ ...options, logger: STDERR, skip: [...skip] }, close)
}
