import type { ProbeLease } from '../breakers.ts'
import type { Redis } from './redis.ts'

const TAKE = `
if redis.call('SET', KEYS[1], ARGV[1], 'NX', 'PX', ARGV[2]) then return 1 end
return 0`

const RELEASE = `
if redis.call('GET', KEYS[1]) == ARGV[1] then redis.call('DEL', KEYS[1]) end`

/** Leases of probes. While the server is unreachable, each gateway decides for itself: better two probes than none. */
export function createProbeLease(redis: Redis, me: string): ProbeLease {
  const held = new Set<string>()
  const keyOf = (circuit: string) => redis.key(`probe:${circuit}`)
  return {
    async take(circuit, ms) {
      try {
        const taken = (await redis.run(TAKE, [keyOf(circuit)], [me, String(ms)])) === 1
        if (taken) held.add(circuit)
        return taken
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
