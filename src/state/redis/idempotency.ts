import { createHash } from 'node:crypto'
import { ulid } from 'ulid'
import { parseJson } from '../../lib/exact-json.ts'
import type { Answer } from '../../model/envelope.ts'
import { type Claim, type Claimed, type IdempotencyStore, KEY_KEPT_MS } from '../idempotency.ts'
import { SignsOfLife } from '../signs-of-life.ts'
import { writeEventually } from '../write-eventually.ts'
import type { SharedStore } from './store.ts'

/** A gateway whose heartbeat is older counts as dead. */
const LEASE_MS = 30_000

// KEYS: entry, the claimer's heartbeat. ARGV: claim, fingerprint, owner, time, lifetime of entries, lifetime of
// heartbeats, prefix of heartbeat keys, '1' if gateways without a heartbeat count as dead.
const CLAIM = `
redis.call('SET', KEYS[2], '1', 'PX', ARGV[6])
local found = redis.call('HMGET', KEYS[1], 'fingerprint', 'owner', 'time', 'answer')
if not found[1] then
  redis.call('HSET', KEYS[1], 'fingerprint', ARGV[2], 'owner', ARGV[3], 'time', ARGV[4], 'claim', ARGV[1])
  redis.call('PEXPIRE', KEYS[1], ARGV[5])
  return {'new'}
end
if found[1] ~= ARGV[2] then return {'mismatch', found[3]} end
if found[4] then return {'done', found[4]} end
if found[2] == ARGV[3] or ARGV[8] == '0' or redis.call('EXISTS', ARGV[7] .. found[2]) == 1 then
  return {'running', found[3]}
end
redis.call('HSET', KEYS[1], 'owner', ARGV[3], 'claim', ARGV[1], 'taken', '1')
return {'interrupted', found[3]}`

// ARGV: claim. A claim that was taken over from a dead gateway gets no owner: whoever claims the key next must still
// find out what became of the dead gateway's request.
const UNDO = `
if redis.call('HGET', KEYS[1], 'claim') ~= ARGV[1] then return 0 end
if redis.call('HEXISTS', KEYS[1], 'taken') == 1 then return redis.call('HSET', KEYS[1], 'owner', '') end
return redis.call('DEL', KEYS[1])`

// ARGV: claim, fingerprint, owner, time, lifetime of entries, answer. Works without the claim: the server may have lost it.
const COMPLETE = `
local claim = redis.call('HGET', KEYS[1], 'claim')
if claim and claim ~= ARGV[1] then return 0 end
redis.call('HSET', KEYS[1], 'fingerprint', ARGV[2], 'owner', ARGV[3], 'time', ARGV[4], 'claim', ARGV[1], 'answer', ARGV[6])
if not claim then redis.call('PEXPIRE', KEYS[1], ARGV[5]) end
return 1`

const RELEASE = `
if redis.call('HGET', KEYS[1], 'claim') ~= ARGV[1] then return 0 end
return redis.call('DEL', KEYS[1])`

const BEAT = `return redis.call('SET', KEYS[1], '1', 'PX', ARGV[1])`
const LEAVE = `return redis.call('DEL', KEYS[1])`

/** Idempotency-Keys for all gateways of one Redis. They are as durable as that Redis. */
export class RedisIdempotency implements IdempotencyStore {
  readonly #redis: SharedStore
  readonly #owner: string
  readonly #leaseMs: number
  readonly #graceMs: number
  readonly #life: SignsOfLife
  readonly #made = new WeakMap<Claim, { readonly id: string; readonly time: number }>()
  readonly #beating: NodeJS.Timeout

  /**
   * @param owner a name that only this process has: a restarted gateway has another one.
   * @param graceMs for how long after a connect no gateway counts as dead.
   */
  constructor(
    redis: SharedStore,
    owner: string,
    { leaseMs = LEASE_MS, graceMs = LEASE_MS }: { leaseMs?: number; graceMs?: number } = {},
  ) {
    this.#redis = redis
    this.#owner = owner
    this.#leaseMs = leaseMs
    this.#graceMs = graceMs
    this.#life = new SignsOfLife(leaseMs)
    redis.onConnect(() => this.#beat())
    // A heartbeat that fails is sent after the reconnect.
    this.#beating = setInterval(() => void this.#beat().catch(() => {}), leaseMs / 3).unref()
  }

  async claim(claim: Claim): Promise<Claimed> {
    const [id, began] = [ulid(), Date.now()]
    const { fingerprint, time } = claim
    const beats = this.#redis.key('gateway:')
    // While the server was unreachable all heartbeats expired; other gateways need time to send new ones.
    const mayBeDead = this.#redis.connectedFor() >= this.#graceMs
    try {
      const [kind, found] = (await this.#redis.run(
        CLAIM,
        [this.#entry(claim), beats + this.#owner],
        [
          id,
          fingerprint,
          this.#owner,
          String(time),
          String(KEY_KEPT_MS),
          String(this.#leaseMs),
          beats,
          mayBeDead ? '1' : '0',
        ],
      )) as [Claimed['kind'], string]
      this.#made.set(claim, { id, time: began })
      if (kind === 'done') return { kind, answer: parseJson(found) as Answer }
      // The time is that of the request that holds the key: the object that an interrupted one created is older than the repeat.
      return kind === 'new' ? { kind } : { kind, time: Number(found) }
    } catch (error) {
      // The claim may have succeeded in spite of the error. Nobody would ever settle it, so undo it.
      void writeEventually(() => this.#redis.run(UNDO, [this.#entry(claim)], [id]))
      throw error
    }
  }

  holds(claim: Claim): boolean {
    const made = this.#made.get(claim)
    return made !== undefined && this.#life.lastedSince(made.time)
  }

  async complete(claim: Claim, answer: Answer): Promise<void> {
    const { fingerprint, time } = claim
    const head = [this.#idOf(claim), fingerprint, this.#owner, String(time)]
    const values = [...head, String(KEY_KEPT_MS), JSON.stringify(answer)]
    await writeEventually(() => this.#redis.run(COMPLETE, [this.#entry(claim)], values))
  }

  async release(claim: Claim): Promise<void> {
    await writeEventually(() => this.#redis.run(RELEASE, [this.#entry(claim)], [this.#idOf(claim)]))
  }

  async undo(claim: Claim, { kind }: Claimed): Promise<void> {
    if (kind !== 'new' && kind !== 'interrupted') return
    await writeEventually(() => this.#redis.run(UNDO, [this.#entry(claim)], [this.#idOf(claim)]))
  }

  /** Nothing of this gateway is in flight any more, so it gives up its heartbeat. */
  async close(): Promise<void> {
    clearInterval(this.#beating)
    await this.#redis.run(LEAVE, [this.#redis.key(`gateway:${this.#owner}`)], []).catch(() => {})
  }

  async #beat(): Promise<void> {
    const beat = this.#redis.key(`gateway:${this.#owner}`)
    const sent = Date.now()
    await this.#redis.run(BEAT, [beat], [String(this.#leaseMs)])
    this.#life.confirm(sent)
  }

  #idOf(claim: Claim): string {
    return this.#made.get(claim)?.id ?? ''
  }

  /** Callers choose keys of any length, so the name holds a hash. */
  #entry({ caller, capability, key }: Claim): string {
    const name = JSON.stringify([caller, capability, key])
    return this.#redis.key(`once:${createHash('sha256').update(name).digest('base64url')}`)
  }
}
