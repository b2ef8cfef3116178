import { setTimeout as delay } from 'node:timers/promises'
import pg from 'pg'

const RETRY_MS = 500

/** Subscribes to a channel on a connection of its own, and reconnects after an outage. */
export class Listener {
  readonly #config: pg.ClientConfig
  readonly #channel: string
  readonly #onPayload: (payload: string) => void
  readonly #closing = new AbortController()
  #client: pg.Client | null = null

  constructor(config: pg.ClientConfig, channel: string, onPayload: (payload: string) => void) {
    this.#config = config
    this.#channel = channel
    this.#onPayload = onPayload
  }

  /** Connects in the background, as soon as the database is there. */
  connectSoon(): void {
    this.connect().catch(() => this.#reconnect())
  }

  async connect(): Promise<void> {
    const client = new pg.Client(this.#config)
    client.on('error', () => {})
    client.on('notification', ({ payload }) => this.#onPayload(payload ?? ''))
    await client.connect()
    try {
      await client.query(`LISTEN ${this.#channel}`)
    } catch (error) {
      void client.end()
      throw error
    }
    client.once('end', () => void this.#reconnect())
    this.#client = client
    if (this.#closing.signal.aborted) await client.end()
  }

  async close(): Promise<void> {
    this.#closing.abort()
    await this.#client?.end()
  }

  async #reconnect(): Promise<void> {
    const { signal } = this.#closing
    this.#client = null
    while (!signal.aborted) {
      await delay(RETRY_MS, undefined, { signal, ref: false }).catch(() => {})
      try {
        if (!signal.aborted) await this.connect()
        return
      } catch {
        // The database is still unreachable: retry.
      }
    }
  }
}
