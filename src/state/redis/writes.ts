import { createHash } from 'node:crypto'
import { ulid } from 'ulid'
import { KEPT_MS, type OtherWrites, type RecentWrite } from '../recent-writes.ts'
import type { Redis } from './redis.ts'

/** No request takes longer. One whose end is never told has to be reckoned with for so long. */
const LONGEST_MS = 11 * 60 * 1000
/** Of one capability and credential. */
const MOST_WRITES = 1_000
/** What is larger is known to exist, and no more. Characters of JSON. */
const MOST_SIZE = 16 * 1024

interface Entry extends RecentWrite {
  readonly from: string
  readonly id: string
}

// KEYS: the place. ARGV: now, what it replaces, the write ('' for none), until when it counts, the most, how long it all lasts.
const TELL = `
redis.call('ZREM', KEYS[1], ARGV[2])
if ARGV[3] ~= '' then redis.call('ZADD', KEYS[1], ARGV[4], ARGV[3]) end
redis.call('ZREMRANGEBYSCORE', KEYS[1], '-inf', ARGV[1])
redis.call('ZREMRANGEBYRANK', KEYS[1], 0, -1 - ARGV[5])
redis.call('PEXPIRE', KEYS[1], ARGV[6])`

/**
 * The writes of other gateways that have, or may have, made something. Nobody waits to tell of one: it is
 * asked for seconds later, when an upstream has had time to finish.
 */
export class SharedWrites implements OtherWrites {
  readonly #redis: Redis
  readonly #me: string

  constructor(redis: Redis, me: string) {
    this.#redis = redis
    this.#me = me
  }

  begin(place: string, input: RecentWrite['input']): (made: { data: unknown } | null) => void {
    const write = { from: this.#me, id: ulid(), input: small(input) }
    const begun = JSON.stringify({ ...write, data: null })
    this.#tell(place, '', begun, LONGEST_MS)
    return made => {
      const ended = made ? JSON.stringify({ ...write, data: small(made.data) }) : ''
      this.#tell(place, begun, ended, KEPT_MS)
    }
  }

  async all(place: string): Promise<readonly RecentWrite[]> {
    const found = await this.#redis.sorted(this.#key(place), Date.now())
    const entries = found.map(text => JSON.parse(text) as Entry)
    return entries.filter(({ from }) => from !== this.#me)
  }

  #tell(place: string, before: string, after: string, lastsMs: number): void {
    const now = Date.now()
    const bounds = [String(now + lastsMs), String(MOST_WRITES), String(LONGEST_MS)]
    // While the server is away, nobody claims to know what others have made.
    this.#redis
      .run(TELL, [this.#key(place)], [String(now), before, after, ...bounds])
      .catch(() => {})
  }

  #key(place: string): string {
    return this.#redis.key(`writes:${createHash('sha256').update(place).digest('base64url')}`)
  }
}

function small<T>(value: T): T | null {
  return (JSON.stringify(value)?.length ?? 0) > MOST_SIZE ? null : value
}
