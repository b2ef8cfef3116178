import { ulid } from 'ulid'
import type { CallerLimits } from '../../model/caller.ts'
import { type Entry, overRate, type SharedLimits } from '../key-limits.ts'
import { writeEventually } from '../write-eventually.ts'
import type { SharedStore } from './store.ts'

/** A lease of a gateway that died ends this long after its call must have ended. */
const GRACE_MS = 5_000

// KEYS: the bucket, the running calls. ARGV: calls per minute ('' for any), calls at once ('' for any), lease, its longest time.
// The time is the server's, because the clocks of gateways differ.
export const ENTER = `
local clock = redis.call('TIME')
local now = clock[1] * 1000 + math.floor(clock[2] / 1000)
local rate, most = tonumber(ARGV[1]), tonumber(ARGV[2])
redis.call('ZREMRANGEBYSCORE', KEYS[2], '-inf', now)
if most and redis.call('ZCARD', KEYS[2]) >= most then return {'concurrency'} end
if rate then
  local found = redis.call('HMGET', KEYS[1], 'tokens', 'at')
  local tokens = tonumber(found[1]) or rate
  tokens = math.min(rate, tokens + (now - (tonumber(found[2]) or now)) * rate / 60000)
  if tokens < 1 then return {'rate', tostring(tokens)} end
  redis.call('HSET', KEYS[1], 'tokens', tostring(tokens - 1), 'at', now)
  redis.call('PEXPIRE', KEYS[1], 120000)
end
if most then
  redis.call('ZADD', KEYS[2], now + ARGV[4], ARGV[3])
  redis.call('PEXPIRE', KEYS[2], math.max(redis.call('PTTL', KEYS[2]), ARGV[4]))
end
return {'entered'}`

export const LEAVE = `return redis.call('ZREM', KEYS[1], ARGV[1])`

/** Counts the calls of each key over all gateways of one Redis. */
export class RedisKeyLimits implements SharedLimits {
  readonly #redis: SharedStore

  constructor(redis: SharedStore) {
    this.#redis = redis
  }

  async enter(name: string, limits: CallerLimits, withinMs: number): Promise<Entry> {
    const { requestsPerMinute, concurrency } = limits
    const running = this.#redis.key(`key:${name}:running`)
    const lease = ulid()
    const leave = () => {
      if (concurrency === null) return
      void writeEventually(() => this.#redis.run(LEAVE, [running], [lease]))
    }
    try {
      const [kind, tokens] = (await this.#redis.run(
        ENTER,
        [this.#redis.key(`key:${name}:bucket`), running],
        [
          String(requestsPerMinute ?? ''),
          String(concurrency ?? ''),
          lease,
          String(Math.ceil(withinMs) + GRACE_MS),
        ],
      )) as [kind: string, tokens?: string]
      if (kind === 'concurrency') {
        return { limit: 'concurrency', allowed: concurrency ?? 0, retryAfterMs: 1000 }
      }
      if (kind === 'rate') return overRate(requestsPerMinute ?? 1, Number(tokens))
      return { release: leave }
    } catch (error) {
      // The server may have counted the call in spite of the error.
      leave()
      throw error
    }
  }
}
