import { text } from 'node:stream/consumers'
import { setTimeout as delay } from 'node:timers/promises'
import { expect, test, vi } from 'vitest'
import { launch, temporaryDirectory } from '../commands/support/signalbox.ts'
import { freePort } from '../support/free-port.ts'
import { send, startWorkers } from './support/workers.ts'

// Each worker takes more than a second of a core to start.
vi.setConfig({ testTimeout: 180_000 })
const PATIENCE = { timeout: 90_000 }
const SILENT_MS = 4_000
const FROZEN = '"a worker does not answer and is killed"'

test('a worker that stands still is killed and replaced, and not one whose primary process stood still', async () => {
  await using gateway = await startWorkers(2, {
    SIGNALBOX_PACKS: 'none',
    SIGNALBOX_WORKER_SILENT_MS: String(SILENT_MS),
  })
  const before = new Map(gateway.pids())
  gateway.signal('SIGSTOP')
  await delay(1.5 * SILENT_MS)
  gateway.signal('SIGCONT')

  const [[slot, pid] = [0, 0], ...others] = before
  process.kill(pid, 'SIGSTOP')
  await expect.poll(() => gateway.pids().get(slot), PATIENCE).not.toBe(pid)
  const lines = gateway
    .log()
    .split('\n')
    .filter(line => line.includes(FROZEN))
  expect(lines.map(line => JSON.parse(line).worker_pid)).toEqual([pid])
  expect([...gateway.pids()]).toEqual(expect.arrayContaining(others))
  expect(await gateway.stop()).toBe(0)
})

test('a worker that stands still is named by /readyz, and delays what asks all workers once', async () => {
  await using gateway = await startWorkers(2, { SIGNALBOX_PACKS: 'none' })
  const pid = gateway.pids().get(2) ?? 0
  process.kill(pid, 'SIGSTOP')
  try {
    const ready = async () => (await send(gateway, { path: '/readyz' })).body.data
    expect(await ready()).toMatchObject({
      status: 'degraded',
      state: { ok: false, message: 'worker 2 does not answer' },
    })
    for (const path of ['/readyz', '/metrics', '/v1/upstreams']) {
      const began = performance.now()
      for (let n = 0; n < 5; n++) expect((await send(gateway, { path })).status).toBe(200)
      expect(performance.now() - began).toBeLessThan(1_000)
    }
    process.kill(pid, 'SIGCONT')
    await expect.poll(ready, PATIENCE).toMatchObject({ status: 'ready' })
  } finally {
    process.kill(pid, 'SIGCONT')
  }
})

test('a start names the worker of a dead gateway that stands still, by its journal or its port', async () => {
  await using directory = await temporaryDirectory()
  const [port, SIGNALBOX_PACKS] = [await freePort(), 'none']
  const gateway = await startWorkers(2, { SIGNALBOX_PACKS }, port)
  const [pid = 0] = gateway.pids().values()
  process.kill(pid, 'SIGSTOP')
  // Its output stays open, so nobody can wait for its end.
  gateway.signal('SIGKILL')
  try {
    const start = async (journal: string) => {
      const env = { SIGNALBOX_JOURNAL: journal, SIGNALBOX_PACKS }
      return await text(launch(['serve', '--port', String(port)], env).stderr)
    }
    expect(await start(gateway.journal)).toContain(`a worker (process ${pid}) of a gateway that`)
    const elsewhere = `${directory.path}/other.sqlite`
    expect(await start(elsewhere)).toContain(`listens there (process ${pid}), or set another PORT`)
  } finally {
    process.kill(pid, 'SIGKILL')
  }
})
