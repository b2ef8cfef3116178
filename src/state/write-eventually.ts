import { setTimeout as delay } from 'node:timers/promises'

const MOST_RETRIES = 60
const PAUSE_MS = 1000

/**
 * Tries to write, and retries in the background. Resolves after the first try, even if it failed: the request itself
 * has happened, and its caller should not wait for bookkeeping.
 */
export async function writeEventually(write: () => Promise<unknown>): Promise<void> {
  try {
    await write()
  } catch {
    void retry(write)
  }
}

async function retry(write: () => Promise<unknown>): Promise<void> {
  for (let n = 0; n < MOST_RETRIES; n++) {
    await delay(PAUSE_MS, undefined, { ref: false })
    try {
      await write()
      return
    } catch {
      // The next try may succeed.
    }
  }
}
