import { once } from 'node:events'
import { Worker } from 'node:worker_threads'
import { type OutageLog, OutageWatch } from '../../lib/outage.ts'
import type { Select } from '../find/finder.ts'
import type { FileRetention } from './housekeeping.ts'
import { type WorkerOptions, type WorkerReply, workerUrl } from './worker.ts'

export interface ReadingThreadOptions {
  readonly file: string
  readonly retention: FileRetention
  /** Called when the thread dies. */
  readonly onError: (error: unknown) => void
  /** Called when housekeeping begins to fail, and when it works again. */
  readonly outage: OutageLog
}

interface Waiting {
  readonly resolve: (rows: readonly unknown[]) => void
  readonly reject: (error: unknown) => void
}

/** Housekeeping is not urgent, and a short command that reads nothing never needs the thread. */
const START_AFTER_MS = 1000

/**
 * A thread for slow work: queries, checkpoints, retention. SQLite calls are synchronous, so on the main thread
 * each of them would block every request in flight. The thread starts with the first query or after a moment.
 * If it dies, its queries fail, and it starts again in the same way.
 */
export class ReadingThread {
  readonly #options: ReadingThreadOptions
  readonly #housekeeping: OutageWatch
  readonly #waiting = new Map<number, Waiting>()
  #worker: Worker | null = null
  #starting: NodeJS.Timeout | null = null
  #queries = 0

  constructor(options: ReadingThreadOptions) {
    this.#options = options
    this.#housekeeping = new OutageWatch(options.outage)
    this.#startLater()
  }

  readonly select: Select = query =>
    new Promise((resolve, reject) => {
      const worker = (this.#worker ??= this.#start())
      const id = this.#queries++
      this.#waiting.set(id, { resolve, reject })
      // Only a pending query keeps the process alive.
      worker.ref()
      worker.postMessage({ id, query })
    })

  async close(): Promise<void> {
    if (this.#starting) clearTimeout(this.#starting)
    const worker = this.#worker
    if (!worker) return
    worker.removeAllListeners('exit')
    const ended = once(worker, 'exit')
    worker.ref()
    worker.postMessage('close')
    await ended
    this.#failWaiting()
  }

  #startLater(): void {
    this.#starting = setTimeout(() => {
      this.#worker ??= this.#start()
    }, START_AFTER_MS).unref()
  }

  #start(): Worker {
    const { file, retention, onError } = this.#options
    const workerData: WorkerOptions = { role: 'signalbox-journal', file, retention }
    const worker = new Worker(workerUrl, { name: 'journal', workerData })
    worker.unref()
    worker.on('message', (reply: WorkerReply) => this.#receive(worker, reply))
    worker.on('error', onError)
    worker.on('exit', () => {
      this.#worker = null
      // The next thread finds out by itself.
      this.#housekeeping.works()
      this.#failWaiting()
      this.#startLater()
    })
    return worker
  }

  #receive(worker: Worker, reply: WorkerReply): void {
    if (reply.kind === 'housekeeping_fails') return this.#housekeeping.failed(reply.error)
    if (reply.kind === 'housekeeping_works') return this.#housekeeping.works()
    const query = this.#waiting.get(reply.id)
    this.#waiting.delete(reply.id)
    if (this.#waiting.size === 0) worker.unref()
    if (reply.kind === 'rows') query?.resolve(reply.rows)
    else query?.reject(reply.error)
  }

  #failWaiting(): void {
    for (const { reject } of this.#waiting.values()) {
      reject(new Error('the thread that reads the journal has ended'))
    }
    this.#waiting.clear()
  }
}
