import type { Worker } from 'node:cluster'
import { Channel } from '../../lib/channel.ts'
import { endOf } from '../../lib/within.ts'

/** The time in which the last messages of an ended worker arrive. */
const DISCONNECT_MS = 2_000

/** How a worker ended. */
export interface Exit {
  readonly code: number | null
  readonly signal: string | null
  /** Why the system did not start its process; null if it ran. */
  readonly notStarted: string | null
}

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
  /** Resolves when it has ended and everything that it has sent is dealt with. Never rejects. */
  readonly ended: Promise<void>
  #isLeaving = false
  #exit: Exit | null = null

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
    // A message to a worker that was killed finds its pipe closed.
    worker.on('error', () => {})
    const exited = exitOf(worker).then(exit => {
      this.#exit = exit
    })
    const disconnected = endOfMessages(worker)
    // Its last messages come before it disconnects. Node never reports that of a worker that ends while it asks for the socket.
    this.ended = exited
      .then(() => endOf(disconnected, DISCONNECT_MS))
      .then(() => this.channel.close())
  }

  get pid(): number | undefined {
    return this.#worker.process.pid
  }

  /** How it ended; null while it runs. */
  get exit(): Exit | null {
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

/** `once` of node:events would reject at an error of the process, which may run on: a message that it could not take is one. */
function exitOf({ process }: Worker): Promise<Exit> {
  return new Promise(resolve => {
    process.once('exit', (code, signal) => resolve({ code, signal, notStarted: null }))
    process.on('error', ({ message }) => {
      // A process that the system has not started never exits.
      if (process.pid === undefined) resolve({ code: null, signal: null, notStarted: message })
    })
  })
}

function endOfMessages(worker: Worker): Promise<void> {
  return new Promise(resolve => {
    if (worker.isConnected()) worker.once('disconnect', resolve)
    else resolve()
  })
}
