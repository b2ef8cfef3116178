import type { Signal } from './signal.ts'

/** The engine's source of time. Tests replace it. */
export interface Clock {
  /** Epoch milliseconds, for records. */
  readonly now: () => number
  /** Monotonic milliseconds, for durations. */
  readonly monotonic: () => number
  /** Resolves after `ms`; rejects with the signal's reason when it aborts first. */
  readonly sleep: (ms: number, signal: Signal) => Promise<void>
}

export const systemClock: Clock = {
  now: () => Date.now(),
  monotonic: () => performance.now(),
  sleep: (ms, signal) =>
    new Promise((resolve, reject) => {
      const wake = () => {
        signal.removeEventListener('abort', stop)
        resolve()
      }
      const stop = () => {
        clearTimeout(timer)
        reject(signal.reason as Error)
      }
      const timer = setTimeout(wake, ms)
      signal.addEventListener('abort', stop)
      if (signal.aborted) stop()
    }),
}
