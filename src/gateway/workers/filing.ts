import { setTimeout as delay } from 'node:timers/promises'
import type { WorkerInboxes } from '../../journal/sqlite/worker-inboxes.ts'
import { type OutageLog, OutageWatch } from '../../lib/outage.ts'

/** A failure shorter than this is no outage: a checkpoint or another process held the lock. */
const GRACE_MS = 500
const FIRST_PAUSE_MS = 2
/** The pause during an outage. Meanwhile the requests stay in the inboxes. */
const RETRY_MS = 500

/** Files the inboxes of workers, again and again while the tables cannot be written. */
export class Filing {
  readonly #inboxes: WorkerInboxes
  readonly #outage: OutageWatch
  readonly #closing = new AbortController()
  #retrying: Promise<void> | null = null

  constructor(inboxes: WorkerInboxes, outage: OutageLog) {
    this.#inboxes = inboxes
    this.#outage = new OutageWatch(outage)
  }

  /** Resolves when everything is filed that the workers have stored so far, or when that has to wait for the end of an outage. */
  async file(): Promise<void> {
    const until = performance.now() + GRACE_MS
    for (let pause = FIRST_PAUSE_MS; ; pause *= 2) {
      try {
        return await this.#file()
      } catch (error) {
        const isLong = performance.now() + pause > until
        if (isLong || this.#retrying || this.#closing.signal.aborted) return this.#giveUp(error)
      }
      await this.#wait(pause)
    }
  }

  /** Resolves to true when everything is filed, and to false if that is left to the next start. */
  async finish(): Promise<boolean> {
    await this.file()
    await this.#retrying
    return await this.#file().then(
      () => true,
      () => false,
    )
  }

  close(): void {
    this.#closing.abort()
  }

  async #file(): Promise<void> {
    await this.#inboxes.file()
    this.#outage.works()
  }

  #giveUp(error: unknown): void {
    this.#outage.failed(error)
    this.#retrying ??= this.#retry().finally(() => (this.#retrying = null))
  }

  async #retry(): Promise<void> {
    while (!this.#closing.signal.aborted) {
      await this.#wait(RETRY_MS)
      const isFiled = await this.#file().then(
        () => true,
        () => false,
      )
      if (isFiled) return
    }
  }

  async #wait(ms: number): Promise<void> {
    const { signal } = this.#closing
    await delay(ms, undefined, { signal, ref: false }).catch(() => {})
  }
}
