import type { Redis } from './redis.ts'

/** What is posted under a name, and when it means nothing any more (epoch milliseconds). */
export interface Post {
  readonly value: string
  readonly endsAt: number
}

/** One kind of thing that gateways tell each other of. */
export interface Topic {
  /** As it stands here now; null when there is nothing to tell. */
  read(name: string): Post | null
  /** Names of all that there is to tell. */
  names(): Iterable<string>
  /**
   * Another gateway's word; null that there is nothing any more.
   * @param older than what stands here: a change made here comes after it.
   */
  hear(name: string, value: string | null, older: boolean): void
}

interface Message {
  readonly from: string
  readonly posts: readonly (readonly [field: string, value: string | null])[]
}

/** Changes that are not pressing are posted together. */
const GATHER_MS = 100
/** Posts at most; those that end first go first. */
const MOST_POSTS = 10_000

// KEYS: posts, their ends. ARGV: now, the most posts, channel, message, then field, value ('' for none) and end each.
const POST = `
for i = 5, #ARGV, 3 do
  if ARGV[i + 1] == '' then
    redis.call('HDEL', KEYS[1], ARGV[i])
    redis.call('ZREM', KEYS[2], ARGV[i])
  else
    redis.call('HSET', KEYS[1], ARGV[i], ARGV[i + 1])
    redis.call('ZADD', KEYS[2], ARGV[i + 2], ARGV[i])
  end
end
local ended = redis.call('ZRANGEBYSCORE', KEYS[2], '-inf', ARGV[1], 'LIMIT', 0, 1000)
local over = redis.call('ZCARD', KEYS[2]) - #ended - ARGV[2]
if over > 0 then
  ended = redis.call('ZRANGE', KEYS[2], 0, math.min(#ended + over, 1000) - 1)
end
if #ended > 0 then
  redis.call('HDEL', KEYS[1], unpack(ended))
  redis.call('ZREM', KEYS[2], unpack(ended))
end
redis.call('PUBLISH', ARGV[3], ARGV[4])`

/**
 * A notice board of all gateways. Each knows all that is on it without asking: it reads the board once, at
 * the beginning of a connection, and then hears of every change. What changes here while the server is away is
 * posted when it is back.
 */
export class Board {
  readonly #redis: Redis
  readonly #me: string
  readonly #topics: Readonly<Record<string, Topic>>
  readonly #keys: string[]
  readonly #channel: string
  /** Changed here, and not posted yet. */
  readonly #due = new Set<string>()
  /** Posts that are on their way: until one's own word comes back, all that is heard is older. */
  readonly #underway = new Map<string, number>()
  #timer: NodeJS.Timeout | null = null

  constructor(redis: Redis, me: string, topics: Readonly<Record<string, Topic>>) {
    this.#redis = redis
    this.#me = me
    this.#topics = topics
    this.#keys = [redis.key('board'), redis.key('board:ends')]
    this.#channel = redis.channel('board')
    redis.hear(this.#channel, message => this.#hear(JSON.parse(message) as Message))
    redis.atBeginning(() => this.#readAll())
  }

  /** Something has changed here. What is posted is what stands here when it is posted. */
  changed(topic: string, name: string, pressing: boolean): void {
    this.#due.add(`${topic} ${name}`)
    if (pressing) void this.#post()
    else this.#timer ??= setTimeout(() => void this.#post(), GATHER_MS).unref()
  }

  async close(): Promise<void> {
    await this.#post()
  }

  async #post(): Promise<void> {
    if (this.#timer) clearTimeout(this.#timer)
    this.#timer = null
    const fields = [...this.#due]
    if (fields.length === 0) return
    this.#due.clear()
    const posts = fields.map(field => ({ field, post: this.#read(field) }))
    const message: Message = {
      from: this.#me,
      posts: posts.map(({ field, post }) => [field, post?.value ?? null]),
    }
    const values = posts.flatMap(({ field, post }) => [
      field,
      post?.value ?? '',
      String(post?.endsAt ?? 0),
    ])
    const head = [String(Date.now()), String(MOST_POSTS), this.#channel, JSON.stringify(message)]
    for (const field of fields) this.#underway.set(field, (this.#underway.get(field) ?? 0) + 1)
    try {
      await this.#redis.run(POST, this.#keys, [...head, ...values])
    } catch {
      // Whatever is true then is posted at the next beginning.
      for (const field of fields) this.#arrived(field)
    }
  }

  #hear({ from, posts }: Message): void {
    for (const [field, value] of posts) {
      if (from === this.#me) this.#arrived(field)
      else this.#tell(field, value, this.#due.has(field) || this.#underway.has(field))
    }
  }

  /** The server may have forgotten everything, or know more than is known here. */
  async #readAll(): Promise<void> {
    this.#underway.clear()
    const [key = ''] = this.#keys
    const found = await this.#redis.hash(key)
    for (const [field, value] of Object.entries(found)) {
      this.#tell(field, value, this.#due.has(field))
    }
    for (const [kind, topic] of Object.entries(this.#topics)) {
      for (const name of topic.names()) {
        const field = `${kind} ${name}`
        if (!(field in found)) this.#due.add(field)
      }
    }
    await this.#post()
  }

  #arrived(field: string): void {
    const left = (this.#underway.get(field) ?? 0) - 1
    if (left > 0) this.#underway.set(field, left)
    else this.#underway.delete(field)
  }

  #read(field: string): Post | null {
    const [topic, name] = split(field)
    return this.#topics[topic]?.read(name) ?? null
  }

  #tell(field: string, value: string | null, older: boolean): void {
    const [topic, name] = split(field)
    this.#topics[topic]?.hear(name, value, older)
  }
}

function split(field: string): readonly [topic: string, name: string] {
  const at = field.indexOf(' ')
  return [field.slice(0, at), field.slice(at + 1)]
}
