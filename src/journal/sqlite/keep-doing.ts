import type { OutageLog } from '../../lib/outage.ts'

export interface Keeping {
  readonly signal: AbortSignal
  /** Resolves after so many milliseconds, and at once when the signal aborts. */
  readonly sleep: (ms: number) => Promise<void>
  /** Called at the second failure in a row, and when all chores work again. */
  readonly outage: OutageLog
}

export interface Chore {
  readonly everyMs: number
  readonly run: () => unknown
}

const FIRST_PAUSE_MS = 500
/** A full disk does not get better by a try every 100 ms. The end of the outage is noticed this late at most. */
const LONGEST_PAUSE_MS = 4000

/**
 * Runs the chores again and again, each at its interval. After a failure, the next try comes after a pause of its own, which
 * grows while the failures last. One failure alone is no outage: another process may have held the lock.
 */
export async function keepDoing(chores: readonly Chore[], keeping: Keeping): Promise<void> {
  const failing = new Set<Chore>()
  await Promise.all(chores.map(chore => keep(chore, keeping, failing)))
}

async function keep(
  chore: Chore,
  { signal, sleep, outage }: Keeping,
  failing: Set<Chore>,
): Promise<void> {
  let failures = 0
  while (!signal.aborted) {
    try {
      await chore.run()
      failures = 0
      if (failing.delete(chore) && failing.size === 0) outage.onBack()
    } catch (error) {
      if (signal.aborted) return
      failures++
      if (failures > 1) {
        if (failing.size === 0) outage.onAway(error)
        failing.add(chore)
      }
    }
    await sleep(failures === 0 ? chore.everyMs : pauseAfter(failures))
  }
}

function pauseAfter(failures: number): number {
  return Math.min(FIRST_PAUSE_MS * 2 ** (failures - 1), LONGEST_PAUSE_MS)
}
