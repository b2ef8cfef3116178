import { ulid } from 'ulid'
import type { SharedHealth } from '../../model/health.ts'
import type { IdempotencyStore } from '../idempotency.ts'
import { RedisIdempotency } from './idempotency.ts'
import { Redis, type RedisOptions } from './redis.ts'
import { type OwnState, shareThrough } from './share.ts'

/** State that several gateways share. */
export interface Shared {
  health(): SharedHealth
  close(): Promise<void>
}

export interface SharedStateOptions extends RedisOptions {
  readonly state: OwnState
  /** True if Idempotency-Keys are kept in a better place than Redis. */
  readonly keysElsewhere: boolean
  /** Called if a setting of the server is dangerous. */
  readonly warn: (message: string) => void
}

/**
 * Shares quotas, circuits, kept replies and answers, recent writes, limits of keys and Idempotency-Keys among all gateways of a Redis.
 * While it cannot be reached, each gateway uses its own state, keeps no answers, and accepts no Idempotency-Key.
 * @throws {SettingsError} if the address is invalid, or the server refuses.
 */
export async function shareInRedis(
  options: SharedStateOptions,
): Promise<Shared & { readonly idempotency: IdempotencyStore | null }> {
  const { state, keysElsewhere, warn } = options
  const redis = new Redis(options)
  const me = ulid()
  const board = shareThrough(redis, me, state)
  const idempotency = keysElsewhere ? null : new RedisIdempotency(redis, me)
  if (idempotency) redis.onConnect(() => warnOfEviction(redis, warn))
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

/** A server that evicts keys to make room may lose an Idempotency-Key, and then a repeated write is sent twice. */
export async function warnOfEviction(
  redis: Redis,
  warn: SharedStateOptions['warn'],
): Promise<void> {
  // No permission to read the setting: skip the warning.
  const memory = await redis.info('memory').catch(() => '')
  const [, most = '0'] = /^maxmemory:(\d+)/m.exec(memory) ?? []
  const [, policy = 'noeviction'] = /^maxmemory_policy:(\S+)/m.exec(memory) ?? []
  if (most === '0' || policy === 'noeviction') return
  warn(
    `Redis evicts keys when its memory is full (maxmemory-policy ${policy}), and Idempotency-Keys with them: set noeviction.`,
  )
}
