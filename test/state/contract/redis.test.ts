import { afterAll, beforeAll, describe, onTestFinished } from 'vitest'
import type { IdempotencyStore } from '../../../src/state/idempotency.ts'
import { RedisIdempotency } from '../../../src/state/redis/idempotency.ts'
import { Redis } from '../../../src/state/redis/redis.ts'
import { redis } from '../../support/parts.ts'
import { startRedis, type TestRedis } from '../../support/redis.ts'
import { describeIdempotency, describeSharedIdempotency, type Place } from './idempotency.ts'

describe.runIf(redis.available)('with a server', () => {
  let server: TestRedis
  beforeAll(async () => {
    server = await startRedis()
  })
  afterAll(() => server.remove())

  async function openPlace(): Promise<Place> {
    const url = server.createDatabase()
    let count = 0
    const lives = new Map<IdempotencyStore, () => Promise<void>>()
    return {
      async open() {
        const connection = new Redis({ url, onLost: () => {}, onBack: () => {} })
        const store = new RedisIdempotency(connection, `life-${++count}`, { graceMs: 0 })
        await connection.open()
        const end = async () => {
          await store.close()
          connection.close()
        }
        lives.set(store, end)
        onTestFinished(async () => {
          if (lives.delete(store)) await end()
        })
        return store
      },
      // Closing takes back the sign of life, which would last for half a minute, and settles nothing.
      async crash(store) {
        const end = lives.get(store)
        lives.delete(store)
        await end?.()
      },
    }
  }
  describeIdempotency('Redis', openPlace)
  describeSharedIdempotency('Redis', openPlace)
})
