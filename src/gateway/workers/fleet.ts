import cluster from 'node:cluster'
import { setTimeout as delay } from 'node:timers/promises'
import type { Logger } from 'pino'
import { messageOf } from '../../lib/message-of.ts'
import { LONGEST_TIMER_MS } from '../../lib/timer.ts'
import { endOf } from '../../lib/within.ts'
import type { Settings } from '../config.ts'
import { stopMs } from '../stop.ts'
import { forwardLines, type Lines } from './lines.ts'
import type { Beginning } from './link.ts'
import { Member } from './member.ts'
import type { Services } from './services.ts'
import { watchWorker } from './watchdog.ts'

export interface FleetOptions {
  readonly services: Services
  readonly logger: Logger
  readonly lines: Lines
  /** How many workers. */
  readonly of: number
  /** The settings as they are now, for a worker that begins. */
  readonly settings: () => Settings
}

/** A worker that ends sooner may end again at once. */
const YOUNG_MS = 10_000
const FIRST_PAUSE_MS = 100
const LONGEST_PAUSE_MS = 10_000
/** Beyond the time that a worker itself takes to end. */
const GRACE_MS = 1_000

/** The workers of one gateway: starts them, and another one in the place of each that ends. */
export class Fleet {
  readonly #options: FleetOptions
  readonly #members = new Set<Member>()
  readonly #pauses = new Map<number, number>()
  /** Workers that somebody has signalled. They serve until each has been relieved, one after the other. */
  readonly #toRelieve: Member[] = []
  #relieved: Member | null = null
  #begun = 0
  #stopping = false
  #failed = false

  constructor(options: FleetOptions) {
    this.#options = options
    // One socket for all workers: a connection waits in the kernel until a worker takes it, so none is lost with a worker.
    cluster.schedulingPolicy = cluster.SCHED_NONE
    cluster.setupPrimary({
      serialization: 'advanced',
      stdio: ['ignore', 'pipe', 'inherit', 'ipc'],
    })
  }

  /**
   * Resolves to whether the gateway serves, or has been stopped meanwhile. The first worker alone tries the settings and
   * brings the tables up to date; another that cannot start is replaced, like one that ends later.
   */
  async start(): Promise<boolean> {
    const isServing = await this.#begin(1)
    if (this.#stopping || !isServing) return this.#stopping
    for (let slot = 2; slot <= this.#options.of; slot++) void this.#fill(slot)
    return true
  }

  /** The longest that `stop` takes. */
  stopMs(): number {
    return Math.min(stopMs(this.#options.settings()) + GRACE_MS, LONGEST_TIMER_MS)
  }

  reload(): void {
    for (const { channel } of this.#members) channel.tell('reload')
  }

  /**
   * Ends all workers, at most in their own time. Resolves to whether all that began to stop ended well: one that was killed
   * before has no say, whether its death was noticed in time or not.
   */
  async stop(): Promise<boolean> {
    this.#stopping = true
    const members = [...this.#members]
    for (const { channel } of members) channel.tell('stop')
    const all = Promise.all(members.map(({ ended }) => ended))
    await endOf(all, this.stopMs())
    for (const left of this.#members) {
      this.#failed = true
      left.kill()
    }
    await all
    return !this.#failed
  }

  /** Starts a worker. Tries again while the system has no memory for another process: the other workers serve meanwhile. */
  async #fill(slot: number, relieves: Member | null = null): Promise<boolean> {
    while (!this.#stopping) {
      try {
        return await this.#begin(slot, relieves)
      } catch (error) {
        this.#logNotStarted(slot, messageOf(error))
      }
      await delay(this.#nextPause(slot))
    }
    return false
  }

  /**
   * Starts a worker. Resolves to whether it listens, or false when it has ended before. Rejects if its process cannot be made.
   * @param relieves the worker that serves until then
   */
  async #begin(slot: number, relieves: Member | null = null): Promise<boolean> {
    const worker = cluster.fork()
    const member = new Member(worker, slot, relieves)
    const { services, lines } = this.#options
    const end = services.serve(member.channel)
    if (worker.process.stdout) forwardLines(worker.process.stdout, lines)
    const ready = Promise.withResolvers<boolean>()
    let forget = () => {}
    let unwatch = () => {}
    member.channel.handle('begin', () => {
      // Loading the code before took as long as the machine needs.
      unwatch = this.#watch(member)
      return this.#beginning(slot)
    })
    member.channel.handle('ready', () => {
      forget = services.neighbours.add(member.channel, slot)
      ready.resolve(true)
      this.#letGo(member)
    })
    member.channel.handle('relieve', () => this.#relieve(member))
    member.channel.handle('leaving', () => {
      member.leave()
      void this.#replace(member)
    })
    this.#members.add(member)
    void member.ended.then(() => {
      forget()
      unwatch()
      end()
      this.#members.delete(member)
      ready.resolve(false)
      this.#noteEnd(member)
    })
    return await ready.promise
  }

  /** Kills a worker that stands still; its end is then like any other. */
  #watch(member: Member): () => void {
    const { worker_silent_ms: silentMs } = this.#options.settings()
    const onFrozen = () => {
      this.#options.logger.error(
        { worker: member.slot, worker_pid: member.pid, silent_ms: silentMs },
        'a worker does not answer and is killed',
      )
      member.kill()
    }
    return watchWorker({ channel: member.channel, silentMs, onFrozen })
  }

  #beginning(slot: number): Beginning<Settings> {
    const settings = this.#options.settings()
    const first = this.#begun++ === 0
    return { settings, slot, of: this.#options.of, first }
  }

  #noteEnd(member: Member): void {
    const isExpected = this.#stopping || member.isLeaving
    const isWell = member.exit?.code === 0
    if (!isWell && this.#stopping && member.isLeaving) this.#failed = true
    if (!isWell || !isExpected) this.#logEnd(member)
    if (!isExpected) void this.#replace(member)
  }

  #logEnd({ slot, pid, exit }: Member): void {
    const { code, signal, notStarted = null } = exit ?? {}
    if (notStarted !== null) return this.#logNotStarted(slot, notStarted)
    this.#options.logger.error(
      { worker: slot, worker_pid: pid, code, signal },
      'a worker has ended',
    )
  }

  #logNotStarted(slot: number, reason: string): void {
    this.#options.logger.error({ worker: slot, reason }, 'a worker cannot be started')
  }

  /** Starts another worker in the place of one that serves, but not of several at once: each takes a core for a while, and memory. */
  #relieve(member: Member): void {
    if (this.#stopping) return
    this.#options.logger.info(
      { worker: member.slot, worker_pid: member.pid },
      'a worker was told to stop: it serves until another has taken its place',
    )
    this.#toRelieve.push(member)
    this.#relieveNext()
  }

  #relieveNext(): void {
    if (this.#relieved) return
    const member = this.#toRelieve.shift()
    if (!member) return
    // It may have died meanwhile.
    if (member.isReplaced) return this.#relieveNext()
    this.#relieved = member
    void this.#replace(member)
  }

  /** A worker listens: the one that it relieves may go. */
  #letGo(member: Member): void {
    const old = member.relieves
    member.relieves = null
    if (!old) return
    old.channel.tell('leave')
    if (old !== this.#relieved) return
    this.#relieved = null
    this.#relieveNext()
  }

  /** Starts another worker, after a pause if this one did not live long. */
  async #replace(member: Member): Promise<void> {
    if (member.isReplaced) return
    member.isReplaced = true
    const { slot, startedAt } = member
    if (performance.now() - startedAt >= YOUNG_MS) this.#pauses.delete(slot)
    await delay(this.#nextPause(slot))
    // A worker that never listened was to relieve another, which still serves.
    if (await this.#fill(slot, member.relieves ?? member)) {
      this.#options.logger.info({ worker: slot }, 'another worker has taken its place')
    }
  }

  /** The pause before another worker starts in a slot: longer each time, until one has lived for a while. */
  #nextPause(slot: number): number {
    const pause = this.#pauses.get(slot) ?? FIRST_PAUSE_MS
    this.#pauses.set(slot, Math.min(2 * pause, LONGEST_PAUSE_MS))
    return pause
  }
}
