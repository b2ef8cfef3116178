import { setTimeout as delay } from 'node:timers/promises'
import { createClient, ErrorReply } from '@redis/client'
import type { SharedHealth } from '../../model/health.ts'
import { SettingsError } from '../../model/settings-error.ts'

export interface RedisOptions {
  readonly url: string
  /** Told when the server cannot be used, once until it can again. */
  readonly onLost: (error: Error) => void
  readonly onBack: () => void
}

/** Keeps all keys in one place of a cluster, where scripts find them. The number changes with what is in them. */
const PREFIX = '{signalbox}:1:'
const CONNECT_TIMEOUT_MS = 2_000
/** A server that is asked this often and silent for so long is gone: what waits for it fails. */
const PING_EVERY_MS = 1_000
const SILENT_MS = 3_000
const MOST_PAUSE_MS = 2_000
const BEGIN_AGAIN_MS = 1_000
/** What waiting does not mend; a server that is loading its data refuses as well, for a while. */
const REFUSAL = /^(WRONGPASS|NOAUTH|NOPERM|NOPROTO|ERR)\b/

/**
 * The connection to a Redis server; one, since Redis 6 tells its news on the connection that asks. It comes
 * back by itself. While it is away every call fails at once: nothing is kept for later.
 */
export class Redis {
  readonly #options: RedisOptions
  readonly #client: ReturnType<typeof connectionTo>
  readonly #beginnings: (() => Promise<void>)[] = []
  readonly #opening = Promise.withResolvers<void>()
  #everReady = false
  /** Of this connection, all that is done at the beginning. */
  #begun = false
  #upSince = Number.POSITIVE_INFINITY
  #trouble: string | null = 'not connected yet'
  #told = false
  #opened = false

  /** @throws {SettingsError} when the address is none. */
  constructor(options: RedisOptions) {
    this.#options = options
    this.#client = connectionTo(options.url, (retries, cause) => this.#pauseAfter(retries, cause))
    this.#client.on('ready', () => void this.#begin())
    this.#client.on('error', (error: Error) => this.#lost(error))
  }

  /**
   * Connects. A server that cannot be reached now is waited for in the background.
   * @throws {SettingsError} when it refuses, as with a wrong password.
   */
  async open(): Promise<void> {
    // What becomes of it is told by events.
    this.#client.connect().catch(() => {})
    await this.#opening.promise
    this.#opened = true
  }

  close(): void {
    this.#client.destroy()
  }

  /** Done in order at the beginning of each connection; the server counts as back after it. */
  atBeginning(work: () => Promise<void>): void {
    this.#beginnings.push(work)
  }

  /** Hears a channel, from each connection's beginning. */
  hear(channel: string, onMessage: (message: string) => void): void {
    let subscribed = false
    this.atBeginning(async () => {
      // After the first time the client does it by itself.
      if (!subscribed) await this.#client.subscribe(channel, onMessage)
      subscribed = true
    })
  }

  health(): SharedHealth {
    return { ok: this.#trouble === null, message: this.#trouble }
  }

  /** For how long this connection has stood, in milliseconds. */
  upFor(): number {
    return Date.now() - this.#upSince
  }

  key(name: string): string {
    return PREFIX + name
  }

  /** Channels, unlike keys, are common to all databases of a server. */
  channel(name: string): string {
    return `${PREFIX}${this.#client.options?.database ?? 0}:${name}`
  }

  /** Runs a script that writes; nothing else comes between. */
  async run(script: string, keys: string[], values: readonly string[]): Promise<unknown> {
    try {
      const answer = await this.#client.eval(script, { keys, arguments: [...values] })
      if (this.#begun && this.#trouble !== null) this.#back()
      return answer
    } catch (error) {
      // To refuse is trouble as much as to be away, e.g. for lack of memory.
      if (error instanceof ErrorReply) this.#lost(error)
      throw error
    }
  }

  async get(key: string): Promise<string | null> {
    return await this.#client.get(key)
  }

  async hash(key: string): Promise<Readonly<Record<string, string>>> {
    return await this.#client.hGetAll(key)
  }

  /** By rising score. */
  async sorted(key: string, from = 0): Promise<readonly string[]> {
    return await this.#client.zRangeByScore(key, from, '+inf')
  }

  /** What the server says of itself. */
  async info(section: string): Promise<string> {
    return await this.#client.info(section)
  }

  async #begin(): Promise<void> {
    this.#everReady = true
    this.#begun = false
    const since = Date.now()
    this.#upSince = since
    while (this.#client.isReady && this.#upSince === since) {
      try {
        for (const work of this.#beginnings) await work()
        this.#begun = true
        this.#back()
        return
      } catch (error) {
        this.#lost(error as Error)
        await delay(BEGIN_AGAIN_MS, undefined, { ref: false })
      }
    }
  }

  #back(): void {
    this.#trouble = null
    this.#opening.resolve()
    if (this.#told) this.#options.onBack()
    this.#told = false
  }

  #lost(error: Error): void {
    if (!this.#client.isReady) this.#upSince = Number.POSITIVE_INFINITY
    this.#trouble = `${addressOf(this.#options.url)}: ${error.message || 'no connection'}`
    // Whoever opens it is told, and gives up.
    if (!this.#opened && isRefusal(error)) return this.#opening.reject(this.#refused(error))
    this.#opening.resolve()
    if (!this.#told) this.#options.onLost(error)
    this.#told = true
  }

  #refused(error: Error): SettingsError {
    return new SettingsError(
      `the shared state at ${addressOf(this.#options.url)} cannot be used: ${error.message}. ` +
        'It takes a Redis 6 or newer, and a user who may do everything there: SIGNALBOX_STATE=redis://user:password@host:port.',
      { cause: error },
    )
  }

  /** A refusal at the start is a mistake in the settings; later it may pass, as when a password is changed. */
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
    // Its message may hold the address, and so the password.
    throw new SettingsError(
      'SIGNALBOX_STATE is not the address of a Redis server: write redis://user:password@host:6379, ' +
        'rediss:// for TLS, or memory.',
    )
  }
}

/** Where the server is, without the credentials in its address. */
export function addressOf(url: string): string {
  const { host, pathname } = new URL(url)
  return `${host}${pathname === '/' ? '' : pathname}`
}
