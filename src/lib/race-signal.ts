import type { Signal } from './signal.ts'

/** Waits for `work` until the signal aborts, and then rejects with its reason. The work itself goes on. */
export async function raceSignal<T>(work: Promise<T>, signal: Signal): Promise<T> {
  const { promise, reject } = Promise.withResolvers<never>()
  const stop = () => reject(signal.reason as Error)
  signal.addEventListener('abort', stop)
  if (signal.aborted) stop()
  try {
    return await Promise.race([work, promise])
  } finally {
    signal.removeEventListener('abort', stop)
  }
}
