import { version } from '../../lib/version.ts'
import { endOf, within } from '../../lib/within.ts'
import {
  ENTRY_BYTES,
  KEPT_MS,
  type Look,
  MOST_ANSWER_BYTES,
  namesOf,
  type Place,
  type SharedAnswers,
  type Touched,
  upstreamName,
} from '../answers.ts'
import type { SharedStore } from './store.ts'

/** If the server takes longer, asking the upstream is as fast. */
const MOST_WAIT_MS = 250
/** The answer to a change waits so long until its drop is confirmed. */
const DROP_WAIT_MS = 1_000
/** Keys of the books expire later than all answers that they count. */
const BOOKS_MS = 2 * KEPT_MS

// The time is the server's, because the clocks of gateways differ. `since` is when the notes of drops began: a server that has lost
// them, because it was emptied or made room, must not bring back answers from before.
const TOUCHED = `
local clock = redis.call('TIME')
local now = clock[1] * 1000 + math.floor(clock[2] / 1000)
redis.call('HSETNX', KEYS[1], 'since', now - 1)
local function touched(upstream, capability)
  local last = 0
  for _, at in ipairs(redis.call('HMGET', KEYS[1], 'since', upstream, capability)) do
    last = math.max(last, tonumber(at) or 0)
  end
  return last
end`

// KEYS: drops, the answer. ARGV: upstream, capability, the oldest age.
export const LOOK = `${TOUCHED}
local found = redis.call('HMGET', KEYS[2], 'mark', 'json')
local mark = tonumber(found[1])
if not mark or mark <= touched(ARGV[1], ARGV[2]) or now - mark > tonumber(ARGV[3]) then return {now} end
return {now, now - mark, found[2]}`

// KEYS: drops, the answer, marks and sizes of all answers, their sum. ARGV: upstream, capability, mark, JSON, name, its size, most
// bytes, prefix of answers, lifetime of an answer, lifetime of the books.
export const KEEP = `${TOUCHED}
local mark, size = tonumber(ARGV[3]), tonumber(ARGV[6])
if mark <= touched(ARGV[1], ARGV[2]) then return end
if (tonumber(redis.call('HGET', KEYS[2], 'mark')) or 0) > mark then return end
local function forget(name)
  redis.call('DEL', ARGV[8] .. name)
  redis.call('ZREM', KEYS[3], name)
  local bytes = redis.call('HGET', KEYS[4], name)
  redis.call('HDEL', KEYS[4], name)
  return redis.call('DECRBY', KEYS[5], tonumber(bytes) or 0)
end
forget(ARGV[5])
redis.call('HSET', KEYS[2], 'mark', ARGV[3], 'json', ARGV[4])
redis.call('PEXPIRE', KEYS[2], ARGV[9])
redis.call('ZADD', KEYS[3], mark, ARGV[5])
redis.call('HSET', KEYS[4], ARGV[5], size)
local sum = redis.call('INCRBY', KEYS[5], size)
for _, name in ipairs(redis.call('ZRANGEBYSCORE', KEYS[3], '-inf', now - ARGV[9], 'LIMIT', 0, 100)) do sum = forget(name) end
while sum > tonumber(ARGV[7]) do
  local oldest = redis.call('ZRANGE', KEYS[3], 0, 0)[1]
  if not oldest then break end
  sum = forget(oldest)
end
for at = 3, 5 do redis.call('PEXPIRE', KEYS[at], ARGV[10]) end`

// KEYS: drops. ARGV: names, each with its milliseconds of doubt.
export const DROP = `${TOUCHED}
for at = 1, #ARGV, 2 do
  local before = tonumber(redis.call('HGET', KEYS[1], ARGV[at])) or 0
  redis.call('HSET', KEYS[1], ARGV[at], math.max(before, now + ARGV[at + 1]))
end`

/**
 * The memory of all gateways of one Redis. Its bound holds for all of them together. While the server cannot be reached, nothing
 * is found and nothing kept: other gateways may have made changes meanwhile.
 */
export class RedisAnswers implements SharedAnswers {
  readonly #redis: SharedStore
  readonly #maxBytes: number
  readonly #drops: string
  readonly #prefix: string
  readonly #books: readonly string[]
  /** Drops that the server has not confirmed, by name. Until it has, this gateway finds nothing. */
  readonly #pending = new Map<string, { readonly doubtMs: number }>()

  constructor(redis: SharedStore, maxBytes: number) {
    this.#redis = redis
    this.#maxBytes = maxBytes
    this.#drops = redis.key('answers:drops')
    // Answers of another version may have another form.
    this.#prefix = redis.key(`answer:${version}:`)
    this.#books = ['marks', 'sizes', 'sum'].map(name => redis.key(`answers:${version}:${name}`))
    redis.onConnect(() => this.#flush())
  }

  async look({ key, upstream, capability }: Place, withinMs: number): Promise<Look> {
    if (this.#pending.size > 0) {
      await this.#flush().catch(() => {})
      return NOTHING
    }
    const names = [upstreamName(upstream), capability]
    const reading = this.#redis.run(
      LOOK,
      [this.#drops, this.#prefix + key],
      [...names, String(KEPT_MS)],
    )
    try {
      const wait = Math.min(MOST_WAIT_MS, Math.max(0, withinMs))
      const found = (await within(reading, wait, 'Redis did not answer in time')) as Found
      const [mark, ageMs, json] = found
      if (ageMs === undefined || json === undefined) return { found: null, mark }
      return { found: { json, bytes: Buffer.byteLength(json), ageMs }, mark }
    } catch {
      return NOTHING
    }
  }

  keep({ key, upstream, capability }: Place, json: string, mark: number): void {
    const bytes = Buffer.byteLength(json)
    if (bytes > MOST_ANSWER_BYTES) return
    const entry = [String(mark), json, key, String(bytes + ENTRY_BYTES)]
    const bounds = [String(this.#maxBytes), this.#prefix, String(KEPT_MS), String(BOOKS_MS)]
    const values = [upstreamName(upstream), capability, ...entry, ...bounds]
    // Keeping may fail: the next call then asks the upstream again.
    this.#redis.run(KEEP, [this.#drops, this.#prefix + key, ...this.#books], values).catch(() => {})
  }

  async drop({ upstream, capabilities, doubtMs }: Touched, withinMs: number): Promise<void> {
    for (const name of namesOf(upstream, capabilities)) {
      const before = this.#pending.get(name)?.doubtMs ?? 0
      this.#pending.set(name, { doubtMs: Math.max(before, doubtMs) })
    }
    await endOf(this.#flush(), Math.max(0, Math.min(DROP_WAIT_MS, withinMs)))
  }

  async #flush(): Promise<void> {
    if (this.#pending.size === 0) return
    const sent = [...this.#pending]
    const values = sent.flatMap(([name, { doubtMs }]) => [name, String(doubtMs)])
    await this.#redis.run(DROP, [this.#drops], values)
    // A drop that came meanwhile is still to be sent.
    for (const [name, drop] of sent)
      if (this.#pending.get(name) === drop) this.#pending.delete(name)
  }
}

type Found = readonly [mark: number, ageMs?: number, json?: string]

const NOTHING: Look = { found: null, mark: null }
