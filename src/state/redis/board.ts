import type { SharedStore } from './store.ts'

/** A posted state, and when it becomes meaningless (epoch milliseconds). */
export interface Post {
  readonly value: string
  readonly endsAt: number
}

/** One kind of state that gateways share through the board. */
export interface Topic {
  /** This gateway's state now; null if there is nothing to post. */
  read(name: string): Post | null
  /** The names of all states that there are to post. */
  names(): Iterable<string>
  /**
   * Takes over another gateway's state; null if that state is gone.
   * @param older true if this gateway has changed its own state since.
   */
  receive(name: string, value: string | null, older: boolean): void
}

interface Message {
  readonly from: string
  readonly posts: readonly (readonly [field: string, value: string | null])[]
}

/** Changes that are not urgent are gathered for this long and posted together. */
const GATHER_MS = 100
/** Pause before changes are posted again that the server did not take. */
const RETRY_MS = 1_000
/** Above this number, the posts that end first are deleted. */
const MOST_POSTS = 10_000

// KEYS: posts, their ends. ARGV: now, most posts, channel, message, then for each post its field, value ('' deletes it), end.
export const POST = `
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
 * A notice board for all gateways. Each gateway has a copy of all posts, so it decides without asking the server: it
 * reads the board once for each connection, and then receives every change. Changes of its own that it cannot post
 * while the server is unreachable are posted after the reconnect.
 */
export class Board {
  readonly #redis: SharedStore
  readonly #me: string
  readonly #topics: Readonly<Record<string, Topic>>
  readonly #keys: string[]
  readonly #channel: string
  /** Fields that changed here and are not posted yet. */
  readonly #due = new Set<string>()
  /** Own posts that the server has not sent back yet, by field. Until it does, posts of others are older. */
  readonly #unconfirmed = new Map<string, number>()
  #timer: NodeJS.Timeout | null = null
  #isCatchingUp = false
  #isClosed = false

  constructor(redis: SharedStore, me: string, topics: Readonly<Record<string, Topic>>) {
    this.#redis = redis
    this.#me = me
    this.#topics = topics
    this.#keys = [redis.key('board'), redis.key('board:ends')]
    this.#channel = redis.channel('board')
    redis.subscribe(this.#channel, message => this.#receive(JSON.parse(message) as Message))
    redis.onConnect(() => this.#readAll())
  }

  /** Schedules a post of a state that has changed here. The post has the state as it is when it is sent. */
  changed(topic: string, name: string, urgent: boolean): void {
    // An earlier reset makes this gateway forget. Posting that would delete what others have found since.
    if (this.#isCatchingUp) return
    this.#due.add(`${topic} ${name}`)
    if (urgent) void this.#post()
    else this.#timer ??= setTimeout(() => void this.#post(), GATHER_MS).unref()
  }

  async close(): Promise<void> {
    this.#isClosed = true
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
    for (const field of fields)
      this.#unconfirmed.set(field, (this.#unconfirmed.get(field) ?? 0) + 1)
    try {
      await this.#redis.run(POST, this.#keys, [...head, ...values])
    } catch {
      // A server that was only silent comes back without a reconnect, so `readAll` is not enough.
      for (const field of fields) {
        this.#confirm(field)
        this.#due.add(field)
      }
      if (!this.#isClosed) this.#timer ??= setTimeout(() => void this.#post(), RETRY_MS).unref()
    }
  }

  #receive({ from, posts }: Message): void {
    for (const [field, value] of posts) {
      if (from === this.#me) this.#confirm(field)
      else this.#deliver(field, value, this.#isNewerHere(field))
    }
  }

  /** After a connect: the server may have lost its data, or have posts that this gateway missed. */
  async #readAll(): Promise<void> {
    this.#unconfirmed.clear()
    const [key = ''] = this.#keys
    const found = await this.#redis.hash(key)
    this.#isCatchingUp = true
    for (const [kind, topic] of Object.entries(this.#topics)) {
      for (const [field, value] of Object.entries(found))
        if (field.startsWith(`${kind} `)) this.#deliver(field, value, this.#isNewerHere(field))
      for (const name of topic.names()) {
        const field = `${kind} ${name}`
        if (!(field in found)) this.#due.add(field)
      }
    }
    this.#isCatchingUp = false
    await this.#post()
  }

  #isNewerHere(field: string): boolean {
    return this.#due.has(field) || this.#unconfirmed.has(field)
  }

  #confirm(field: string): void {
    const left = (this.#unconfirmed.get(field) ?? 0) - 1
    if (left > 0) this.#unconfirmed.set(field, left)
    else this.#unconfirmed.delete(field)
  }

  #read(field: string): Post | null {
    const [topic, name] = split(field)
    return this.#topics[topic]?.read(name) ?? null
  }

  #deliver(field: string, value: string | null, older: boolean): void {
    const [topic, name] = split(field)
    this.#topics[topic]?.receive(name, value, older)
  }
}

function split(field: string): readonly [topic: string, name: string] {
  const at = field.indexOf(' ')
  return [field.slice(0, at), field.slice(at + 1)]
}
