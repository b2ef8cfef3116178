import { setTimeout as delay } from 'node:timers/promises'

/** Time as the engine sees it; tests give their own. */
export interface Clock {
  /** Epoch milliseconds, for records. */
  readonly now: () => number
  /** Monotonic milliseconds, for durations. */
  readonly monotonic: () => number
  /** Resolves after `ms`; rejects with the signal's reason when it aborts first. */
  readonly sleep: (ms: number, signal: AbortSignal) => Promise<void>
}

export const systemClock: Clock = {
  now: () => Date.now(),
  monotonic: () => performance.now(),
  sleep: async (ms, signal) => {
    await delay(ms, undefined, { signal })
  },
}
