import { setTimeout as delay } from 'node:timers/promises'
import { createClient, ErrorReply } from '@redis/client'
import { withinTurns } from '../../lib/within.ts'
import type { SharedHealth } from '../../model/health.ts'
import { SettingsError } from '../../model/settings-error.ts'
import type { SharedStore } from './store.ts'

export interface RedisOptions {
  readonly url: string
  /** Called once when the server becomes unusable. */
  readonly onLost: (error: Error) => void
  /** Called when the server is usable again. */
  readonly onBack: () => void
}

/** The braces put all keys on one node of a cluster, as scripts need. The number is the version of the data's format. */
const PREFIX = '{signalbox}:1:'
const CONNECT_TIMEOUT_MS = 2_000
const PING_EVERY_MS = 1_000
/** A server that answers nothing for this long counts as unreachable, and pending calls fail. */
const SILENT_MS = 3_000
const NO_ANSWER = `no answer for ${SILENT_MS} ms`
const MOST_PAUSE_MS = 2_000
const SETUP_RETRY_MS = 1_000
/** Refusals that waiting does not cure. (A server that is loading its data refuses too, but only for a while.) */
const REFUSAL = /^(WRONGPASS|NOAUTH|NOPERM|NOPROTO|ERR)\b/

/**
 * The connection to a Redis server. One is enough: since Redis 6 a connection can subscribe and run commands at the same
 * time. It reconnects by itself. While it is down every call fails at once; nothing is queued.
 */
export class Redis implements SharedStore {
  readonly #options: RedisOptions
  readonly #client: ReturnType<typeof connectionTo>
  readonly #setup: (() => Promise<void>)[] = []
  readonly #opening = Promise.withResolvers<void>()
  #everReady = false
  /** Whether the setup of this connection is complete. */
  #isSetUp = false
  #connectedSince = Number.POSITIVE_INFINITY
  #trouble: string | null = 'not connected yet'
  /** The server is connected and does not answer. */
  #isSilent = false
  #reportedLost = false
  #opened = false

  /** @throws {SettingsError} if the address is invalid. */
  constructor(options: RedisOptions) {
    this.#options = options
    this.#client = connectionTo(options.url, (retries, cause) => this.#pauseAfter(retries, cause))
    this.#client.on('ready', () => void this.#setUp())
    this.#client.on('error', (error: Error) => this.#lost(error))
  }

  /**
   * Connects. If the server cannot be reached now, retries in the background.
   * @throws {SettingsError} if the server refuses, e.g. for a wrong password.
   */
  async open(): Promise<void> {
    // The events report success and failure.
    this.#client.connect().catch(() => {})
    await this.#opening.promise
    this.#opened = true
  }

  close(): void {
    this.#client.destroy()
  }

  /** Adds work to do after each connect, in order. The server counts as usable only after all of it. */
  onConnect(work: () => Promise<void>): void {
    this.#setup.push(work)
  }

  /** Subscribes to a channel, on each connection. */
  subscribe(channel: string, onMessage: (message: string) => void): void {
    let subscribed = false
    this.onConnect(async () => {
      // After a reconnect the client subscribes by itself.
      if (!subscribed) await this.#client.subscribe(channel, onMessage)
      subscribed = true
    })
  }

  health(): SharedHealth {
    return { ok: this.#trouble === null, message: this.#trouble }
  }

  /** How long this connection has existed, in milliseconds. */
  connectedFor(): number {
    return Date.now() - this.#connectedSince
  }

  key(name: string): string {
    return PREFIX + name
  }

  /** The name contains the database, because all databases of a server share their channels. */
  channel(name: string): string {
    return `${PREFIX}${this.#client.options?.database ?? 0}:${name}`
  }

  /** Runs a script that writes, atomically. */
  async run(script: string, keys: string[], values: readonly string[]): Promise<unknown> {
    try {
      const answer = await this.#answer(() =>
        this.#client.eval(script, { keys, arguments: [...values] }),
      )
      if (this.#isSetUp && this.#trouble !== null) this.#back()
      return answer
    } catch (error) {
      // A server that refuses, e.g. for lack of memory, is as unusable as one that is unreachable.
      if (error instanceof ErrorReply) this.#lost(error)
      throw error
    }
  }

  async get(key: string): Promise<string | null> {
    return await this.#answer(() => this.#client.get(key))
  }

  async hash(key: string): Promise<Readonly<Record<string, string>>> {
    return await this.#answer(() => this.#client.hGetAll(key))
  }

  /** The members of a sorted set, from the lowest score to the highest. */
  async sorted(key: string, from = 0): Promise<readonly string[]> {
    return await this.#answer(() => this.#client.zRangeByScore(key, from, '+inf'))
  }

  /** A section of the server's INFO. */
  async info(section: string): Promise<string> {
    return await this.#answer(() => this.#client.info(section))
  }

  /**
   * Waits for the answer to a command, not longer than `SILENT_MS`. Then every call fails at once until an answer
   * arrives: the client closes a silent connection only after nothing has been written to it for a while.
   */
  async #answer<T>(command: () => Promise<T>): Promise<T> {
    if (this.#isSilent) throw new Error(NO_ANSWER)
    let isAnswered = false
    const answer = command().finally(() => {
      isAnswered = true
    })
    try {
      return await withinTurns(answer, SILENT_MS, NO_ANSWER)
    } catch (error) {
      if (!isAnswered) this.#fallSilent(error as Error, answer)
      throw error
    }
  }

  #fallSilent(error: Error, answer: Promise<unknown>): void {
    this.#isSilent = true
    this.#lost(error)
    const speakAgain = () => {
      this.#isSilent = false
      if (this.#isSetUp) this.#back()
    }
    // A connection that ends is set up anew, and that ends the silence too.
    answer.then(speakAgain, () => {})
  }

  async #setUp(): Promise<void> {
    this.#everReady = true
    this.#isSetUp = false
    this.#isSilent = false
    const since = Date.now()
    this.#connectedSince = since
    while (this.#client.isReady && this.#connectedSince === since) {
      try {
        for (const work of this.#setup) await work()
        this.#isSetUp = true
        this.#back()
        return
      } catch (error) {
        this.#lost(error as Error)
        await delay(SETUP_RETRY_MS, undefined, { ref: false })
      }
    }
  }

  #back(): void {
    this.#trouble = null
    this.#opening.resolve()
    if (this.#reportedLost) this.#options.onBack()
    this.#reportedLost = false
  }

  #lost(error: Error): void {
    if (!this.#client.isReady) this.#connectedSince = Number.POSITIVE_INFINITY
    this.#trouble = `${addressOf(this.#options.url)}: ${error.message || 'no connection'}`
    // `open` rejects with this, and the gateway does not start.
    if (!this.#opened && isRefusal(error)) return this.#opening.reject(this.#refused(error))
    this.#opening.resolve()
    if (!this.#reportedLost) this.#options.onLost(error)
    this.#reportedLost = true
  }

  #refused(error: Error): SettingsError {
    return new SettingsError(
      `the shared state at ${addressOf(this.#options.url)} cannot be used: ${error.message}. ` +
        'Signalbox needs Redis 6 or newer, and a user with all permissions: SIGNALBOX_STATE=redis://user:password@host:port.',
      { cause: error },
    )
  }

  /** A refusal at the start is a mistake in the settings. Later it may be temporary, e.g. while a password is changed. */
  #pauseAfter(retries: number, cause: Error): number | Error {
    if (isRefusal(cause) && !this.#everReady) return cause
    return Math.min(MOST_PAUSE_MS, 50 * 2 ** retries) * (0.5 + Math.random() / 2)
  }
}

function isRefusal(error: Error): boolean {
  return error instanceof ErrorReply && REFUSAL.test(error.message)
}

function connectionTo(url: string, pauseAfter: (retries: number, cause: Error) => number | Error) {
  try {
    return createClient({
      url,
      disableOfflineQueue: true,
      pingInterval: PING_EVERY_MS,
      socket: {
        connectTimeout: CONNECT_TIMEOUT_MS,
        socketTimeout: SILENT_MS,
        reconnectStrategy: pauseAfter,
      },
    })
  } catch {
    // Drop the error: its message may contain the address, and so the password.
    throw new SettingsError(
      'SIGNALBOX_STATE is not the address of a Redis server: write redis://user:password@host:6379, ' +
        'rediss:// for TLS, or memory.',
    )
  }
}

/** The address of the server without its credentials. */
export function addressOf(url: string): string {
  const { host, pathname } = new URL(url)
  return `${host}${pathname === '/' ? '' : pathname}`
}
