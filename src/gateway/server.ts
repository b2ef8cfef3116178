import closeWithGrace from 'close-with-grace'
import { type Logger, pino } from 'pino'
import { keepReloading } from '../cards/reload.ts'
import type { Engine } from '../engine/engine.ts'
import { JournalError } from '../journal/error.ts'
import type { Environment } from '../model/environment.ts'
import { SettingsError } from '../model/settings-error.ts'
import { startTracing } from '../observe/tracing/start.ts'
import { buildApp } from './app.ts'
import { assertClosedToStrangers, type Settings } from './config.ts'
import { createEngine } from './create-engine.ts'

export interface GatewayOptions {
  readonly settings: Settings
  readonly env: Environment
  /** Closed after the gateway, e.g. the sandbox of the demo. */
  readonly also?: () => Promise<void>
}

/** Running requests get this much longer than their own deadline could need. */
export const GRACE_MS = 5_000

/**
 * Listens, and answers the signals of the process: stops taking requests, lets running ones end, closes.
 * Whatever it throws, everything is closed again.
 * @throws {CardsError}
 * @throws {SettingsError} when strangers could call it, or the journal or the address cannot be had.
 */
export async function startGateway({ settings, env, also }: GatewayOptions): Promise<string> {
  await using open = new AsyncDisposableStack()
  if (also) open.defer(also)
  assertClosedToStrangers(settings)
  const logger = createLogger(settings.log_level)
  const tracing = await startTracing(env, logger)
  open.use(tracing)
  const engine = open.use(
    await createEngine({ settings, env, logger, tracing }).catch(error => {
      throw explainJournal(error, settings.journal)
    }),
  )
  open.use(keepReloading({ capabilities: engine, directories: settings.capabilities, logger }))
  const app = await buildApp({ engine, settings, logger })
  open.defer(() => app.close())
  const { host, port } = settings
  const address = await app
    .listen({ host, port, listenTextResolver: at => `listening on ${at}` })
    .catch(error => {
      throw explainListen(error, { host, port })
    })
  lookForPrograms(engine)
  const running = open.move()
  const delay = settings.timeout_ms + GRACE_MS
  closeWithGrace({ delay, skip: ['SIGHUP'] }, async ({ err }) => {
    if (err) logger.fatal({ err }, 'the gateway stops on an unexpected error')
    await running.disposeAsync()
  })
  return address
}

/** Which programs are there, and in which version, is found out now rather than while the first call waits. */
function lookForPrograms({ catalog }: Engine): void {
  for (const { route, call } of catalog.all().flatMap(card => card.routes)) {
    if (route === 'cli') void call.unavailable()
  }
}

/** The error in words for whoever set the file; any other error as it is. */
export function explainJournal(error: NodeJS.ErrnoException, file: string): Error {
  if (error instanceof JournalError) return new SettingsError(error.message, { cause: error })
  if (error.code !== 'ERR_SQLITE_ERROR' && error.syscall !== 'mkdir') return error
  return new SettingsError(
    `the journal ${file} cannot be opened: ${error.message}. ` +
      'Set SIGNALBOX_JOURNAL to another file, in a directory that can be written.',
    { cause: error },
  )
}

/** What to do about an address that cannot be had; any other error as it is. */
export function explainListen(
  error: NodeJS.ErrnoException,
  { host, port, prefix = '' }: { host: string; port: number; prefix?: 'SANDBOX_' | '' },
): Error {
  const fixes: Readonly<Record<string, string>> = {
    EADDRINUSE: `is in use: stop what listens there, or set another ${prefix}PORT (0 picks a free one)`,
    EACCES: `needs a special right: set ${prefix}PORT to 1024 or more`,
    EADDRNOTAVAIL: `is not of this machine: set ${prefix}HOST to an address that is, such as 127.0.0.1`,
    ENOTFOUND: `has no known address: set ${prefix}HOST to one of this machine, such as 127.0.0.1`,
  }
  const fix = fixes[error.code ?? '']
  return fix ? new SettingsError(`${host}:${port} ${fix}.`, { cause: error }) : error
}

/** How long a log line may wait for others. A fatal one does not, and the last ones go out at the end. */
const LOG_DELAY_MS = 100
/** As many are written at once: each write wakes another thread. */
const LOG_BYTES = 15 * 1024

/** JSON lines on stdout, several in one write and none on the event loop: a slow reader holds up no request. */
function createLogger(level: string): Logger {
  const redact = ['req.headers.authorization', 'req.headers["x-upstream-authorization"]']
  const lines = pino.destination({
    dest: 1,
    sync: false,
    minLength: LOG_BYTES,
    periodicFlush: LOG_DELAY_MS,
    // Of text, all that waits would be copied and measured again for each line.
    contentMode: 'buffer',
  })
  const destination = {
    // Its types do not know the mode.
    write: (line: string) => lines.write(Buffer.from(line) as Buffer & string),
    flushSync: () => lines.flushSync(),
  }
  return pino({ level, redact }, destination)
}
