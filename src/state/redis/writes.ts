import { createHash } from 'node:crypto'
import { ulid } from 'ulid'
import { parseJson } from '../../lib/exact-json.ts'
import { within } from '../../lib/within.ts'
import { type OtherWrites, type RecentWrite, WRITE_KEPT_MS } from '../recent-writes.ts'
import type { SharedStore } from './store.ts'

/** No request takes longer. A write whose end is never published counts as in flight for this long. */
const LONGEST_MS = 11 * 60 * 1000
/** A verification waits for the list, so not for long. */
const MOST_WAIT_MS = 1_000
/** For one capability and credential. */
const MOST_WRITES = 1_000
/** A larger input or result is published as unknown. Characters of JSON. */
const MOST_SIZE = 16 * 1024

interface Entry extends RecentWrite {
  readonly from: string
  readonly id: string
}

// KEYS: the place. ARGV: now, the entry to replace, the new entry ('' for none), when it expires, most entries, lifetime of
// the key.
export const REPLACE = `
redis.call('ZREM', KEYS[1], ARGV[2])
if ARGV[3] ~= '' then redis.call('ZADD', KEYS[1], ARGV[4], ARGV[3]) end
redis.call('ZREMRANGEBYSCORE', KEYS[1], '-inf', ARGV[1])
redis.call('ZREMRANGEBYRANK', KEYS[1], 0, -1 - ARGV[5])
redis.call('PEXPIRE', KEYS[1], ARGV[6])`

/**
 * The writes of other gateways that have created something, or may have. A write does not wait until it is published:
 * `verify` asks for others only seconds later, after the upstream has had time to finish.
 */
export class SharedWrites implements OtherWrites {
  readonly #redis: SharedStore
  readonly #me: string

  constructor(redis: SharedStore, me: string) {
    this.#redis = redis
    this.#me = me
  }

  begin(
    place: string,
    { input, time }: Pick<RecentWrite, 'input' | 'time'>,
  ): (created: { data: unknown } | null) => void {
    const write = { from: this.#me, id: ulid(), time, input: unlessLarge(input) }
    const begun = JSON.stringify({ ...write, data: null })
    this.#replace(place, '', begun, LONGEST_MS)
    return created => {
      const ended = created ? JSON.stringify({ ...write, data: unlessLarge(created.data) }) : ''
      this.#replace(place, begun, ended, WRITE_KEPT_MS)
    }
  }

  async all(place: string): Promise<readonly RecentWrite[]> {
    const reading = this.#redis.sorted(this.#key(place), Date.now())
    const found = await within(reading, MOST_WAIT_MS, 'Redis did not answer in time')
    const entries = found.map(text => parseJson(text) as Entry)
    return entries.filter(({ from }) => from !== this.#me)
  }

  #replace(place: string, before: string, after: string, lastsMs: number): void {
    const now = Date.now()
    const bounds = [String(now + lastsMs), String(MOST_WRITES), String(LONGEST_MS)]
    // While the server is unreachable, `all` rejects, so no gateway relies on a list that lacks this write.
    this.#redis
      .run(REPLACE, [this.#key(place)], [String(now), before, after, ...bounds])
      .catch(() => {})
  }

  #key(place: string): string {
    return this.#redis.key(`writes:${createHash('sha256').update(place).digest('base64url')}`)
  }
}

function unlessLarge<T>(value: T): T | null {
  return (JSON.stringify(value)?.length ?? 0) > MOST_SIZE ? null : value
}
