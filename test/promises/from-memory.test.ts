import { rm } from 'node:fs/promises'
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import { openChangingService, writeChangingPack } from '../support/changing-service.ts'
import { redis } from '../support/parts.ts'
import { startRedis, type TestRedis } from '../support/redis.ts'
import { sendJson } from '../support/service.ts'
import { DOOR_NAMES, DOORS } from './support/doors.ts'

let server: TestRedis
beforeAll(async () => {
  if (redis.available) server = await startRedis()
})
afterAll(async () => {
  if (redis.available) await server.remove()
})

const STORES = [
  ['memory', (): Record<string, string> => ({}), true],
  ['Redis', () => ({ SIGNALBOX_STATE: server.createDatabase() }), redis.available],
] as const

const MINUTE = { max_age_ms: 60_000 }
const STALE = { max_age_ms: 0, stale_if_error_ms: 60_000 }

describe.each(STORES)('with answers in %s', (store, settings, isAvailable) => {
  // Without a shared state, nothing outlives one command.
  const names = DOOR_NAMES.filter(name => store !== 'memory' || name !== 'command line')

  test.runIf(isAvailable).each(names)(
    '%s asks when it must, answers from memory when it may, and forgets what a change touched',
    async name => {
      const service = await openChangingService()
      const pack = await writeChangingPack(service)
      onTestFinished(async () => {
        await service[Symbol.asyncDispose]()
        await rm(pack, { recursive: true })
      })
      const door = await DOORS[name](pack, settings())
      const input = { name: 'x' }
      const read = async (memory = {}) => {
        const before = service.received.length
        const envelope = await door.call({ capability: 'part.view', input, memory })
        return { envelope, meta: envelope?.meta, asked: service.received.length - before }
      }
      expect(await read()).toMatchObject({ asked: 1, meta: { reason: 'CARD_PREFERRED' } })
      expect(await read(MINUTE)).toMatchObject({ asked: 1, meta: { reason: 'CARD_PREFERRED' } })
      const hit = await read(MINUTE)
      const age_ms = expect.any(Number)
      expect(hit).toMatchObject({
        asked: 0,
        envelope: { ok: true, data: { n: 2 } },
        meta: { reason: 'CACHE_HIT', attempts: [], warnings: [], age_ms },
      })
      expect(await read()).toMatchObject({ asked: 1 })

      service.fault = { method: 'GET', respond: response => sendJson(response, {}, 400 + 104) }
      expect((await read(MINUTE)).meta?.reason).toBe('CACHE_HIT')
      const stale = await read(STALE)
      service.fault = null
      expect(stale).toMatchObject({
        envelope: { ok: true, data: { n: 2 } },
        meta: { reason: 'CACHE_HIT', warnings: [{ code: 'STALE_ANSWER' }], age_ms },
      })
      expect(stale.meta?.attempts).toMatchObject([{ status: 'error' }, {}, {}])

      const other = { capability: 'log.append', input: { name: 'y' } }
      expect(await door.call(other)).toMatchObject({ ok: true })
      expect(await read(MINUTE)).toMatchObject({ asked: 0 })
      const change = { capability: 'part.change', input: { name: 'y' } }
      expect(await door.call(change)).toMatchObject({ ok: true })
      expect(await read(MINUTE)).toMatchObject({ asked: 1 })
      expect(await read(MINUTE)).toMatchObject({ asked: 0 })

      const reasons = (await door.rows()).map(({ reason }) => reason)
      expect(reasons.filter(reason => reason === 'CACHE_HIT')).toHaveLength(5)
    },
    120_000,
  )
})
