import { ulid } from 'ulid'
import type { SharedHealth } from '../../model/health.ts'
import type { IdempotencyStore } from '../idempotency.ts'
import type { RecentWrites } from '../recent-writes.ts'
import type { Revalidation } from '../revalidation.ts'
import { RedisIdempotency } from './idempotency.ts'
import { Redis, type RedisOptions } from './redis.ts'
import { SharedReplies } from './replies.ts'
import { shareByBoard, type Told } from './topics.ts'
import { SharedWrites } from './writes.ts'

/** What several gateways have in common. */
export interface Shared {
  health(): SharedHealth
  close(): Promise<void>
}

export interface SharedStateOptions extends RedisOptions {
  readonly state: Told & {
    readonly revalidation: Revalidation
    readonly recentWrites: RecentWrites
  }
  /** Whether Idempotency-Keys have a better place. */
  readonly keysElsewhere: boolean
  /** Told of a setting of the server that is dangerous. */
  readonly warn: (message: string) => void
}

/**
 * Makes quotas, circuits, kept answers, recent writes and Idempotency-Keys common to all gateways of a Redis. While it cannot be
 * reached, each gateway goes by what it knows itself, and takes no key.
 * @throws {SettingsError} when the address is none, or the server refuses.
 */
export async function shareInRedis(
  options: SharedStateOptions,
): Promise<Shared & { readonly idempotency: IdempotencyStore | null }> {
  const { state, keysElsewhere, warn } = options
  const redis = new Redis(options)
  const me = ulid()
  const board = shareByBoard(redis, me, state)
  state.revalidation.others = new SharedReplies(redis)
  state.recentWrites.otherGateways = new SharedWrites(redis, me)
  const idempotency = keysElsewhere ? null : new RedisIdempotency(redis, me)
  if (idempotency) redis.atBeginning(() => warnOfEviction(redis, warn))
  try {
    await redis.open()
  } catch (error) {
    redis.close()
    throw error
  }
  return {
    idempotency,
    health: () => redis.health(),
    async close() {
      await board.close()
      await idempotency?.close()
      redis.close()
    },
  }
}

/** A server that makes room by forgetting keys lets a change be made twice. */
export async function warnOfEviction(
  redis: Redis,
  warn: SharedStateOptions['warn'],
): Promise<void> {
  // Who may not ask is not warned.
  const memory = await redis.info('memory').catch(() => '')
  const [, most = '0'] = /^maxmemory:(\d+)/m.exec(memory) ?? []
  const [, policy = 'noeviction'] = /^maxmemory_policy:(\S+)/m.exec(memory) ?? []
  if (most === '0' || policy === 'noeviction') return
  warn(
    `Redis drops keys when its memory is full (maxmemory-policy ${policy}), and Idempotency-Keys with them: set noeviction.`,
  )
}
