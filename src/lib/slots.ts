import { Eventual } from './eventual.ts'
import { roundMs } from './round-ms.ts'
import type { Signal } from './signal.ts'

/** Too many wait already, or this one has waited until its time was up. */
export class OverloadedError extends Error {
  override readonly name = 'OverloadedError'
}

export type Release = () => void

/** Limits how many calls run at once, and how many wait for their turn. First come, first served. */
export class Slots {
  readonly #max: number
  readonly #maxWaiting: number
  /** No Set, see docs/decisions/young-requests.md. */
  readonly #waiting: (() => void)[] = []
  #free: number
  #waited = 0
  #waitedMs = 0
  #refused = 0

  constructor(max: number, maxWaiting: number) {
    this.#max = max
    this.#maxWaiting = maxWaiting
    this.#free = max
  }

  usage() {
    return {
      running: this.#max - this.#free,
      max_running: this.#max,
      waiting: this.#waiting.length,
      max_waiting: this.#maxWaiting,
      waited: this.#waited,
      waited_ms: roundMs(this.#waitedMs),
      refused: this.#refused,
    }
  }

  /** The function that releases the slot, or null if none is free. */
  take(): Release | null {
    if (this.#free === 0) return null
    this.#free--
    return this.#slot()
  }

  /**
   * Settles with the function that releases the slot, in the call that frees it, or with null if the caller leaves first.
   * Fails with an `OverloadedError` if too many are waiting, or the signal's time is up first.
   */
  acquire(signal: Signal): Eventual<Release | null> {
    const acquired = new Eventual<Release | null>()
    const free = signal.aborted ? null : this.take()
    if (signal.aborted || free) acquired.settle(free)
    else if (this.#waiting.length < this.#maxWaiting) this.#wait(signal, acquired)
    else {
      this.#refused++
      acquired.fail(new OverloadedError(`${this.#maxWaiting} calls are waiting already`))
    }
    return acquired
  }

  #wait(signal: Signal, acquired: Eventual<Release | null>): void {
    const began = performance.now()
    this.#waited++
    const end = () => {
      this.#waitedMs += performance.now() - began
    }
    const wake = () => {
      end()
      signal.removeEventListener('abort', abort)
      acquired.settle(this.#slot())
    }
    const abort = () => {
      end()
      signal.removeEventListener('abort', abort)
      this.#waiting.splice(this.#waiting.indexOf(wake), 1)
      if (isTimeout(signal)) this.#refused++
      // A caller that breaks the wait off comes to its end first, before anything follows from that.
      queueMicrotask(() => {
        if (!isTimeout(signal)) acquired.settle(null)
        else acquired.fail(new OverloadedError('no slot became free in time'))
      })
    }
    this.#waiting.push(wake)
    signal.addEventListener('abort', abort)
  }

  /** Only the first release counts: a second would let one call too many run. */
  #slot(): Release {
    let held = true
    return () => {
      if (held) this.#release()
      held = false
    }
  }

  /** Hands the slot to the first call in the queue. */
  #release(): void {
    const next = this.#waiting.shift()
    if (next) next()
    else this.#free++
  }
}

function isTimeout({ reason }: Signal): boolean {
  return reason instanceof Error && reason.name === 'TimeoutError'
}
