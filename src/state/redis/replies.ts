import { createHash } from 'node:crypto'
import { version } from '../../lib/version.ts'
import type { GoodReply } from '../../model/reply.ts'
import type { OtherReplies } from '../revalidation.ts'
import type { Redis } from './redis.ts'

const MOST_REPLIES = 1_000
/** Larger answers stay with the gateway that got them. Characters of JSON. */
const MOST_SIZE = 64 * 1024
const KEPT_MS = 60 * 60 * 1000
/** Beyond that, asking the upstream is as good. */
const MOST_WAIT_MS = 250

// KEYS: the reply, all there are. ARGV: reply, how long it lasts, its name, now, the most, channel, what keys begin with.
const KEEP = `
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
 * Answers with their ETags that other gateways have got. Their names are known here, so that the server is
 * asked only for what it has. A name is a hash with the credential in it: whoever has another one never finds it.
 */
export class SharedReplies implements OtherReplies {
  readonly #redis: Redis
  readonly #known = new Set<string>()
  readonly #all: string
  readonly #prefix: string
  readonly #channel: string

  constructor(redis: Redis) {
    this.#redis = redis
    // Gateways of another version may know another form of them.
    this.#all = redis.key(`replies:${version}`)
    this.#prefix = redis.key(`reply:${version}:`)
    this.#channel = redis.channel(`replies:${version}`)
    redis.hear(this.#channel, name => this.#learn(name))
    redis.atBeginning(async () => {
      this.#known.clear()
      for (const name of await redis.sorted(this.#all)) this.#learn(name)
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
    // An answer that cannot be kept is got again.
    this.#redis.run(KEEP, keys, [text, String(KEPT_MS), name, now, ...bounds]).catch(() => {})
  }

  async #fetch(name: string): Promise<GoodReply | undefined> {
    try {
      const text = await soon(this.#redis.get(this.#prefix + name))
      if (text !== null) return JSON.parse(text) as GoodReply
    } catch {
      // Then it is got from the upstream.
    }
    this.#known.delete(name)
    return undefined
  }

  #learn(name: string): void {
    this.#known.delete(name)
    this.#known.add(name)
    const [oldest] = this.#known
    if (this.#known.size > MOST_REPLIES && oldest !== undefined) this.#known.delete(oldest)
  }
}

function nameOf(key: string): string {
  return createHash('sha256').update(key).digest('base64url')
}

/** Rejects when time is up. */
async function soon<T>(answer: Promise<T>): Promise<T> {
  const { promise, reject } = Promise.withResolvers<never>()
  const timer = setTimeout(() => reject(new Error('no answer soon')), MOST_WAIT_MS)
  try {
    return await Promise.race([answer, promise])
  } finally {
    clearTimeout(timer)
  }
}
