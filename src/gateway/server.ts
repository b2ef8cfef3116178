import { setFlagsFromString } from 'node:v8'
import type { Logger } from 'pino'
import { openIssuers } from '../access/issuers.ts'
import { createKeyRing, type KeyRing } from '../access/key-ring.ts'
import { openKeys } from '../access/open-keys.ts'
import { settingsLoaded } from '../access/settings-audit.ts'
import { keepReloading } from '../cards/reload.ts'
import type { Engine } from '../engine/engine.ts'
import { JournalError } from '../journal/error.ts'
import { inBrackets, listenerOf } from '../lib/process-of.ts'
import { version } from '../lib/version.ts'
import type { Environment } from '../model/environment.ts'
import { SettingsError } from '../model/settings-error.ts'
import { startTracing } from '../observe/tracing/start.ts'
import { buildApp } from './app.ts'
import type { Settings } from './config.ts'
import { type CardSettings, createEngine, type RunningEngine } from './create-engine.ts'
import { warnOfFiles } from './credential-files.ts'
import { Drain } from './drain.ts'
import { createLogger } from './log.ts'
import { outagesOf } from './outages.ts'
import { keepKeysCurrent } from './reload-keys.ts'
import { endCalls, stopMs, stopOnSignal } from './stop.ts'
import { assertClosedToStrangers } from './strangers.ts'
import { shareOf } from './workers/divide.ts'
import type { WorkerLink } from './workers/link.ts'
import { takeTurns } from './workers/take-turns.ts'

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
  /** The parts that only one of several workers has. @default null: the gateway is one process */
  readonly link?: WorkerLink | null
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
  link = null,
}: GatewayOptions): Promise<string> {
  await using open = new AsyncDisposableStack()
  if (afterClose) open.defer(afterClose)
  assertClosedToStrangers(settings)
  const ring = createKeyRing(openKeys(settings.keys), { issuers: openIssuers(settings.oidc) })
  keepRequestsYoung()
  const logger = createLogger(settings.log_level, link)
  const own = link === null ? settings : shareOf(settings, link.of)
  const tracing = await startTracing(env, logger, outagesOf(logger, link)('traces'))
  const secrets = () => ring.secrets()
  const current = currentSettings(settings, read)
  open.use(tracing)
  const engine = open.use(
    await createEngine({ settings: own, env, logger, tracing, secrets, current, link }).catch(
      error => {
        throw explainJournal(error, settings.journal)
      },
    ),
  )
  open.use(followFiles({ engine, ring, settings, file, read, logger, link }))
  const drain = new Drain(settings.drain_ms)
  const app = await buildApp({ engine, settings: own, ring, logger, drain, link })
  open.defer(() => endCalls(app, { engine, logger, shutdownMs: settings.shutdown_ms }))
  if (link !== null) takeTurns(app.server)
  const address = await listen(app, settings)
  probePrograms(engine)
  if (link?.first ?? true) void warnOfFiles(engine, logger)
  onStart?.(engine)
  stopOnSignal(open.move(), { engine, app, logger, drain, longestMs: stopMs(settings), link })
  link?.channel.tell('ready')
  return address
}

async function listen(
  app: Awaited<ReturnType<typeof buildApp>>,
  { host, port }: Pick<Settings, 'host' | 'port'>,
): Promise<string> {
  try {
    return await app.listen({ host, port, listenTextResolver: at => `listening on ${at}` })
  } catch (error) {
    throw explainListen(error as Error, { host, port })
  }
}

interface FollowOptions extends Pick<GatewayOptions, 'settings' | 'file' | 'read'> {
  readonly link: WorkerLink | null
  readonly engine: RunningEngine
  readonly ring: KeyRing
  readonly logger: Logger
}

/** Takes over changes of cards and keys while the gateway runs, and records which settings it has. */
function followFiles({
  engine,
  ring,
  settings,
  file,
  read,
  logger,
  link,
}: FollowOptions): Disposable {
  // All workers read the same files; the audit needs to hear of it once.
  const note = link === null || link.slot === 1 ? engine.decisions.note : () => {}
  if (link?.first ?? true) note(settingsLoaded(settings, version))
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

/** The system calls by which the journal's file and its directory are made and looked at. */
const FILE_CALLS: ReadonlySet<string> = new Set(['mkdir', 'open', 'stat', 'read'])

/** Turns an error of opening the journal into advice; returns any other error unchanged. */
export function explainJournal(error: NodeJS.ErrnoException, file: string): Error {
  if (error instanceof JournalError) return new SettingsError(error.message, { cause: error })
  if (error.code !== 'ERR_SQLITE_ERROR' && !FILE_CALLS.has(error.syscall ?? '')) return error
  const fix = isFull(error)
    ? 'Free some space, or set SIGNALBOX_JOURNAL to a file on another disk.'
    : 'Set SIGNALBOX_JOURNAL to another file, in a writable directory.'
  return new SettingsError(`the journal ${file} cannot be opened: ${error.message}. ${fix}`, {
    cause: error,
  })
}

function isFull({ code, message }: NodeJS.ErrnoException): boolean {
  return code === 'ENOSPC' || message.includes('disk is full')
}

/** Turns an error of listening into advice; returns any other error unchanged. */
export function explainListen(
  error: NodeJS.ErrnoException,
  { host, port, prefix = '' }: { host: string; port: number; prefix?: 'SANDBOX_' | '' },
): Error {
  const fixes: Readonly<Record<string, () => string>> = {
    EADDRINUSE: () =>
      `is in use: stop the process that listens there${inBrackets(listenerOf(port))}, or set another ${prefix}PORT (0 picks a free one)`,
    EACCES: () => `needs a special permission: set ${prefix}PORT to 1024 or more`,
    EADDRNOTAVAIL: () =>
      `is not an address of this machine: set ${prefix}HOST to one that is, such as 127.0.0.1`,
    ENOTFOUND: () =>
      `cannot be resolved: set ${prefix}HOST to an address of this machine, such as 127.0.0.1`,
  }
  const fix = fixes[error.code ?? '']?.()
  return fix ? new SettingsError(`${host}:${port} ${fix}.`, { cause: error }) : error
}
