import { afterAll, beforeAll, describe } from 'vitest'
import { RedisIdempotency } from '../../../src/state/redis/idempotency.ts'
import { Redis } from '../../../src/state/redis/redis.ts'
import { redis } from '../../support/parts.ts'
import { startRedis, type TestRedis } from '../../support/redis.ts'
import {
  describeIdempotency,
  describeSharedIdempotency,
  type Place,
  placeOf,
} from './idempotency.ts'
import { describeShared } from './shared.ts'
import { inRedis } from './stores.ts'

describe.runIf(redis.available)('with a server', () => {
  let server: TestRedis
  beforeAll(async () => {
    server = await startRedis()
  })
  afterAll(() => server.remove())

  async function openPlace(): Promise<Place> {
    const url = server.createDatabase()
    return placeOf(async owner => {
      const connection = new Redis({ url, onLost: () => {}, onBack: () => {} })
      const store = new RedisIdempotency(connection, owner, { graceMs: 0 })
      await connection.open()
      const end = async () => {
        // Removes the sign of life, which would last for half a minute.
        await store.close()
        connection.close()
      }
      return { store, end }
    })
  }
  describeShared('a Redis', () => inRedis(server.createDatabase()))
  describeIdempotency('Redis', openPlace)
  describeSharedIdempotency('Redis', openPlace)
})
