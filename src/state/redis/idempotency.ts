import { createHash } from 'node:crypto'
import { ulid } from 'ulid'
import type { Answer } from '../../model/envelope.ts'
import { type Claim, type Claimed, type IdempotencyStore, KEPT_MS } from '../idempotency.ts'
import { keepTrying } from '../keep-trying.ts'
import type { Redis } from './redis.ts'

/** After so long without a sign of life a gateway counts as dead. */
const LEASE_MS = 30_000

// KEYS: the entry, the claimer's sign of life. ARGV: claim, fingerprint, owner, time, how long entries and signs of
// life last, what the names of signs of life begin with, whether gateways without one may be taken for dead.
const CLAIM = `
redis.call('SET', KEYS[2], '1', 'PX', ARGV[6])
local found = redis.call('HMGET', KEYS[1], 'fingerprint', 'owner', 'time', 'answer')
if not found[1] then
  redis.call('HSET', KEYS[1], 'fingerprint', ARGV[2], 'owner', ARGV[3], 'time', ARGV[4], 'claim', ARGV[1])
  redis.call('PEXPIRE', KEYS[1], ARGV[5])
  return {'new'}
end
if found[1] ~= ARGV[2] then return {'mismatch'} end
if found[4] then return {'done', found[4]} end
if found[2] == ARGV[3] or ARGV[8] == '0' or redis.call('EXISTS', ARGV[7] .. found[2]) == 1 then
  return {'running'}
end
redis.call('HSET', KEYS[1], 'owner', ARGV[3], 'claim', ARGV[1], 'taken', '1')
return {'interrupted', found[3]}`

// ARGV: claim. What a dead gateway has left in flight is still to be found out about.
const UNDO = `
if redis.call('HGET', KEYS[1], 'claim') ~= ARGV[1] then return 0 end
if redis.call('HEXISTS', KEYS[1], 'taken') == 1 then return redis.call('HSET', KEYS[1], 'owner', '') end
return redis.call('DEL', KEYS[1])`

// ARGV: claim, fingerprint, owner, time, how long entries last, answer. A server may have forgotten the claim.
const COMPLETE = `
local claim = redis.call('HGET', KEYS[1], 'claim')
if claim and claim ~= ARGV[1] then return 0 end
redis.call('HSET', KEYS[1], 'fingerprint', ARGV[2], 'owner', ARGV[3], 'time', ARGV[4], 'claim', ARGV[1], 'answer', ARGV[6])
if not claim then redis.call('PEXPIRE', KEYS[1], ARGV[5]) end
return 1`

const RELEASE = `
if redis.call('HGET', KEYS[1], 'claim') ~= ARGV[1] then return 0 end
return redis.call('DEL', KEYS[1])`

const SIGN = `return redis.call('SET', KEYS[1], '1', 'PX', ARGV[1])`
const LEAVE = `return redis.call('DEL', KEYS[1])`

/** Keys that every gateway of one Redis knows. They last as long as Redis keeps what it is given. */
export class RedisIdempotency implements IdempotencyStore {
  readonly #redis: Redis
  readonly #owner: string
  readonly #leaseMs: number
  readonly #graceMs: number
  readonly #ids = new WeakMap<Claim, string>()
  readonly #beat: NodeJS.Timeout

  /**
   * @param owner the gateway's name, which nobody else has, and no later life of this gateway.
   * @param graceMs for how long after the beginning of a connection nobody is taken for dead.
   */
  constructor(
    redis: Redis,
    owner: string,
    { leaseMs = LEASE_MS, graceMs = LEASE_MS }: { leaseMs?: number; graceMs?: number } = {},
  ) {
    this.#redis = redis
    this.#owner = owner
    this.#leaseMs = leaseMs
    this.#graceMs = graceMs
    redis.atBeginning(() => this.#live())
    // One that cannot be told is told at the next beginning.
    this.#beat = setInterval(() => void this.#live().catch(() => {}), leaseMs / 3).unref()
  }

  async claim(claim: Claim): Promise<Claimed> {
    const id = ulid()
    const { fingerprint, time } = claim
    const signs = this.#redis.key('gateway:')
    // A server that was away has lost the signs of life of all; the others need time to give them again.
    const mayBeDead = this.#redis.upFor() >= this.#graceMs
    try {
      const [kind, found] = (await this.#redis.run(
        CLAIM,
        [this.#entry(claim), signs + this.#owner],
        [
          id,
          fingerprint,
          this.#owner,
          String(time),
          String(KEPT_MS),
          String(this.#leaseMs),
          signs,
          mayBeDead ? '1' : '0',
        ],
      )) as [Claimed['kind'], string]
      this.#ids.set(claim, id)
      if (kind === 'done') return { kind, answer: JSON.parse(found) as Answer }
      // The time of an interrupted request stays: its object was made after it, not after the repeat.
      return kind === 'interrupted' ? { kind, time: Number(found) } : { kind }
    } catch (error) {
      // It may have been done all the same, and nobody would ever settle this claim.
      void keepTrying(() => this.#redis.run(UNDO, [this.#entry(claim)], [id]))
      throw error
    }
  }

  async complete(claim: Claim, answer: Answer): Promise<void> {
    const { fingerprint, time } = claim
    const [id, kept, told] = [this.#idOf(claim), String(KEPT_MS), JSON.stringify(answer)]
    const values = [id, fingerprint, this.#owner, String(time), kept, told]
    await keepTrying(() => this.#redis.run(COMPLETE, [this.#entry(claim)], values))
  }

  async release(claim: Claim): Promise<void> {
    await keepTrying(() => this.#redis.run(RELEASE, [this.#entry(claim)], [this.#idOf(claim)]))
  }

  /** Nothing of it is in flight any more. */
  async close(): Promise<void> {
    clearInterval(this.#beat)
    await this.#redis.run(LEAVE, [this.#redis.key(`gateway:${this.#owner}`)], []).catch(() => {})
  }

  async #live(): Promise<void> {
    const sign = this.#redis.key(`gateway:${this.#owner}`)
    await this.#redis.run(SIGN, [sign], [String(this.#leaseMs)])
  }

  #idOf(claim: Claim): string {
    return this.#ids.get(claim) ?? ''
  }

  /** Callers choose the key freely; its hash has one length. */
  #entry({ caller, capability, key }: Claim): string {
    const name = JSON.stringify([caller, capability, key])
    return this.#redis.key(`once:${createHash('sha256').update(name).digest('base64url')}`)
  }
}
