import { vi } from 'vitest'

/**
 * Polls until the result of `look` is good, and returns it.
 * @param timeout milliseconds
 */
export async function until<T>(
  look: () => T | Promise<T>,
  isGood: (found: T) => boolean,
  timeout = 15_000,
): Promise<T> {
  const poll = async () => {
    const found = await look()
    if (!isGood(found)) throw new Error(`still waiting; the last was ${JSON.stringify(found)}`)
    return found
  }
  return await vi.waitFor(poll, { timeout, interval: 20 })
}
