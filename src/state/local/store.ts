import type { Channel } from '../../lib/channel.ts'
import { withinTurns } from '../../lib/within.ts'
import { OwnAnswers } from '../answers.ts'
import type { SharedStore } from '../redis/store.ts'
import { Keyspace } from './keyspace.ts'
import { OPERATIONS } from './operations.ts'

interface Run {
  readonly operation: number
  readonly keys: readonly string[]
  readonly values: readonly string[]
}

type Read =
  | { readonly kind: 'string' | 'hash'; readonly key: string }
  | { readonly kind: 'sorted'; readonly key: string; readonly from: number }

interface Published {
  readonly channel: string
  readonly message: string
}

const SWEEP_EVERY_MS = 60_000
/** A primary process that answers nothing for this long is as good as away. */
const SILENT_MS = 3_000

/** The state that the workers of one gateway share, in the memory of their primary process. */
export class StoreServer implements Disposable {
  readonly #keys = new Keyspace()
  readonly #answers: OwnAnswers
  readonly #channels = new Set<Channel>()
  readonly #sweeping: NodeJS.Timeout

  /** @param maxKeptBytes the bound of the answers from memory, over all workers */
  constructor(maxKeptBytes: number) {
    this.#answers = new OwnAnswers(maxKeptBytes)
    this.#sweeping = setInterval(() => this.#keys.sweep(Date.now()), SWEEP_EVERY_MS).unref()
  }

  /** The answers that are kept, and their bytes. */
  get kept(): { readonly count: number; readonly bytes: number } {
    return this.#answers
  }

  /** Serves a worker. @returns a function to call when the worker has ended. */
  serve(channel: Channel): () => void {
    channel.handle('state.run', (run: Run) => this.#run(run))
    channel.handle('state.read', (read: Read) => this.#read(read))
    this.#channels.add(channel)
    return () => this.#channels.delete(channel)
  }

  [Symbol.dispose](): void {
    clearInterval(this.#sweeping)
  }

  #run({ operation, keys, values }: Run): unknown {
    const publish = (channel: string, message: string) => {
      const published: Published = { channel, message }
      for (const one of this.#channels) one.tell('state.published', published)
    }
    const ground = { keys: this.#keys, answers: this.#answers, publish, now: Date.now() }
    return OPERATIONS[operation]?.[1]({ ...ground, tick: performance.now() }, keys, values)
  }

  #read(read: Read): unknown {
    this.#keys.refresh(read.key, Date.now())
    switch (read.kind) {
      case 'string':
        return this.#keys.strings.get(read.key) ?? null
      case 'hash':
        return Object.fromEntries(this.#keys.hashes.get(read.key) ?? [])
      case 'sorted':
        return this.#keys.members(read.key, read.from)
    }
  }
}

const NUMBERS: ReadonlyMap<string, number> = new Map(
  OPERATIONS.map(([script], number) => [script, number]),
)

/** A worker's way to the state in its primary process. A worker does not outlive that process, so nothing is ever lost. */
export class PrimaryStore implements SharedStore {
  readonly #channel: Channel
  readonly #setup: (() => Promise<void>)[] = []
  readonly #listeners = new Map<string, (message: string) => void>()
  readonly #since = Date.now()

  constructor(channel: Channel) {
    this.#channel = channel
    channel.handle('state.published', ({ channel: name, message }: Published) =>
      this.#listeners.get(name)?.(message),
    )
  }

  async open(): Promise<void> {
    for (const work of this.#setup) await work()
  }

  onConnect(work: () => Promise<void>): void {
    this.#setup.push(work)
  }

  subscribe(channel: string, onMessage: (message: string) => void): void {
    this.#listeners.set(channel, onMessage)
  }

  health() {
    return { ok: true, message: null }
  }

  connectedFor(): number {
    return Date.now() - this.#since
  }

  key(name: string): string {
    return name
  }

  channel(name: string): string {
    return name
  }

  run(script: string, keys: readonly string[], values: readonly string[]): Promise<unknown> {
    const operation = NUMBERS.get(script)
    if (operation === undefined) throw new Error('the script has no twin in operations.ts')
    return this.#ask('state.run', { operation, keys, values } satisfies Run)
  }

  async get(key: string): Promise<string | null> {
    return (await this.#read({ kind: 'string', key })) as string | null
  }

  async hash(key: string): Promise<Readonly<Record<string, string>>> {
    return (await this.#read({ kind: 'hash', key })) as Readonly<Record<string, string>>
  }

  async sorted(key: string, from = Number.NEGATIVE_INFINITY): Promise<readonly string[]> {
    return (await this.#read({ kind: 'sorted', key, from })) as readonly string[]
  }

  #read(read: Read): Promise<unknown> {
    return this.#ask('state.read', read)
  }

  #ask(name: string, argument: Run | Read): Promise<unknown> {
    return withinTurns(
      this.#channel.ask(name, argument),
      SILENT_MS,
      'the primary process is silent',
    )
  }
}
