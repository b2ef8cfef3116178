import { createHash } from 'node:crypto'
import { BoundedMap } from '../../lib/bounded-map.ts'
import { parseJson } from '../../lib/exact-json.ts'
import { version } from '../../lib/version.ts'
import { within } from '../../lib/within.ts'
import type { GoodReply } from '../../model/reply.ts'
import type { OtherReplies } from '../revalidation.ts'
import type { SharedStore } from './store.ts'

const MOST_REPLIES = 1_000
/** Larger replies are not shared. Characters of JSON. */
const MOST_SIZE = 64 * 1024
const KEPT_MS = 60 * 60 * 1000
/** If the server takes longer, asking the upstream is as fast. */
const MOST_WAIT_MS = 250

// KEYS: the reply, names of all replies. ARGV: reply, its lifetime, its name, now, most replies, channel, prefix of keys.
export const KEEP = `
redis.call('SET', KEYS[1], ARGV[1], 'PX', ARGV[2])
redis.call('ZADD', KEYS[2], ARGV[4], ARGV[3])
local over = redis.call('ZCARD', KEYS[2]) - ARGV[5]
if over > 0 then
  local oldest = redis.call('ZPOPMIN', KEYS[2], math.min(over, 1000))
  for i = 1, #oldest, 2 do redis.call('DEL', ARGV[7] .. oldest[i]) end
end
redis.call('ZREMRANGEBYSCORE', KEYS[2], '-inf', ARGV[4] - ARGV[2])
redis.call('PUBLISH', ARGV[6], ARGV[3])`

/**
 * Replies with an ETag that all gateways share. This gateway knows the names of all of them, so it asks the server
 * only for replies that exist. A name is a hash that includes the credential: another credential never finds it.
 */
export class SharedReplies implements OtherReplies {
  readonly #redis: SharedStore
  /** A map instead of a set, because it is bounded. */
  readonly #known = new BoundedMap<string, true>(MOST_REPLIES)
  readonly #all: string
  readonly #prefix: string
  readonly #channel: string

  constructor(redis: SharedStore) {
    this.#redis = redis
    // Replies of another version may have another form.
    this.#all = redis.key(`replies:${version}`)
    this.#prefix = redis.key(`reply:${version}:`)
    this.#channel = redis.channel(`replies:${version}`)
    redis.subscribe(this.#channel, name => this.#known.set(name, true))
    redis.onConnect(async () => {
      this.#known.clear()
      for (const name of await redis.sorted(this.#all)) this.#known.set(name, true)
    })
  }

  find(keyOf: () => string): Promise<GoodReply | undefined> | undefined {
    if (this.#known.size === 0) return undefined
    const name = nameOf(keyOf())
    return this.#known.has(name) ? this.#fetch(name) : undefined
  }

  keep(key: string, reply: GoodReply): void {
    const text = JSON.stringify(reply)
    if (text.length > MOST_SIZE) return
    const name = nameOf(key)
    const now = String(Date.now())
    const keys = [this.#prefix + name, this.#all]
    const bounds = [String(MOST_REPLIES), this.#channel, this.#prefix]
    // A reply that cannot be stored is fetched again.
    this.#redis.run(KEEP, keys, [text, String(KEPT_MS), name, now, ...bounds]).catch(() => {})
  }

  async #fetch(name: string): Promise<GoodReply | undefined> {
    try {
      const text = await within(
        this.#redis.get(this.#prefix + name),
        MOST_WAIT_MS,
        'Redis did not answer in time',
      )
      if (text !== null) return parseJson(text) as GoodReply
    } catch {
      // Ask the upstream instead.
    }
    this.#known.delete(name)
    return undefined
  }
}

function nameOf(key: string): string {
  return createHash('sha256').update(key).digest('base64url')
}
