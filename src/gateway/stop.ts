import { Server } from 'node:net'
import { setTimeout as delay } from 'node:timers/promises'
import type { FastifyInstance } from 'fastify'
import type { Logger } from 'pino'
import { BadEnd, closeOnSignal, closeWhenAsked, STOP_SIGNALS } from '../lib/close-on-signal.ts'
import { stopLeaving } from '../lib/start-signals.ts'
import { counted } from '../lib/text.ts'
import { LONGEST_TIMER_MS } from '../lib/timer.ts'
import { endOf, within } from '../lib/within.ts'
import type { Settings } from './config.ts'
import type { RunningEngine } from './create-engine.ts'
import type { Drain } from './drain.ts'
import { describeBadEnd, describeLosses, type Losses, lossesOf } from './losses.ts'
import type { WorkerLink } from './workers/link.ts'

/** How long a worker that leaves alone serves its connections: each of them is closed with its next answer. */
const LEAVING_MS = 1_000
/** For calls that were cut off to answer their callers. */
const ANSWER_MS = 1_500
/** For calls whose callers were disconnected to be recorded. */
const RECORD_MS = 500
/** For the journal, the audit and the traces, after the last call: each waits some seconds for a database that is away. */
const FLUSH_MS = 12_000
/** For the primary process to hear what a worker has lost. */
const REPORT_MS = 1_000

/** The longest that a gateway of one process takes to stop. */
export function stopMs({
  drain_ms: drain,
  shutdown_ms: shutdown,
}: Pick<Settings, 'drain_ms' | 'shutdown_ms'>): number {
  const all = Math.max(drain, LEAVING_MS) + shutdown + ANSWER_MS + RECORD_MS + FLUSH_MS
  return Math.min(all, LONGEST_TIMER_MS)
}

interface Ending {
  readonly engine: RunningEngine
  readonly logger: Pick<Logger, 'warn'>
  /** The longest that running calls may take to end. */
  readonly shutdownMs: number
}

/** How often a stop looks whether the last call has ended. */
const LOOK_MS = 25

/**
 * Closes the listener and waits for the running calls, also for those whose callers have left. Cuts off those that take too long,
 * so that they are answered and recorded before the journal is closed.
 */
export async function endCalls(
  app: Pick<FastifyInstance, 'close' | 'server'>,
  { engine, logger, shutdownMs }: Ending,
): Promise<void> {
  let isOver = false
  const closed = Promise.resolve(app.close()).catch(error =>
    logger.warn({ err: error }, 'the server has not closed well'),
  )
  const ended = closed.then(async () => {
    // A call whose caller has left has no connection that the server could wait for.
    while (engine.journal.running() > 0 && !isOver) await delay(LOOK_MS)
    isOver = true
  })
  await endOf(ended, shutdownMs)
  if (isOver) return
  cutOff(engine, logger)
  await endOf(ended, ANSWER_MS)
  if (isOver) return
  app.server.closeAllConnections()
  await endOf(ended, RECORD_MS)
  isOver = true
}

/** Breaks off the requests to services, so that the calls that wait for them end. */
export function cutOff(engine: RunningEngine, logger: Pick<Logger, 'warn'>): void {
  logger.warn({ calls: engine.journal.running() }, 'running calls are cut off')
  engine.cut()
}

export interface StopOptions {
  readonly engine: RunningEngine
  readonly app: Pick<FastifyInstance, 'server'>
  readonly logger: Logger
  readonly drain: Drain
  /** The longest that the stop may take. */
  readonly longestMs: number
  readonly link: WorkerLink | null
}

/** Waits for the drain, closes everything in order, and fails if something could not be kept. */
export function stopOnSignal(running: AsyncDisposable, options: StopOptions): void {
  const { engine, app, logger, drain, longestMs, link } = options
  const isAlone = () => link !== null && !link.stopping()
  const onTimeout = () => {
    const losses = unfinishedOf(engine)
    logger.fatal(
      losses,
      `the stop takes too long; the journal has lost ${counted(losses.records, 'record')}`,
    )
    link?.channel.tell('lost', losses)
  }
  const close: Parameters<typeof closeOnSignal>[1] = async ({ err }) => {
    drain.begin()
    link?.channel.tell('leaving')
    // The other workers take new connections.
    if (isAlone()) Server.prototype.close.call(app.server)
    if (err) logger.fatal({ err }, 'the gateway stops on an unexpected error')
    else await drain.wait(isAlone() ? LEAVING_MS : 0)
    await running[Symbol.asyncDispose]()
    await assertKept(options)
  }
  if (link === null) closeOnSignal({ delay: longestMs, onTimeout }, close)
  else stopWithOthers(link, drain, closeWhenAsked({ delay: longestMs, onTimeout }, close).close)
  stopLeaving()
}

/** The losses of a stop that is broken off: nobody writes any more what waits. */
function unfinishedOf(engine: RunningEngine): Losses {
  const losses = lossesOf(engine)
  return { ...losses, records: losses.records + engine.journal.health().waiting }
}

/** @throws {BadEnd} if something is lost. The primary process logs the losses of all workers together. */
async function assertKept({ engine, logger, link }: StopOptions): Promise<void> {
  const losses = lossesOf(engine)
  if (describeLosses(losses).length === 0) return
  if (link === null) logger.fatal(losses, describeBadEnd(losses))
  // Without an answer, the exit code still says that something is wrong.
  else await within(link.channel.ask('lost', losses), REPORT_MS, 'no answer').catch(() => {})
  throw new BadEnd()
}

/**
 * Stops a worker when its primary process says so. A signal to this process may have reached all workers, and then nobody would
 * listen: so the worker asks to be relieved, and the primary process lets it go when another one listens. A terminal's
 * Ctrl-C reaches the primary process as well, which then tells all to stop.
 */
function stopWithOthers(link: WorkerLink, drain: Drain, stop: () => void): void {
  link.onStop(() => {
    if (!drain.begun) stop()
  })
  let hasAsked = false
  const ask = () => {
    if (hasAsked || drain.begun) return
    hasAsked = true
    link.channel.tell('relieve')
  }
  for (const signal of STOP_SIGNALS) process.on(signal, ask)
}
