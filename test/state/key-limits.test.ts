import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import type { CallerLimits } from '../../src/model/caller.ts'
import { type Entry, isOver, KeyLimits, type SharedLimits } from '../../src/state/key-limits.ts'
import { RedisKeyLimits } from '../../src/state/redis/key-limits.ts'
import { startTestGateway, type TestGateway } from '../support/gateway.ts'
import { redis as redisPart } from '../support/parts.ts'
import { startRedis, type TestRedis } from '../support/redis.ts'
import { inPrimary } from './contract/stores.ts'

const LIMITS = { requestsPerMinute: 60, concurrency: null }
const over = (entries: readonly Entry[]) => entries.filter(isOver)

describe('the allowance of a minute', () => {
  const enter = (limits: KeyLimits, times: number, now: number) =>
    Promise.all(Array.from({ length: times }, () => limits.enter('agent', LIMITS, now, 1000)))

  test('may come at once, and comes back bit by bit', async () => {
    const limits = new KeyLimits()
    expect(over(await enter(limits, 61, 0))).toEqual([
      { limit: 'requests_per_minute', allowed: 60, retryAfterMs: 1000 },
    ])
    expect(over(await enter(limits, 11, 10_000))).toHaveLength(1)
    expect(over(await enter(limits, 61, 1_000_000))).toHaveLength(1)
  })

  test('of somebody who is away is forgotten when there are many, and only that', async () => {
    const limits = new KeyLimits()
    const some = { requestsPerMinute: 60, concurrency: 1 }
    for (let n = 0; n < 10_000; n++) {
      const entry = await limits.enter(`person-${n}`, some, 0, 1000)
      if (n > 0 && !isOver(entry)) entry.release()
    }
    await limits.enter('agent', { ...some, concurrency: null }, 60_000, 1000)
    expect(isOver(await limits.enter('person-0', some, 60_000, 1000))).toBe(true)
    expect(isOver(await limits.enter('person-1', some, 60_000, 1000))).toBe(false)
  })

  test('is one of its own for each key', async () => {
    const limits = new KeyLimits()
    await enter(limits, 60, 0)
    expect(isOver(await limits.enter('other', LIMITS, 0, 1000))).toBe(false)
  })
})

describe('workers of one gateway whose Redis', () => {
  const LONG_MS = 60_000

  async function startWorkers() {
    const primary = inPrimary(1000)
    let isAway = false
    const redisCount = new KeyLimits()
    const otherGateways: SharedLimits = {
      async enter(name, limits, withinMs) {
        if (isAway) throw new Error('away')
        return await redisCount.enter(name, limits, performance.now(), withinMs)
      },
    }
    const workers = await Promise.all(
      [1, 2].map(async () => {
        const limits = new KeyLimits()
        limits.otherGateways = otherGateways
        limits.ownWorkers = await primary.join(store => new RedisKeyLimits(store))
        return limits
      }),
    )
    const enter = async (times: number, limits: CallerLimits) => {
      const entries: Entry[] = []
      for (let n = 0; n < times; n++)
        for (const worker of workers)
          entries.push(await worker.enter('k', limits, performance.now(), LONG_MS))
      return entries
    }
    const lose = () => {
      isAway = true
    }
    return { enter, lose }
  }

  test.each([
    ['is away', 0, 6],
    ['goes away after two calls', 1, 4],
  ])('%s keep one count of the minute', async (_name, before, left) => {
    const { enter, lose } = await startWorkers()
    const limits = { requestsPerMinute: 6, concurrency: null }
    await enter(before, limits)
    lose()
    const entries = await enter(6, limits)
    expect(entries.length - over(entries).length).toBe(left)
  })

  test('goes away keep one count of calls at once, and give back what ends', async () => {
    const { enter, lose } = await startWorkers()
    const limits = { requestsPerMinute: null, concurrency: 3 }
    const begun = await enter(1, limits)
    lose()
    const more = await enter(2, limits)
    expect(over(more)).toHaveLength(3)
    for (const entry of begun) if (!isOver(entry)) entry.release()
    await expect.poll(async () => over(await enter(1, limits)).length).toBe(0)
  })
})

const SECRET = 'agent-secret-0123456789'
const headers = { authorization: `Bearer ${SECRET}` }
const repo = { owner: 'octo-org', name: 'hello-world' }

let redis: TestRedis | undefined
beforeAll(async () => {
  if (redisPart.available) redis = await startRedis()
})
afterAll(() => redis?.remove())

/** One gateway, or two that share their state. */
async function startGateways(
  limits: { readonly requests_per_minute?: number; readonly concurrency?: number },
  state: string,
  upstream: Record<string, string> = {},
): Promise<readonly TestGateway[]> {
  const keys = [{ name: 'agent', secret: SECRET, ...limits }]
  const gateways: TestGateway[] = []
  for (let n = 0; n < (state === 'memory' ? 1 : 2); n++) {
    const settings = { keys, retries: 0, state }
    const gateway = await startTestGateway({ settings, env: { PATH: '', ...upstream } })
    onTestFinished(() => gateway[Symbol.asyncDispose]())
    gateways.push(gateway)
  }
  return gateways
}

/** A service that takes a while for each request, and counts those that it has at once. */
async function startBusyService() {
  let [now, most, all] = [0, 0, 0]
  const server = createServer((_request, response) => {
    all++
    most = Math.max(most, ++now)
    setTimeout(() => {
      now--
      response.writeHead(404, { 'content-type': 'application/json' }).end('{"message":"Not Found"}')
    }, 20)
  })
  await once(server.listen(0, '127.0.0.1'), 'listening')
  onTestFinished(() => void server.close())
  const { port } = server.address() as AddressInfo
  return { url: `http://127.0.0.1:${port}`, most: () => most, all: () => all }
}

describe.each(['memory', 'redis'])('with the state in %s', kind => {
  const place = () => (kind === 'memory' ? 'memory' : (redis?.createDatabase() ?? ''))
  const isMissing = () => kind === 'redis' && redis === undefined

  test('a key over its rate gets 429, with the headers', async context => {
    if (isMissing()) return context.skip()
    const gateways = await startGateways({ requests_per_minute: 5 }, place())
    const answers = []
    for (let n = 0; n < 8; n++) {
      const gateway = gateways[n % gateways.length] as TestGateway
      answers.push(await gateway.call('repo.view', repo, { headers }))
    }
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 200, 200, 200, 429, 429, 429])
    const [refused] = answers.slice(5)
    expect(refused?.body.error).toMatchObject({
      code: 'RATE_LIMIT',
      source: 'gateway',
      retryable: true,
      next: { action: 'wait' },
    })
    expect(refused?.body.meta.reason).toBe('KEY_LIMIT')
    expect(refused?.headers.get('retry-after')).toMatch(/^1[0-2]$/)
    expect(refused?.headers.get('ratelimit')).toMatch(/^"requests_per_minute";r=0;t=1[0-2]$/)
    expect(refused?.headers.get('ratelimit-policy')).toBe('"requests_per_minute";q=5;w=60')
  })
  test('a thousand calls at once never have more than eight at the service', async context => {
    if (isMissing()) return context.skip()
    const service = await startBusyService()
    const env = { GITHUB_API_URL: service.url }
    const gateways = await startGateways({ concurrency: 8 }, place(), env)
    const calls = Array.from({ length: 1000 }, (_, n) => {
      const gateway = gateways[n % gateways.length] as TestGateway
      const input = { owner: 'octo-org', name: `repo-${n}` }
      return gateway.call('repo.view', input, { headers, query: { route: 'rest' } })
    })
    const statuses = (await Promise.all(calls)).map(({ status }) => status)
    expect(service.most()).toBeGreaterThan(4)
    expect(service.most()).toBeLessThanOrEqual(8)
    expect(statuses.filter(status => status === 404)).toHaveLength(service.all())
    expect(statuses.filter(status => status === 429)).toHaveLength(1000 - service.all())
  })
})
