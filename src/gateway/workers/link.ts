import { setImmediate as nextTurn } from 'node:timers/promises'
import { Channel } from '../../lib/channel.ts'
import { within, withinTurns } from '../../lib/within.ts'
import { ALIVE } from './watchdog.ts'

/** The facts that a worker needs when it begins. */
export interface Beginning<Settings> {
  readonly settings: Settings
  /** Its number among the workers, from 1. The one that takes the place of a dead worker gets the number of that one. */
  readonly slot: number
  /** How many workers there are. */
  readonly of: number
  /** Whether no worker of this gateway has begun before. */
  readonly first: boolean
}

/** A worker's link to its primary process, and through it to the other workers. */
export interface WorkerLink {
  readonly channel: Channel
  readonly slot: number
  readonly of: number
  /** Whether no worker of this gateway has begun before. */
  readonly first: boolean
  /** Whether the whole gateway stops, and not only this worker. */
  readonly stopping: () => boolean
  /** Sets the function that stops this worker: called when the whole gateway stops, or another worker has taken its place. */
  readonly onStop: (stop: () => void) => void
}

interface Gathering {
  readonly name: string
  readonly argument: unknown
}

/** Opens the link of this process, which a primary process has started, and asks for what a worker needs to begin. */
export async function joinWorkers<Settings>(): Promise<{
  readonly link: WorkerLink
  readonly settings: Settings
}> {
  const channel = openChannel()
  let isStopping = false
  // Until the worker listens, it has nothing to end.
  let stop = () => process.exit(0) as void
  channel.handle('stop', () => {
    isStopping = true
    stop()
  })
  channel.handle('leave', () => stop())
  channel.handle(ALIVE, () => true)
  channel.handle('reload', () => process.emit('SIGHUP', 'SIGHUP'))
  const { settings, ...begun } = (await channel.ask('begin')) as Beginning<Settings>
  const onStop = (next: () => void) => {
    stop = next
  }
  return { link: { channel, ...begun, stopping: () => isStopping, onStop }, settings }
}

function openChannel(): Channel {
  const channel = new Channel({
    // A primary process that has died ends this process too.
    send: message => process.send?.(message, undefined, undefined, () => {}),
  })
  process.on('message', message => channel.receive(message))
  // A gateway that starts in the place of the dead one waits for its workers to end.
  process.prependListener('disconnect', () => process.kill(process.pid, 'SIGKILL'))
  return channel
}

/** How long the slowest worker may take to answer. */
const GATHER_MS = 1_000

/** The answer of a worker. */
export interface Answer<T> {
  readonly worker: number
  /** Null if it does not answer in time. */
  readonly answer: T | null
}

/** Asks every worker, this one included. If the primary process is silent, this worker counts as the silent one. */
export async function gather<T>(
  { channel, slot }: WorkerLink,
  name: string,
  argument: unknown = null,
): Promise<readonly Answer<T>[]> {
  const asked: Gathering = { name, argument }
  const answers = within(channel.ask('gather', asked), 2 * GATHER_MS, 'no answer')
  const none = [{ worker: slot, answer: null }]
  return (await answers.catch(() => none)) as readonly Answer<T>[]
}

/** Tells every other worker. */
export function broadcast({ channel }: WorkerLink, name: string, argument: unknown): void {
  channel.tell('broadcast', { name, argument } satisfies Gathering)
}

/** The workers as the primary process knows them: passes questions and news between them. */
export class Neighbours {
  /** With the number of the worker. */
  readonly #channels = new Map<Channel, number>()
  /** Since when a worker has said nothing, although it was asked. */
  readonly #silentSince = new WeakMap<Channel, number>()

  /** @returns a function to call when the worker has ended or no longer counts */
  add(channel: Channel, slot: number): () => void {
    this.#channels.set(channel, slot)
    return () => void this.#channels.delete(channel)
  }

  serve(channel: Channel): void {
    channel.handle('gather', ({ name, argument }: Gathering) => this.gather(name, argument))
    channel.handle('broadcast', ({ name, argument }: Gathering) => {
      for (const other of this.#channels.keys()) if (other !== channel) other.tell(name, argument)
    })
  }

  /** The answer of each worker that has not ended meanwhile. */
  async gather(name: string, argument: unknown = null): Promise<readonly Answer<unknown>[]> {
    const answers = await this.ask(name, argument)
    return [...answers].flatMap(([channel, answer]) => {
      const worker = this.#channels.get(channel)
      return worker === undefined ? [] : [{ worker, answer }]
    })
  }

  /** The answer of each worker; null for one that does not answer in time. */
  async ask(
    name: string,
    argument: unknown = null,
    withinMs = GATHER_MS,
  ): Promise<ReadonlyMap<Channel, unknown>> {
    const answers = await Promise.all(
      [...this.#channels.keys()].map(async channel => {
        const isSilent = await this.#isSilent(channel)
        const asked = { name, argument }
        return [channel, isSilent ? null : await this.#askOne(channel, asked, withinMs)] as const
      }),
    )
    return new Map(answers)
  }

  async #askOne(
    channel: Channel,
    { name, argument }: Gathering,
    withinMs: number,
  ): Promise<unknown> {
    const askedAt = performance.now()
    try {
      return await withinTurns(channel.ask(name, argument), withinMs, 'the worker is silent')
    } catch {
      if (channel.heardAt < askedAt) this.#noteSilence(channel, askedAt)
      return null
    }
  }

  /** A worker that stands still delays one answer, and not all until it is killed or goes on. */
  #noteSilence(channel: Channel, since: number): void {
    this.#silentSince.set(channel, since)
    // The answer shows that it goes on, or that only the first question takes long.
    channel.ask(ALIVE).catch(() => {})
  }

  async #isSilent(channel: Channel): Promise<boolean> {
    const since = this.#silentSince.get(channel)
    if (since === undefined) return false
    // Its answer may have arrived while this process was busy.
    if (channel.heardAt < since) await nextTurn()
    if (channel.heardAt < since) return true
    this.#silentSince.delete(channel)
    return false
  }
}
