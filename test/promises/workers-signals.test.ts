import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { setTimeout as delay } from 'node:timers/promises'
import { afterAll, beforeAll, beforeEach, expect, onTestFinished, test, vi } from 'vitest'
import { createSandbox, type Sandbox } from '../../sandbox/index.ts'
import { SIGNALBOX, temporaryDirectory } from '../commands/support/signalbox.ts'
import { freePort } from '../support/free-port.ts'
import { githubEnv } from '../support/github.ts'
import { until } from '../support/until.ts'
import { call, send, startWorkers } from './support/workers.ts'

// Each worker takes more than a second of a core to start.
vi.setConfig({ testTimeout: 180_000, hookTimeout: 120_000 })
const PATIENCE = { timeout: 60_000 }

const open = new AsyncDisposableStack()
let sandbox: Sandbox
beforeAll(async () => {
  sandbox = open.use(await createSandbox())
})
beforeEach(() => sandbox.reset())
afterAll(() => open.disposeAsync())

const arrived = () => sandbox.log.rows().length

test.each(['SIGTERM', 'SIGQUIT'] as const)(
  '%s to all workers at once refuses no connection: each is replaced before it leaves',
  async signal => {
    await using gateway = await startWorkers(2, { SIGNALBOX_PACKS: 'none' })
    const old = [...gateway.pids().values()]
    for (const pid of old) process.kill(pid, signal)
    // The same again: a second signal must not end what the first one asked to be relieved.
    for (const pid of old) process.kill(pid, signal)
    const failed: unknown[] = []
    while ([...gateway.pids().values()].some(pid => old.includes(pid))) {
      await send(gateway, { path: '/livez' }).catch(error => failed.push(error))
      await delay(10)
    }
    await expect.poll(() => old.filter(isAlive), PATIENCE).toEqual([])
    await send(gateway, { path: '/livez' })
    expect(failed).toEqual([])
    expect(await gateway.stop()).toBe(0)
    expect(gateway.log()).not.toContain('"a worker has ended"')
  },
)

const STOPS = [
  { who: 'Ctrl-C', workers: 1, signal: 'SIGINT' },
  { who: 'Ctrl-C', workers: 2, signal: 'SIGINT' },
  { who: 'SIGTERM to the group', workers: 2, signal: 'SIGTERM' },
  { who: 'SIGQUIT to the group', workers: 1, signal: 'SIGQUIT' },
] as const

test.each(STOPS)(
  '$who, which npm passes on once more, ends a gateway when its calls have ended (workers: $workers)',
  async ({ workers, signal }) => {
    const gateway = await startGroup(workers)
    sandbox.faults.set([{ on: { route: 'rest' }, do: { delay_ms: 1_500 }, times: 1 }])
    const before = arrived()
    const running = call(gateway, 'issue.view', { issueNumber: 1 })
    await expect.poll(arrived, PATIENCE).toBeGreaterThan(before)
    gateway.signalGroup(signal)
    // The kernel makes one of signals that wait.
    await delay(100)
    gateway.signal(signal)
    expect((await running).status).toBe(200)
    expect(await gateway.ended).toEqual([0, null])
    expect(gateway.log()).not.toContain('"a worker has ended"')
  },
)

test.each([1, 2])('a later signal ends a gateway at once (workers: %i)', async workers => {
  const gateway = await startGroup(workers)
  sandbox.faults.set([{ on: { route: 'rest' }, do: { delay_ms: 60_000 }, times: 1 }])
  const running = call(gateway, 'issue.view', { issueNumber: 1 }).catch(() => null)
  await expect.poll(arrived, PATIENCE).toBeGreaterThan(0)
  let isOver = false
  void gateway.ended.then(() => (isOver = true))
  while (!isOver) {
    gateway.signal('SIGTERM')
    await delay(100)
  }
  expect(await gateway.ended).toEqual([1, null])
  expect(await running).toBe(null)
})

/** Starts a gateway that leads a process group of its own, as one that a terminal starts. */
async function startGroup(workers: number) {
  const directory = await temporaryDirectory()
  onTestFinished(() => directory[Symbol.asyncDispose]())
  const port = await freePort()
  const child = spawn(process.execPath, [SIGNALBOX, 'serve'], {
    env: {
      PATH: process.env.PATH,
      ...githubEnv(sandbox.url),
      PORT: String(port),
      SIGNALBOX_JOURNAL: `${directory.path}/journal.sqlite`,
      SIGNALBOX_WORKERS: String(workers),
    },
    stdio: ['ignore', 'pipe', 'inherit'],
    detached: true,
  })
  const signalGroup = (name: NodeJS.Signals) => process.kill(-(child.pid as number), name)
  onTestFinished(() => {
    try {
      signalGroup('SIGKILL')
    } catch {
      // All of them have ended.
    }
  })
  const ended = once(child, 'exit')
  let log = ''
  child.stdout.on('data', (chunk: Buffer) => (log += chunk.toString()))
  await until(
    () => log.split('listening on').length - 1,
    count => count >= workers,
    60_000,
  )
  const url = `http://127.0.0.1:${port}`
  const signal = (name: NodeJS.Signals) => void child.kill(name)
  return { url, ended, signal, signalGroup, log: () => log }
}

function isAlive(pid: number): boolean {
  try {
    return process.kill(pid, 0)
  } catch {
    return false
  }
}
