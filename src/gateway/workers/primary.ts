import { once } from 'node:events'
import { type AddressInfo, createServer } from 'node:net'
import { type Logger, pino } from 'pino'
import { BadEnd, closeOnSignal } from '../../lib/close-on-signal.ts'
import { stopLeaving } from '../../lib/start-signals.ts'
import { LONGEST_TIMER_MS } from '../../lib/timer.ts'
import { SettingsError } from '../../model/settings-error.ts'
import type { Settings } from '../config.ts'
import { openLines } from '../log.ts'
import { describeBadEnd, describeLosses } from '../losses.ts'
import { explainJournal, explainListen } from '../server.ts'
import { assertClosedToStrangers } from '../strangers.ts'
import { assertShareable, workersOf } from './divide.ts'
import { Fleet } from './fleet.ts'
import { openServices, type Services } from './services.ts'

export interface WorkersOptions {
  readonly settings: Settings
  /** Reads the settings again. @throws {SettingsError} */
  readonly read: () => Settings
}

/**
 * Runs a gateway of several workers until a signal stops it. This process answers no request: it has the journal's file and what
 * the workers share, and keeps them running.
 * @throws {SettingsError} for settings that several processes cannot have, and for a journal that cannot be opened.
 */
export async function startWorkers({ settings: given, read }: WorkersOptions): Promise<void> {
  assertClosedToStrangers(given)
  assertShareable(given)
  const settings = { ...given, port: given.port || (await freePort(given.host)) }
  const lines = openLines()
  const logger = pino({ level: settings.log_level }, lines)
  const services = open(settings, logger)
  const fleet = new Fleet({
    services,
    logger,
    lines,
    of: workersOf(settings),
    settings: latest(settings, read),
  })
  process.on('SIGHUP', () => fleet.reload())
  stopOnSignal(fleet, services, logger)
  if (await fleet.start()) return
  // The worker has said why on stderr.
  await fleet.stop()
  await services.close()
  process.exit(1)
}

function open(settings: Settings, logger: Logger): Services {
  try {
    return openServices(settings, logger)
  } catch (error) {
    throw explainJournal(error as Error, settings.journal)
  }
}

/** The settings as they were last without a fault, so that a faulty file keeps no worker from taking the place of a dead one. */
function latest(settings: Settings, read: () => Settings): () => Settings {
  let known = settings
  return () => {
    try {
      const { keys, oidc, credentials } = read()
      known = { ...settings, keys, oidc, credentials }
    } catch (error) {
      if (!(error instanceof SettingsError)) throw error
    }
    return known
  }
}

/** A port that all workers take, also those that come when all others have died. */
async function freePort(host: string): Promise<number> {
  const server = createServer().listen({ host, port: 0 })
  try {
    await once(server, 'listening')
    return (server.address() as AddressInfo).port
  } catch (error) {
    throw explainListen(error as Error, { host, port: 0 })
  } finally {
    server.close()
  }
}

/** For the journal's file, after the last worker. */
const GRACE_MS = 5_000

function stopOnSignal(fleet: Fleet, services: Services, logger: Logger): void {
  const delay = Math.min(fleet.stopMs() + GRACE_MS, LONGEST_TIMER_MS)
  closeOnSignal({ delay }, async ({ err }) => {
    if (err) logger.fatal({ err }, 'the gateway stops on an unexpected error')
    const isWell = await fleet.stop()
    await services.close()
    const losses = services.losses()
    if (isWell && describeLosses(losses).length === 0) return
    logger.fatal(losses, describeBadEnd(losses))
    throw new BadEnd()
  })
  stopLeaving()
}
