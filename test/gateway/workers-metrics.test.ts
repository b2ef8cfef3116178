import { Counter, Gauge, Registry } from 'prom-client'
import { expect, test } from 'vitest'
import { Neighbours } from '../../src/gateway/workers/link.ts'
import { MetricsServer } from '../../src/gateway/workers/metrics.ts'
import { Channel } from '../../src/lib/channel.ts'

/** The two ends of a channel. */
function openPair(): readonly [Channel, Channel] {
  const near: Channel = new Channel({ send: message => far.receive(message) })
  const far: Channel = new Channel({ send: message => near.receive(message) })
  return [near, far]
}

function registryWith(lag: number): Registry {
  const registry = new Registry()
  const name = 'nodejs_eventloop_lag_p99_seconds'
  new Gauge({ name, help: 'As Node says.', registers: [registry], aggregator: 'average' }).set(lag)
  return registry
}

test('the lag of a gateway is that of its slowest process', async () => {
  const neighbours = new Neighbours()
  const server = new MetricsServer(neighbours, registryWith(0.01))
  const workers = [0.02, 0.9, 0.03].map((lag, index) => {
    const [primary, worker] = openPair()
    const registry = registryWith(lag)
    worker.handle('metrics.samples', () => registry.getMetricsAsJSON())
    server.serve(primary)
    neighbours.add(primary, index + 1)
    return worker
  })
  const text = await workers[0]?.ask('metrics')
  expect(text).toContain('nodejs_eventloop_lag_p99_seconds 0.9\n')
})

test('a worker that ends while a slow one is asked counts once', async () => {
  const neighbours = new Neighbours()
  const server = new MetricsServer(neighbours, new Registry())
  const slow = Promise.withResolvers<void>()
  let isSlow = false
  const [quick, other] = [1, 2].map(slot => {
    const [primary, worker] = openPair()
    const registry = new Registry()
    new Counter({ name: 'calls_total', help: 'Calls.', registers: [registry] }).inc(10)
    worker.handle('metrics.samples', async () => {
      if (isSlow && slot === 2) await slow.promise
      return await registry.getMetricsAsJSON()
    })
    const ends = [neighbours.add(primary, slot), () => primary.close(), server.serve(primary)]
    const end = async () => {
      await worker.ask('metrics.last', await registry.getMetricsAsJSON())
      for (const one of ends) one()
    }
    return { worker, end }
  })
  expect(await other?.worker.ask('metrics')).toContain('calls_total 20\n')
  isSlow = true
  const text = other?.worker.ask('metrics')
  await new Promise(setImmediate)
  await quick?.end()
  slow.resolve()
  expect(await text).toContain('calls_total 20\n')
  expect(await other?.worker.ask('metrics')).toContain('calls_total 20\n')
})
