import { setTimeout as delay } from 'node:timers/promises'
import { afterAll, beforeAll, beforeEach, expect, test, vi } from 'vitest'
import { createSandbox, type Sandbox } from '../../sandbox/index.ts'
import { githubEnv } from '../support/github.ts'
import { missingFrom } from './support/gateway-on-record.ts'
import { call, send, startWorkers, type Workers } from './support/workers.ts'
import { startClients, titlesIn } from './support/workers-load.ts'

// Each worker takes more than a second of a core to start.
vi.setConfig({ testTimeout: 300_000, hookTimeout: 300_000 })
const PATIENCE = { timeout: 120_000 }
const CLIENTS = 8

const open = new AsyncDisposableStack()
let sandbox: Sandbox
/** One for all tests, which replace its workers. */
let gateway: Workers
beforeAll(async () => {
  sandbox = open.use(await createSandbox())
  const env = { ...githubEnv(sandbox.url), SIGNALBOX_DRAIN_MS: '500' }
  gateway = open.use(await startWorkers(4, env))
})
beforeEach(() => sandbox.reset())
afterAll(() => open.disposeAsync())

test('a worker that is killed under load doubles no write and loses no record of an answer', async () => {
  const clients = startClients((...of) => call(gateway, ...of), CLIENTS)
  await expect.poll(() => clients.made.length, PATIENCE).toBeGreaterThan(CLIENTS)
  const [[slot, pid] = [0, 0]] = gateway.pids()
  process.kill(pid, 'SIGKILL')
  const atKill = clients.answered.length
  await expect.poll(() => gateway.pids().get(slot), PATIENCE).not.toBe(pid)
  await expect.poll(() => clients.answered.length - atKill, PATIENCE).toBeGreaterThan(100)
  await clients.end()

  // No more than the calls that this worker was running.
  expect(clients.broken()).toBeLessThanOrEqual(CLIENTS)
  expect(await missingFrom(gateway, clients.answered)).toEqual([])
  const found = titlesIn(sandbox)
  expect(found.toSorted()).toEqual([...new Set(found)].toSorted())
  expect(clients.made.filter(title => !found.includes(title))).toEqual([])
})

test('a write in flight in a worker that is killed is recorded as unknown, and its key sends nothing twice', async () => {
  sandbox.faults.set([
    { on: { route: 'rest', method: 'POST' }, do: { delay_ms: 60_000 }, times: 1 },
  ])
  const since = new Date().toISOString()
  const key = { 'idempotency-key': 'once' }
  const pids = [...gateway.pids().values()]
  const first = call(gateway, 'issue.create', { title: 'Made by one' }, key).catch(() => null)
  await expect
    .poll(() => sandbox.log.rows().filter(({ method }) => method === 'POST').length, PATIENCE)
    .toBe(1)
  const again = await call(gateway, 'issue.create', { title: 'Made by one' }, key)
  expect(again.body.error).toMatchObject({ code: 'CONFLICT' })
  // Nobody knows which worker has the call.
  for (const pid of pids) process.kill(pid, 'SIGKILL')
  expect(await first).toBe(null)
  const rows = async () => {
    const { body } = await send(gateway, {
      path: `/v1/requests?capability=issue.create&ok=false&since=${since}`,
    })
    return body.data.items ?? []
  }
  await expect
    .poll(async () => (await rows().catch(() => [])).map(row => row.write_outcome), PATIENCE)
    .toContain('unknown')
  const repeated = await call(gateway, 'issue.create', { title: 'Made by one' }, key)
  // The service may still begin it: either way the gateway looks before it sends.
  expect(repeated.body.error?.write_outcome ?? 'applied').toMatch(/applied|unknown/)
  expect(titlesIn(sandbox).length).toBeLessThanOrEqual(1)
  const left = () => [...gateway.pids().values()].filter(pid => pids.includes(pid))
  await expect.poll(left, PATIENCE).toEqual([])
})

test('four workers are replaced one by one under 60 calls a second, and every call is answered once', async () => {
  const ids: string[] = []
  const failed: unknown[] = []
  const running: Promise<void>[] = []
  let stopped = false
  const load = async () => {
    while (!stopped) {
      const one = call(gateway, 'issue.view', { issueNumber: 1 })
        .then(({ status, body }) => {
          if (status === 200) ids.push(body.meta.request_id)
          else failed.push(body.error)
        })
        .catch(error => void failed.push(error))
      running.push(one)
      await delay(1000 / 60)
    }
  }
  const loading = load()
  for (const [slot, pid] of gateway.pids()) {
    process.kill(pid, 'SIGTERM')
    await expect.poll(() => gateway.pids().get(slot), PATIENCE).not.toBe(pid)
  }
  stopped = true
  await loading
  await Promise.all(running)
  expect(failed).toEqual([])
  expect(new Set(ids).size).toBe(running.length)
  expect(await missingFrom(gateway, ids)).toEqual([])
})

test('a gateway ends with 0 when its workers are killed or get signals of their own as it stops', async () => {
  const [killed, ...signalled] = gateway.pids().values()
  process.kill(killed as number, 'SIGKILL')
  gateway.signal('SIGTERM')
  const status = async () => (await send(gateway, { path: '/readyz' })).status
  await expect.poll(status, PATIENCE).toBe(503)
  // As a terminal does, which signals the whole group.
  for (const pid of signalled) process.kill(pid, 'SIGTERM')
  expect(await gateway.ended()).toBe(0)
})
