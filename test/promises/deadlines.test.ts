import { mkdtempSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import { arrived, REPOSITORY } from '../state/gateways.ts'
import { type CallResult, startTestGateway, type TestGateway } from '../support/gateway.ts'
import { openHoldingProxy } from '../support/holding-proxy.ts'
import { writePack } from '../support/packs.ts'
import { postgres, redis } from '../support/parts.ts'
import { startPostgres, type TestPostgres } from '../support/postgres.ts'
import { startRedis } from '../support/redis.ts'
import { startService } from '../support/service.ts'
import { until } from '../support/until.ts'

const TIMEOUT_MS = 1_500
/** Time that an answer may take beyond its deadline on a busy machine. */
const SLACK_MS = 8_000

const THING = {
  'thing.make.yaml': `
id: thing.make
version: 1.0.0
description: Make a thing.
effect: write
input: { type: object, additionalProperties: false, properties: {} }
output: { type: object, properties: { made: {} } }
prefer: [rest]
routes:
  rest: { method: POST, path: /things, result: "{made: body.made}" }
`,
  'upstream.yaml': 'id: thing\ndescription: Makes things.\nrest: { base_url: URL }\n',
}

/** A gateway whose store can be made to hang. */
interface Place {
  readonly gateway: TestGateway
  hang(): void
  resume(): void
}

type Env = Record<string, string>
type Store = 'SQLite' | 'PostgreSQL' | 'Redis'

const STORES: Record<Store, { readonly available: boolean; open: (env?: Env) => Promise<Place> }> =
  {
    SQLite: {
      available: true,
      async open(env = {}) {
        const file = join(mkdtempSync(join(tmpdir(), 'signalbox-held-')), 'journal.sqlite')
        const gateway = await start({ ...env, SIGNALBOX_JOURNAL: file })
        const other = new DatabaseSync(file)
        onTestFinished(() => other.close())
        return {
          gateway,
          hang: () => other.exec('BEGIN IMMEDIATE'),
          resume: () => other.exec('ROLLBACK'),
        }
      },
    },
    PostgreSQL: {
      available: postgres.available,
      async open(env = {}) {
        const url = await server.createDatabase()
        const proxy = await openHoldingProxy(url)
        onTestFinished(() => proxy[Symbol.asyncDispose]())
        const gateway = await start({ ...env, SIGNALBOX_JOURNAL: proxy.through(url) })
        return { gateway, hang: () => proxy.hold(), resume: () => proxy.release() }
      },
    },
    Redis: {
      available: redis.available,
      async open(env = {}) {
        const own = await startRedis()
        onTestFinished(() => own.remove())
        const gateway = await start({ ...env, SIGNALBOX_STATE: own.createDatabase() })
        return { gateway, hang: () => own.pause(), resume: () => own.resume() }
      },
    },
  }

let server: TestPostgres
beforeAll(async () => {
  if (postgres.available) server = await startPostgres()
})
afterAll(() => server?.remove())

describe.each(Object.keys(STORES) as Store[])('while the store in %s hangs', name => {
  const { available, open } = STORES[name]

  test.runIf(available)('a claim ends in time, and nothing is sent', async () => {
    const place = await open()
    place.hang()
    const { body, status, headers } = await inTime(() => create(place, 'claim'))
    expect(status).toBe(503)
    expect(headers.get('retry-after')).toBe('1')
    expect(body.error).toMatchObject({
      code: 'SERVER',
      retryable: true,
      write_outcome: 'not_applied',
      source: 'gateway',
    })
    expect(arrived(place.gateway, 'POST')).toBe(0)
    place.resume()
    // Nothing keeps the key of a claim that came too late.
    const again = await settled(() => create(place, 'claim'))
    expect(again.status).toBe(200)
    expect(again.headers.get('idempotent-replayed')).toBeNull()
  })

  test.runIf(available)('an answer does not wait until its key is settled', async () => {
    const { place, received } = await openMaking(name, [200])
    const made = await inTime(() => make(place, 'complete'))
    expect(made.body.error).toBeNull()
    place.resume()
    const again = await settled(() => make(place, 'complete'))
    expect(again.headers.get('idempotent-replayed')).toBe('true')
    expect(received).toHaveLength(1)
  })

  test.runIf(available)('a failure does not wait until its key is free', async () => {
    const { place, received } = await openMaking(name, [422, 200])
    const refused = await inTime(() => make(place, 'release'))
    expect(refused.body.error).toMatchObject({ code: 'VALIDATION', write_outcome: 'not_applied' })
    place.resume()
    const again = await settled(() => make(place, 'release'))
    expect(again.status).toBe(200)
    expect(again.headers.get('idempotent-replayed')).toBeNull()
    expect(received).toHaveLength(2)
  })

  test.runIf(available)('a change without a key and a read end in time', async () => {
    const place = await open()
    place.hang()
    const change = await inTime(() => create(place, null))
    const read = await inTime(() => call(place, 'repo.view', REPOSITORY))
    expect([200, 504]).toContain(change.status)
    expect(change.body.error?.write_outcome ?? 'not_applied').toBe('not_applied')
    expect(read.status).toBe(200)
    place.resume()
  })

  test.runIf(available)(
    'the gateway notices within 5 seconds, and tells strangers no address',
    async () => {
      const place = await open()
      place.hang()
      const began = performance.now()
      const found = await until(
        async () => {
          await create(place, `noticed-${performance.now()}`)
          return await place.gateway.get('/readyz', { host: 'elsewhere.example' })
        },
        ({ body }) => body.data.status === 'degraded',
      )
      expect(performance.now() - began).toBeLessThan(5_000)
      expect(found.status).toBe(200)
      place.resume()
      await until(
        () => place.gateway.get('/readyz'),
        ({ body }) => body.data.status === 'ready',
      )
    },
  )

  test.runIf(available)('nothing holds up the event loop', async () => {
    const place = await open()
    place.hang()
    const calls = Array.from({ length: 20 }, (_, n) => create(place, `blocked-${n}`))
    let longest = 0
    let last = performance.now()
    const ticking = setInterval(() => {
      longest = Math.max(longest, performance.now() - last)
      last = performance.now()
    }, 10)
    await Promise.all(calls)
    clearInterval(ticking)
    expect(longest).toBeLessThan(500)
    place.resume()
  })
})

describe.runIf(redis.available)('while a Redis that shares state hangs', () => {
  test('quotas, replies, circuits and recent writes make no call late', async () => {
    const place = await STORES.Redis.open()
    const { sandbox, engine } = place.gateway
    await call(place, 'repo.view', REPOSITORY)
    place.hang()
    sandbox.faults.set([{ on: { method: 'POST' }, do: { reset: 'after' } }])
    const unknown = await inTime(() => create(place, null))
    expect(unknown.body.error?.write_outcome).toBe('unknown')
    for (let n = 0; n < 5; n++)
      engine.state.breakers.report('github:rest', 'SERVER', Date.now() - 10_000)
    const probing = await inTime(() => call(place, 'repo.view', REPOSITORY))
    expect(probing.body.ok).toBe(true)
    place.resume()
  })
})

async function start(env: Env): Promise<TestGateway> {
  const gateway = await startTestGateway({ env })
  onTestFinished(() => gateway[Symbol.asyncDispose]())
  return gateway
}

/** A service that makes the store hang while it works on its first request, and answers with one status after another. */
async function openMaking(name: Store, statuses: number[]) {
  let place: Place | null = null
  const service = await startService((_request, response) => {
    if (received.length === 1) place?.hang()
    response.writeHead(statuses[received.length - 1] ?? 200, { 'content-type': 'application/json' })
    response.end('{"made":true}')
  })
  const { received } = service
  const pack = await writePack({
    ...THING,
    'upstream.yaml': THING['upstream.yaml'].replace('URL', service.url),
  })
  place = await STORES[name].open({ SIGNALBOX_CAPABILITIES: pack })
  return { place, received }
}

function make(place: Place, key: string): Promise<CallResult> {
  return call(place, 'thing.make', {}, { 'idempotency-key': key })
}

/** Repeats a call until the store knows what became of its key. */
function settled(send: () => Promise<CallResult>): Promise<CallResult> {
  return until(send, ({ status }) => status !== 503 && status !== 409)
}

async function inTime(send: () => Promise<CallResult>): Promise<CallResult> {
  const began = performance.now()
  const result = await send()
  expect(performance.now() - began).toBeLessThan(TIMEOUT_MS + SLACK_MS)
  return result
}

function create(place: Place, key: string | null): Promise<CallResult> {
  const headers: Record<string, string> = key === null ? {} : { 'idempotency-key': key }
  return call(place, 'issue.create', { ...REPOSITORY, title: 'Held up' }, headers)
}

function call({ gateway }: Place, id: string, input: unknown, headers = {}): Promise<CallResult> {
  return gateway.call(id, input, { headers, query: { timeout_ms: String(TIMEOUT_MS) } })
}
