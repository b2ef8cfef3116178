import { vi } from 'vitest'

/** Polls until what `look` finds is good, and returns it. */
export async function until<T>(
  look: () => T | Promise<T>,
  isGood: (found: T) => boolean,
): Promise<T> {
  const poll = async () => {
    const found = await look()
    if (!isGood(found)) throw new Error(`still waiting; the last was ${JSON.stringify(found)}`)
    return found
  }
  return await vi.waitFor(poll, { timeout: 15_000, interval: 20 })
}
