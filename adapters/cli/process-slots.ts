import type { Signal } from '../../src/lib/signal.ts'
import type { Bulkhead } from '../../src/model/adapter.ts'

/** More calls wait for a process than the queue may hold. */
export class QueueFullError extends Error {
  override readonly name = 'QueueFullError'
}

type Release = () => void

/** Limits how many processes run at once, and how many calls wait for one. First come, first served. */
export class ProcessSlots {
  readonly #maxProcesses: number
  readonly #maxQueue: number
  readonly #waiting = new Set<() => void>()
  #free: number

  constructor(maxProcesses: number, maxQueue: number) {
    this.#maxProcesses = maxProcesses
    this.#maxQueue = maxQueue
    this.#free = maxProcesses
  }

  usage(): Bulkhead {
    return {
      running: this.#maxProcesses - this.#free,
      max_running: this.#maxProcesses,
      waiting: this.#waiting.size,
      max_waiting: this.#maxQueue,
    }
  }

  /**
   * Resolves to the function that releases the slot, or to null if the signal aborts first.
   * @throws {QueueFullError} if the queue is full
   */
  async acquire(signal: Signal): Promise<Release | null> {
    if (signal.aborted) return null
    if (this.#free > 0) {
      this.#free--
      return this.#slot()
    }
    if (this.#waiting.size >= this.#maxQueue) {
      throw new QueueFullError(`${this.#maxQueue} calls are waiting already`)
    }
    return this.#wait(signal)
  }

  #wait(signal: Signal): Promise<Release | null> {
    const { promise, resolve } = Promise.withResolvers<Release | null>()
    const leave = (result: Release | null) => {
      this.#waiting.delete(wake)
      signal.removeEventListener('abort', abort)
      resolve(result)
    }
    const wake = () => leave(this.#slot())
    const abort = () => leave(null)
    this.#waiting.add(wake)
    signal.addEventListener('abort', abort)
    return promise
  }

  /** Only the first release counts: a second would let one process too many run. */
  #slot(): Release {
    let held = true
    return () => {
      if (held) this.#release()
      held = false
    }
  }

  /** Hands the slot to the first call in the queue. */
  #release(): void {
    const [next] = this.#waiting
    if (next) next()
    else this.#free++
  }
}
