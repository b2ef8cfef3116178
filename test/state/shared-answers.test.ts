import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import { isHit, type MemoryPlace, openMemoryPlace } from '../call/memory-place.ts'
import { sendBatch } from '../support/batch.ts'
import { startTestGateway } from '../support/gateway.ts'
import { openHoldingProxy } from '../support/holding-proxy.ts'
import { redis } from '../support/parts.ts'
import { startRedis, type TestRedis } from '../support/redis.ts'
import { until } from '../support/until.ts'

describe.runIf(redis.available)('answers that gateways share', () => {
  let server: TestRedis
  beforeAll(async () => {
    server = await startRedis()
  })
  afterAll(() => server.remove())

  async function openTwo(state: string, others: string = state) {
    const one = await openMemoryPlace({ state })
    onTestFinished(async () => await one[Symbol.asyncDispose]())
    const other = await openMemoryPlace({ state: others }, one)
    onTestFinished(async () => await other[Symbol.asyncDispose]())
    // The first calls compile so much that a gateway waits for Redis in vain.
    await one.read('first')
    await other.read('first')
    return [one, other] as const
  }

  const isReady = async ({ gateway }: MemoryPlace) =>
    (await gateway.get('/readyz')).status === 200 &&
    (gateway.engine.state.shared?.health().ok ?? false)

  test('come to all of them, and a change through one drops them for all', async () => {
    const [one, other] = await openTwo(server.createDatabase())
    await one.read('x')
    expect(isHit(await other.read('x'))).toBe(true)
    await other.change('log.append')
    expect(isHit(await one.read('x'))).toBe(true)
    await other.change('part.change')
    expect(isHit(await one.read('x'))).toBe(false)
    expect(isHit(await other.read('x'))).toBe(true)
    expect(one.gateway.engine.state.keptAnswers.own.count).toBe(0)
  })

  test('are not found while Redis does not answer, and calls do not wait long for it', async () => {
    const url = server.createDatabase()
    await using proxy = await openHoldingProxy(url)
    const place = await openMemoryPlace({ state: proxy.through(url) })
    onTestFinished(async () => await place[Symbol.asyncDispose]())
    await place.read('x')
    await place.read('x')
    proxy.hold()
    const { body } = await place.read('x')
    proxy.release()
    expect(body).toMatchObject({ ok: true, meta: { reason: 'CARD_PREFERRED' } })
    expect(body.meta.duration_ms).toBeLessThan(3000)
    await until(
      () => isReady(place),
      ready => ready,
    )
    expect(isHit(await place.read('x'))).toBe(true)
  })

  test('are dropped by a change that Redis learns of late, before anything else is found', async () => {
    const url = server.createDatabase()
    await using proxy = await openHoldingProxy(url)
    const [near, far] = await openTwo(url, proxy.through(url))
    const before = await near.read('x')
    expect((await far.read('x')).body.data).toEqual(before.body.data)
    proxy.hold()
    const changed = await far.change('part.change')
    expect(changed.body.ok).toBe(true)
    expect(changed.body.meta.duration_ms).toBeLessThan(5000)
    expect(isHit(await near.read('x'))).toBe(true)
    proxy.release()
    await until(
      () => isReady(far),
      ready => ready,
    )
    expect(isHit(await far.read('x'))).toBe(false)
    const after = await near.read('x')
    expect(after.body.data.n).toBeGreaterThan(before.body.data.n)
  })

  test('leave the reads of a batch that share a request together', async () => {
    await using gateway = await startTestGateway({
      env: { SIGNALBOX_STATE: server.createDatabase() },
    })
    const call = (name: string) => ({
      capability: 'repo.view',
      input: { owner: 'octo-org', name },
      route: 'graphql',
      max_age_ms: 60_000,
    })
    const calls = { calls: [call('hello-world'), call('Hello-World')] }
    await sendBatch(gateway, { calls: [call('warm-up')] })
    const { results } = await sendBatch(gateway, calls)
    const shared = results.map(({ envelope }) => envelope.meta.attempts[0]?.shared_by)
    expect(shared).toEqual([2, 2])
    const again = await sendBatch(gateway, calls)
    const reasons = again.results.map(({ envelope }) => envelope.meta.reason)
    expect(reasons).toEqual(['CACHE_HIT', 'CACHE_HIT'])
  })

  test('of a Redis that forgot its drops are not found', async () => {
    const url = server.createDatabase()
    const place = await openMemoryPlace({ state: url })
    onTestFinished(async () => await place[Symbol.asyncDispose]())
    await place.read('first')
    await place.read('x')
    expect(await place.remembers('x')).toBe(true)
    await server.send(url, 'DEL', '{signalbox}:1:answers:drops')
    expect(await place.remembers('x')).toBe(false)
    await place.read('x')
    expect(await place.remembers('x')).toBe(true)
  })

  test('never show a token or an input in the names of keys', async () => {
    const url = server.createDatabase()
    const place = await openMemoryPlace({ state: url })
    onTestFinished(async () => await place[Symbol.asyncDispose]())
    const headers = { 'x-upstream-authorization': 'Bearer a-secret-token' }
    await place.read('first')
    await place.read('secret-input', { headers })
    const keys = (await server.send(url, 'KEYS', '*')) as string[]
    expect(keys.some(key => key.includes(':answer:'))).toBe(true)
    expect(keys.join()).not.toContain('secret')
  })
})
