import { setTimeout as delay } from 'node:timers/promises'
import { afterAll, beforeAll, beforeEach, expect, test, vi } from 'vitest'
import { createSandbox, type Sandbox } from '../../sandbox/index.ts'
import { githubEnv } from '../support/github.ts'
import { call, missingFrom, REPOSITORY, send, startWorkers } from './support/workers.ts'

// Each test starts five processes, which is slow on a busy machine.
vi.setConfig({ testTimeout: 300_000 })
const PATIENCE = { timeout: 120_000 }

let sandbox: Sandbox
beforeAll(async () => {
  sandbox = await createSandbox()
})
beforeEach(() => sandbox.reset())
afterAll(() => sandbox.close())

const WORKERS = 4
const start = (env: Record<string, string> = {}) =>
  startWorkers(WORKERS, { ...githubEnv(sandbox.url), ...env })

/** The titles of the issues that a test has made, as often as the service has them. */
function titles(): readonly string[] {
  const { owner, name } = REPOSITORY
  const items = sandbox.store.repositories.find(owner, name)?.items.values() ?? []
  return [...items].map(({ title }) => title).filter(title => title.startsWith('Made by '))
}

test('a worker that is killed under load doubles no write and loses no record of an answer', async () => {
  const gateway = await start()
  const answered: string[] = []
  const made: string[] = []
  let broken = 0
  let stopped = false
  const client = async (number: number) => {
    for (let turn = 0; !stopped; turn++) {
      const title = turn % 4 === 0 && turn < 40 ? `Made by ${number} in ${turn}` : null
      const once = () =>
        title === null
          ? call(gateway, 'issue.view', { issueNumber: 1 })
          : call(
              gateway,
              'issue.create',
              { title },
              { 'idempotency-key': title.replaceAll(' ', '-') },
            )
      const answer = await once().catch(() => {
        broken++
        return once()
      })
      answered.push(answer.body.meta.request_id)
      if (title !== null && answer.body.ok) made.push(title)
    }
  }
  const clients = Array.from({ length: 8 }, (_, number) => client(number))
  await expect.poll(() => answered.length, PATIENCE).toBeGreaterThan(100)
  const [[slot, pid] = [0, 0]] = gateway.pids()
  process.kill(pid, 'SIGKILL')
  const atKill = answered.length
  await expect.poll(() => answered.length - atKill, PATIENCE).toBeGreaterThan(200)
  await expect.poll(() => gateway.pids().get(slot), PATIENCE).not.toBe(pid)
  stopped = true
  await Promise.all(clients)

  // No more than the calls that this worker was running.
  expect(broken).toBeLessThanOrEqual(8)
  expect(await missingFrom(gateway, answered)).toEqual([])
  const found = titles()
  expect(found.toSorted()).toEqual([...new Set(found)].toSorted())
  expect(made.filter(title => !found.includes(title))).toEqual([])
})

test('a write in flight in a worker that is killed is recorded as unknown, and its key sends nothing twice', async () => {
  const gateway = await start()
  sandbox.faults.set([
    { on: { route: 'rest', method: 'POST' }, do: { delay_ms: 60_000 }, times: 1 },
  ])
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
      path: '/v1/requests?capability=issue.create&ok=false',
    })
    return body.data.items ?? []
  }
  await expect
    .poll(async () => (await rows().catch(() => [])).map(row => row.write_outcome), PATIENCE)
    .toContain('unknown')
  const repeated = await call(gateway, 'issue.create', { title: 'Made by one' }, key)
  // The service may still begin it: either way the gateway looks before it sends.
  expect(repeated.body.error?.write_outcome ?? 'applied').toMatch(/applied|unknown/)
  expect(titles().length).toBeLessThanOrEqual(1)
})

test('four workers are replaced one by one under 60 calls a second, and every call is answered once', async () => {
  const gateway = await start()
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
  expect(await gateway.stop()).toBe(0)
})
