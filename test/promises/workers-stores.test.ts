import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import { createSandbox, type Sandbox } from '../../sandbox/index.ts'
import { temporaryDirectory } from '../commands/support/signalbox.ts'
import { githubEnv } from '../support/github.ts'
import { postgres, redis } from '../support/parts.ts'
import { startPostgres, type TestPostgres } from '../support/postgres.ts'
import { startRedis, type TestRedis } from '../support/redis.ts'
import { missingFrom } from './support/gateway-on-record.ts'
import { REPOSITORY, send, startWorkers, type Workers } from './support/workers.ts'
import { startClients, titlesIn } from './support/workers-load.ts'

// Each worker takes more than a second of a core to start.
vi.setConfig({ testTimeout: 120_000, hookTimeout: 120_000 })
const PATIENCE = { timeout: 60_000 }
const CLIENTS = 6
/** So many connections reach every worker, in all likelihood. */
const MANY = 24
/** Longer than the gateway waits for an answer of Redis, so that it counts as away and its connection is closed. */
const FROZEN_MS = 4_500

const KEYS = [
  { name: 'ops', operator: true },
  { name: 'agent' },
  { name: 'slow', requests_per_minute: 10 },
  { name: 'slower', requests_per_minute: 5 },
].map(key => ({ ...key, secret: `${key.name}-secret-0123456789` }))
const as = (name: string) => ({ authorization: `Bearer ${name}-secret-0123456789` })

describe.runIf(postgres.available && redis.available)('workers on PostgreSQL and Redis', () => {
  const open = new AsyncDisposableStack()
  let sandbox: Sandbox
  let database: TestPostgres
  let store: TestRedis
  let journal: string
  let gateway: Workers

  beforeAll(async () => {
    sandbox = open.use(await createSandbox())
    database = open.adopt(await startPostgres(), server => server.remove())
    store = open.adopt(await startRedis(), server => server.remove())
    journal = await database.createDatabase()
    const { path } = open.use(await temporaryDirectory())
    const file = join(path, 'signalbox.yaml')
    await writeFile(file, JSON.stringify({ keys: KEYS }))
    gateway = open.use(
      await startWorkers(2, {
        ...githubEnv(sandbox.url),
        SIGNALBOX_CONFIG: file,
        SIGNALBOX_JOURNAL: journal,
        SIGNALBOX_STATE: store.createDatabase(),
      }),
    )
  })
  afterAll(() => open.disposeAsync())

  const call = (id: string, input: object, headers = {}, caller = 'agent', route = '?route=rest') =>
    send(gateway, {
      path: `/v1/capabilities/${id}${route}`,
      body: { ...REPOSITORY, ...input },
      headers: { ...as(caller), ...headers },
    })
  const many = (caller: string, route?: string) =>
    Promise.all(Array.from({ length: MANY }, () => call('repo.view', {}, {}, caller, route)))
  const isReady = async () => {
    const { body } = await send(gateway, { path: '/readyz' })
    return body.data.status
  }

  test('share what they know, double no write and lose no record while parts fail', async () => {
    const served = (await many('slow')).filter(({ status }) => status === 200)
    expect(served).toHaveLength(10)

    const clients = startClients(call, CLIENTS)
    await expect.poll(() => clients.made.length, PATIENCE).toBeGreaterThan(5)
    const [[slot, pid] = [0, 0]] = gateway.pids()
    process.kill(pid, 'SIGKILL')
    await expect.poll(() => gateway.pids().get(slot), PATIENCE).not.toBe(pid)
    // No more than the calls that this worker was running.
    expect(clients.broken()).toBeLessThanOrEqual(CLIENTS)
    const brokenByKill = clients.broken()

    store.pause()
    await database.cutConnections(journal)
    const atFreeze = clients.answered.length
    await delay(FROZEN_MS)
    expect(clients.answered.length - atFreeze).toBeGreaterThan(50)
    await database.cutConnections(journal)
    store.resume()
    await expect.poll(isReady, PATIENCE).toBe('ready')
    await clients.end()
    // Both workers have met the outage.
    const lines = (message: string) => gateway.log().split(`"${message}"`).length - 1
    expect(lines('the shared state cannot be reached')).toBe(1)
    await expect.poll(() => lines('the shared state can be reached again'), PATIENCE).toBe(1)
    expect(gateway.log()).not.toContain('"stack"')

    expect(clients.broken()).toBe(brokenByKill)
    await expect.poll(() => missingFrom(gateway, clients.answered, as('ops')), PATIENCE).toEqual([])
    const found = titlesIn(sandbox)
    expect(found.toSorted()).toEqual([...new Set(found)].toSorted())
    expect(clients.made.filter(title => !found.includes(title))).toEqual([])

    const slower = (await many('slower')).filter(({ status }) => status === 200)
    expect(slower).toHaveLength(5)
    sandbox.faults.set([{ on: { route: 'rest' }, do: { rate_limit: 'primary' }, times: 1 }])
    await call('repo.view', {})
    const reasons = (await many('agent', '')).map(({ body }) => body.meta.attempts?.[0]?.reason)
    expect(new Set(reasons)).toEqual(new Set(['QUOTA_EXHAUSTED']))
  })

  test('end with 0 at SIGTERM, also when a worker is killed at the same moment', async () => {
    const [[, pid] = [0, 0]] = gateway.pids()
    process.kill(pid, 'SIGKILL')
    expect(await gateway.stop()).toBe(0)
  })
})
