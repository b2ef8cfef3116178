import { setTimeout as delay } from 'node:timers/promises'

/** How often what cannot be written is tried again, and the pause between. */
const TRIES = 60
const PAUSE_MS = 1000

/**
 * Writes, and goes on trying in the background. Ends after the first try: what is to be noted was done,
 * whether or not it can be noted now, and nobody should wait for that.
 */
export async function keepTrying(write: () => Promise<unknown>): Promise<void> {
  try {
    await write()
  } catch {
    void tryAgain(write)
  }
}

async function tryAgain(write: () => Promise<unknown>): Promise<void> {
  for (let n = 0; n < TRIES; n++) {
    await delay(PAUSE_MS, undefined, { ref: false })
    try {
      await write()
      return
    } catch {
      // The next one may succeed.
    }
  }
}
