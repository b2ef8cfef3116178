import { setTimeout as delay } from 'node:timers/promises'

/** Some servers of the bench load for long. */
const START_MS = 180_000

/** Polls until the result is not null. */
export async function waitFor<T>(poll: () => Promise<T | null>, limitMs = START_MS): Promise<T> {
  const until = performance.now() + limitMs
  while (performance.now() < until) {
    const answer = await poll()
    if (answer !== null) return answer
    await delay(50)
  }
  throw new Error(`a server was not ready within ${limitMs} ms`)
}
