import { expect, test, vi } from 'vitest'
import { serve } from './support/signalbox.ts'

// The tests start whole processes, which is slow on a busy machine.
vi.setConfig({ testTimeout: 120_000 })

const statusOf = async (url: string) => {
  const response = await fetch(url)
  return { status: response.status, connection: response.headers.get('connection') }
}

test('after SIGTERM, /readyz is 503 first, and calls are served until the drain is over', async () => {
  await using gateway = await serve({ SIGNALBOX_DRAIN_MS: '3000', SIGNALBOX_PACKS: 'none' })
  const { url } = gateway
  expect(await statusOf(`${url}/readyz`)).toMatchObject({ status: 200 })
  const begun = performance.now()
  gateway.signal('SIGTERM')
  await expect
    .poll(async () => (await statusOf(`${url}/readyz`)).status, { interval: 20 })
    .toBe(503)
  const seen: number[] = []
  // Each request has a connection of its own, because every answer closes its connection.
  while (performance.now() - begun < 2500) {
    const { status, connection } = await statusOf(`${url}/v1/profiles`)
    expect(connection).toBe('close')
    seen.push(status)
  }
  expect(seen.length).toBeGreaterThan(3)
  expect(new Set(seen)).toEqual(new Set([200]))
  expect(await statusOf(`${url}/livez`)).toMatchObject({ status: 200 })
  expect(await gateway.ended()).toBe(0)
  expect(performance.now() - begun).toBeGreaterThanOrEqual(3000)
})

test('without a drain, the listener closes at once', async () => {
  await using gateway = await serve({ SIGNALBOX_PACKS: 'none' })
  gateway.signal('SIGTERM')
  const refused = async () => {
    try {
      return (await statusOf(`${gateway.url}/livez`)).status
    } catch {
      return 'refused'
    }
  }
  await expect.poll(refused, { interval: 20 }).toBe('refused')
  expect(await gateway.ended()).toBe(0)
})
