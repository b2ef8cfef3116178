import { Worker } from 'node:worker_threads'
import type { Select } from '../reader.ts'
import type { Retention } from './housekeeping.ts'
import { type WorkerOptions, type WorkerReply, workerUrl } from './worker.ts'

export interface ReadingThreadOptions {
  readonly file: string
  readonly retention: Retention
  readonly onError: (error: unknown) => void
}

interface Waiting {
  readonly resolve: (rows: readonly unknown[]) => void
  readonly reject: (error: unknown) => void
}

const RESTART_AFTER_MS = 1000

/**
 * A thread for what may take long: queries, checkpoints, retention. SQLite calls are synchronous, so on
 * the main thread each of them would hold up every request in flight. If the thread dies, the queries that
 * it had fail and another one is started.
 */
export class ReadingThread {
  readonly #options: ReadingThreadOptions
  readonly #waiting = new Map<number, Waiting>()
  #worker: Worker
  #closed = false
  #queries = 0

  constructor(options: ReadingThreadOptions) {
    this.#options = options
    this.#worker = this.#start()
  }

  readonly select: Select = query =>
    new Promise((resolve, reject) => {
      const id = this.#queries++
      this.#waiting.set(id, { resolve, reject })
      // Only a query that is waited for keeps the process alive.
      this.#worker.ref()
      this.#worker.postMessage({ id, query })
    })

  async close(): Promise<void> {
    this.#closed = true
    const ended = new Promise(resolve => this.#worker.once('exit', resolve))
    this.#worker.ref()
    this.#worker.postMessage('close')
    await ended
  }

  #start(): Worker {
    const { file, retention, onError } = this.#options
    const workerData: WorkerOptions = { role: 'signalbox-journal', file, retention }
    const worker = new Worker(workerUrl, { name: 'journal', workerData })
    worker.unref()
    worker.on('message', (reply: WorkerReply) => this.#receive(reply))
    worker.on('error', onError)
    worker.on('exit', () => this.#ended())
    return worker
  }

  #receive(reply: WorkerReply): void {
    if (reply.kind === 'housekeeping_error') {
      this.#options.onError(reply.error)
      return
    }
    const query = this.#waiting.get(reply.id)
    this.#waiting.delete(reply.id)
    if (this.#waiting.size === 0) this.#worker.unref()
    if (reply.kind === 'rows') query?.resolve(reply.rows)
    else query?.reject(reply.error)
  }

  #ended(): void {
    for (const { reject } of this.#waiting.values()) {
      reject(new Error('the thread that reads the journal has ended'))
    }
    this.#waiting.clear()
    if (this.#closed) return
    const restart = () => {
      if (!this.#closed) this.#worker = this.#start()
    }
    setTimeout(restart, RESTART_AFTER_MS).unref()
  }
}
