import type { Signal } from '../../src/lib/signal.ts'
import type { Bulkhead } from '../../src/model/adapter.ts'

/** More calls wait for a process than the queue may hold. */
export class QueueFullError extends Error {
  override readonly name = 'QueueFullError'
}

export interface ProcessSlots {
  usage(): Bulkhead
  /**
   * Resolves to the function that gives the slot back, or to null when the signal aborts first.
   * @throws {QueueFullError} when `maxQueue` calls wait already.
   */
  acquire(signal: Signal): Promise<(() => void) | null>
}

/** Bounds how many processes run at once, and how many calls wait for one, in order of arrival. */
export function createProcessSlots(maxProcesses: number, maxQueue: number): ProcessSlots {
  let free = maxProcesses
  const waiting = new Set<() => void>()

  function giveBack(): void {
    const [next] = waiting
    if (next) next()
    else free++
  }

  /** Giving back twice would let one more process run than there are slots. */
  function slot(): () => void {
    let held = true
    return () => {
      if (held) giveBack()
      held = false
    }
  }

  return {
    usage: () => ({
      running: maxProcesses - free,
      max_running: maxProcesses,
      waiting: waiting.size,
      max_waiting: maxQueue,
    }),
    async acquire(signal) {
      if (signal.aborted) return null
      if (free > 0) {
        free--
        return slot()
      }
      if (waiting.size >= maxQueue) throw new QueueFullError(`${maxQueue} calls wait already`)
      const { promise, resolve } = Promise.withResolvers<(() => void) | null>()
      const wake = () => {
        leave()
        resolve(slot())
      }
      const abort = () => {
        leave()
        resolve(null)
      }
      const leave = () => {
        waiting.delete(wake)
        signal.removeEventListener('abort', abort)
      }
      waiting.add(wake)
      signal.addEventListener('abort', abort)
      return promise
    },
  }
}
