import { once } from 'node:events'
import { type AddressInfo, createServer } from 'node:net'
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import { launch, serve } from './support/signalbox.ts'

// The tests start whole processes, which is slow on a busy machine.
vi.setConfig({ testTimeout: 120_000, hookTimeout: 120_000 })

describe('a start that is stopped', () => {
  /** A database that never answers, so that a start lasts. */
  const silent = createServer()
  beforeAll(async () => {
    silent.on('connection', socket => socket.on('error', () => {}))
    await once(silent.listen(0, '127.0.0.1'), 'listening')
  })
  afterAll(() => void silent.close())

  test.each([
    ['one process', '1'],
    ['workers', '2'],
  ])('ends with 0, and not at a SIGHUP before (%s)', async (_title, workers) => {
    const { port } = silent.address() as AddressInfo
    const gateway = launch(['serve', '--port', '0'], {
      SIGNALBOX_JOURNAL: `postgres://nobody@127.0.0.1:${port}/none`,
      SIGNALBOX_PACKS: 'none',
      SIGNALBOX_WORKERS: workers,
    })
    const ended = once(gateway, 'exit')
    await once(silent, 'connection')
    gateway.kill('SIGHUP')
    gateway.kill('SIGTERM')
    expect(await ended).toEqual([0, null])
  })
})

test('a gateway that is stopped while further workers start ends with 0', async () => {
  // The address is in the log as soon as the first worker listens.
  await using gateway = await serve({ SIGNALBOX_WORKERS: '2', SIGNALBOX_PACKS: 'none' })
  expect(await gateway.stop()).toBe(0)
})
