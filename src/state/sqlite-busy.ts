import { setTimeout as delay } from 'node:timers/promises'

const BUSY = 5
const BUSY_PAUSE_MS = 10
const MOST_BUSY_MS = 3_000

/** Whether another connection holds the lock of the file. */
export function isBusy(error: unknown): boolean {
  return error instanceof Error && 'errcode' in error && (Number(error.errcode) & 0xff) === BUSY
}

/** Does `work`, again and again while another connection holds the lock, for a few seconds at most. */
export async function whenFree<T>(work: () => T): Promise<T> {
  for (let waited = 0; ; waited += BUSY_PAUSE_MS) {
    try {
      return work()
    } catch (error) {
      if (!isBusy(error) || waited > MOST_BUSY_MS) throw error
    }
    await delay(BUSY_PAUSE_MS)
  }
}
