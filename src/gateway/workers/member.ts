import type { Worker } from 'node:cluster'
import { once } from 'node:events'
import { Channel } from '../../lib/channel.ts'
import { endOf } from '../../lib/within.ts'

/** For what a worker that has ended had sent. */
const DISCONNECT_MS = 2_000

/** A worker as its primary process sees it. */
export class Member {
  readonly slot: number
  readonly channel: Channel
  readonly startedAt = performance.now()
  /** The worker that serves until this one listens. */
  relieves: Member | null
  /** Whether another worker has been started in its place, or is about to be. */
  isReplaced = false
  readonly #worker: Worker
  /** Resolves when it has ended and everything that it has sent is dealt with. */
  readonly ended: Promise<void>
  #isLeaving = false
  #exit: { readonly code: number | null; readonly signal: string | null } | null = null

  constructor(worker: Worker, slot: number, relieves: Member | null) {
    this.slot = slot
    this.relieves = relieves
    this.#worker = worker
    this.channel = new Channel({
      send: message => {
        if (worker.isConnected()) worker.send(message as object, () => {})
      },
    })
    worker.on('message', message => this.channel.receive(message))
    // The way out of a worker that is killed breaks.
    worker.on('error', () => {})
    const exited = once(worker.process, 'exit').then(([code, signal]) => {
      this.#exit = { code: code as number | null, signal: signal as string | null }
    })
    const disconnected = worker.isConnected() ? once(worker, 'disconnect') : Promise.resolve()
    // Its last messages come before it disconnects. Node never reports that of a worker that ends while it asks for the socket.
    this.ended = exited
      .then(() => endOf(disconnected, DISCONNECT_MS))
      .then(() => this.channel.close())
  }

  get pid(): number | undefined {
    return this.#worker.process.pid
  }

  /** How it ended; null while it runs. */
  get exit() {
    return this.#exit
  }

  /** Whether it takes no more calls. */
  get isLeaving(): boolean {
    return this.#isLeaving
  }

  leave(): void {
    this.#isLeaving = true
  }

  kill(): void {
    this.#worker.process.kill('SIGKILL')
  }
}
