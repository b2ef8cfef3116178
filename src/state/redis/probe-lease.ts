import { within } from '../../lib/within.ts'
import type { ProbeLease } from '../breakers.ts'
import type { SharedStore } from './store.ts'

/** A request waits for the lease, so not for long. */
const MOST_WAIT_MS = 250

export const TAKE = `
if redis.call('SET', KEYS[1], ARGV[1], 'NX', 'PX', ARGV[2]) then return 1 end
return 0`

export const RELEASE = `
if redis.call('GET', KEYS[1]) == ARGV[1] then redis.call('DEL', KEYS[1]) end`

/** Leases of probes. While the server is unreachable, each gateway decides for itself: better two probes than none. */
export function createProbeLease(redis: SharedStore, me: string): ProbeLease {
  const held = new Set<string>()
  const keyOf = (circuit: string) => redis.key(`probe:${circuit}`)
  return {
    async take(circuit, ms) {
      try {
        const taking = redis.run(TAKE, [keyOf(circuit)], [me, String(ms)]).then(answer => {
          if (answer === 1) held.add(circuit)
          return answer === 1
        })
        return await within(taking, MOST_WAIT_MS, 'Redis did not answer in time')
      } catch {
        return true
      }
    },
    release(circuit) {
      if (!held.delete(circuit)) return
      // A lease that cannot be released expires.
      redis.run(RELEASE, [keyOf(circuit)], [me]).catch(() => {})
    },
  }
}
