import { setFlagsFromString } from 'node:v8'
import closeWithGrace from 'close-with-grace'
import { type Logger, pino } from 'pino'
import { openIssuers } from '../access/issuers.ts'
import { createKeyRing, type KeyRing } from '../access/key-ring.ts'
import { openKeys } from '../access/open-keys.ts'
import { settingsLoaded } from '../access/settings-audit.ts'
import { keepReloading } from '../cards/reload.ts'
import type { Engine } from '../engine/engine.ts'
import { JournalError } from '../journal/error.ts'
import { version } from '../lib/version.ts'
import type { Environment } from '../model/environment.ts'
import { SettingsError } from '../model/settings-error.ts'
import { startTracing } from '../observe/tracing/start.ts'
import { buildApp } from './app.ts'
import { assertClosedToStrangers, type Settings } from './config.ts'
import { type CardSettings, createEngine, type RunningEngine } from './create-engine.ts'
import { Drain } from './drain.ts'
import { keepKeysCurrent } from './reload-keys.ts'

export interface GatewayOptions {
  readonly settings: Settings
  readonly env: Environment
  /** The settings file; null when there is none. */
  readonly file: string | null
  /** Reads the settings again, for the keys. @throws {SettingsError} */
  readonly read: () => Settings
  /** Called after the gateway has closed, e.g. to close the demo's sandbox. */
  readonly afterClose?: () => Promise<void>
  /** Called with the engine once the gateway listens. */
  readonly onStart?: (engine: Engine) => void
}

/**
 * Starts a gateway that listens. On a signal of the process it accepts no more requests, waits for the running ones
 * and closes. When the start fails, it closes whatever it has opened.
 * @throws {CardsError}
 * @throws {SettingsError} when strangers could call it, or the journal cannot be opened, or the address is not free.
 */
export async function startGateway({
  settings,
  env,
  file,
  read,
  afterClose,
  onStart,
}: GatewayOptions): Promise<string> {
  await using open = new AsyncDisposableStack()
  if (afterClose) open.defer(afterClose)
  assertClosedToStrangers(settings)
  const ring = createKeyRing(openKeys(settings.keys), { issuers: openIssuers(settings.oidc) })
  keepRequestsYoung()
  const logger = createLogger(settings.log_level)
  const tracing = await startTracing(env, logger)
  const secrets = () => ring.secrets()
  const current = currentSettings(settings, read)
  open.use(tracing)
  const engine = open.use(
    await createEngine({ settings, env, logger, tracing, secrets, current }).catch(error => {
      throw explainJournal(error, settings.journal)
    }),
  )
  open.use(followFiles({ engine, ring, settings, file, read, logger }))
  const drain = new Drain(settings.drain_ms)
  const app = await buildApp({ engine, settings, ring, logger, drain })
  open.defer(() => app.close())
  const { host, port } = settings
  const address = await app
    .listen({ host, port, listenTextResolver: at => `listening on ${at}` })
    .catch(error => {
      throw explainListen(error, { host, port })
    })
  probePrograms(engine)
  onStart?.(engine)
  stopOnSignal(open.move(), engine, { logger, drain, shutdownMs: settings.shutdown_ms })
  return address
}

interface FollowOptions extends Pick<GatewayOptions, 'settings' | 'file' | 'read'> {
  readonly engine: RunningEngine
  readonly ring: KeyRing
  readonly logger: Logger
}

/** Takes over changes of cards and keys while the gateway runs, and records which settings it has. */
function followFiles({ engine, ring, settings, file, read, logger }: FollowOptions): Disposable {
  const { note } = engine.decisions
  note(settingsLoaded(settings, version))
  // The settings hold credentials of the upstreams.
  const directories = [...settings.capabilities, ...(file === null ? [] : [file])]
  const open = new DisposableStack()
  open.use(keepReloading({ reload: engine.reload, directories, logger }))
  open.use(keepKeysCurrent({ engine, ring, settings, file, read, logger, note }))
  return open
}

/** The settings as they are now. While the file is faulty, those of before: the reload of the keys reports it. */
function currentSettings(settings: Settings, read: GatewayOptions['read']): () => CardSettings {
  let current = settings
  return () => {
    try {
      current = read()
    } catch (error) {
      if (!(error instanceof SettingsError)) throw error
    }
    return current
  }
}

interface StopOptions {
  readonly logger: Logger
  readonly drain: Drain
  /** The longest that running calls may take to end, after the drain. */
  readonly shutdownMs: number
}

/** Waits for the drain, closes everything in order, and reports the records that the journal could not keep. */
function stopOnSignal(
  running: AsyncDisposable,
  { journal }: Engine,
  { logger, drain, shutdownMs }: StopOptions,
): void {
  closeWithGrace({ delay: drain.ms + shutdownMs, skip: ['SIGHUP'] }, async ({ err }) => {
    if (err) logger.fatal({ err }, 'the gateway stops on an unexpected error')
    else await drain.wait()
    await running[Symbol.asyncDispose]()
    const { dropped } = journal.health()
    if (dropped === 0) return
    logger.fatal({ records: dropped }, `the journal has lost ${dropped} records`)
    throw new Error(`the journal has lost ${dropped} records`)
  })
}

/**
 * Keeps V8 from creating arrays of requests in its old generation, where each would keep its whole request in memory
 * until the next major GC (docs/decisions/young-requests.md).
 */
function keepRequestsYoung(): void {
  setFlagsFromString('--no-allocation-site-pretenuring')
}

/** Probes for the programs of CLI routes and their versions now, so that the first call does not wait for it. */
function probePrograms({ upstreams }: Engine): void {
  for (const connection of upstreams().flatMap(({ connections }) => [...connections.values()])) {
    connection.probe?.()
  }
}

/** Turns an error of opening the journal into advice; returns any other error unchanged. */
export function explainJournal(error: NodeJS.ErrnoException, file: string): Error {
  if (error instanceof JournalError) return new SettingsError(error.message, { cause: error })
  if (error.code !== 'ERR_SQLITE_ERROR' && error.syscall !== 'mkdir') return error
  return new SettingsError(
    `the journal ${file} cannot be opened: ${error.message}. ` +
      'Set SIGNALBOX_JOURNAL to another file, in a writable directory.',
    { cause: error },
  )
}

/** Turns an error of listening into advice; returns any other error unchanged. */
export function explainListen(
  error: NodeJS.ErrnoException,
  { host, port, prefix = '' }: { host: string; port: number; prefix?: 'SANDBOX_' | '' },
): Error {
  const fixes: Readonly<Record<string, string>> = {
    EADDRINUSE: `is in use: stop the process that listens there, or set another ${prefix}PORT (0 picks a free one)`,
    EACCES: `needs a special permission: set ${prefix}PORT to 1024 or more`,
    EADDRNOTAVAIL: `is not an address of this machine: set ${prefix}HOST to one that is, such as 127.0.0.1`,
    ENOTFOUND: `cannot be resolved: set ${prefix}HOST to an address of this machine, such as 127.0.0.1`,
  }
  const fix = fixes[error.code ?? '']
  return fix ? new SettingsError(`${host}:${port} ${fix}.`, { cause: error }) : error
}

/** The longest that a log line waits for others. A fatal line does not wait, and a shutdown flushes the rest. */
const LOG_DELAY_MS = 100
/** Lines are written in chunks of this size, because each write wakes another thread. */
const LOG_BYTES = 15 * 1024

/** Writes JSON lines to stdout, many at once and off the event loop, so that a slow reader delays no request. */
function createLogger(level: string): Logger {
  const redact = ['req.headers.authorization', 'req.headers["x-upstream-authorization"]']
  const lines = pino.destination({
    dest: 1,
    sync: false,
    minLength: LOG_BYTES,
    periodicFlush: LOG_DELAY_MS,
    // In text mode, each new line copies and measures all lines that wait.
    contentMode: 'buffer',
  })
  const destination = {
    // The types of pino do not know this mode.
    write: (line: string) => lines.write(Buffer.from(line) as Buffer & string),
    flushSync: () => lines.flushSync(),
  }
  return pino({ level, redact }, destination)
}
