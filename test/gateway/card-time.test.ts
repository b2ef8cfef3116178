import type { ServerResponse } from 'node:http'
import { expect, test } from 'vitest'
import { sendBatch } from '../support/batch.ts'
import { startTestGateway } from '../support/gateway.ts'
import { writePack } from '../support/packs.ts'
import { sendJson, startService } from '../support/service.ts'

const card = (timeout: string) => `
id: report.make
version: 1.0.0
description: Make a report.
effect: read
${timeout}
input: { type: object, properties: {} }
output: { type: object }
prefer: [rest]
routes: { rest: { method: GET, path: /, result: body } }
`

/** A gateway with the card, for a service that never answers. */
async function start(timeout: string, { timeout_ms = 20_000, answer = hang } = {}) {
  const service = await startService((_, response) => void answer(response))
  const pack = await writePack({
    'upstream.yaml': `id: reports\nrest: { base_url: "${service.url}" }\n`,
    'report.make.yaml': card(timeout),
  })
  return await startTestGateway({ settings: { capabilities: [pack], timeout_ms } })
}

function hang(_response: ServerResponse): unknown {
  return undefined
}

const report = { capability: 'report.make', input: {} }

interface Time {
  readonly name: string
  readonly card: string
  readonly query?: Record<string, string>
  readonly call?: object
}

test.each<Time>([
  { name: 'a card sets the time of calls that name none', card: 'timeout_ms: 200' },
  {
    name: 'a call that names its time has that',
    card: 'timeout_ms: 60000',
    query: { timeout_ms: '200' },
  },
])('$name', async ({ card: own, query = {} }) => {
  await using gateway = await start(own)
  const began = performance.now()
  const { body } = await gateway.call('report.make', {}, { query })
  expect(body.error?.code).toBe('TIMEOUT')
  expect(performance.now() - began).toBeLessThan(10_000)
})

test.each<Time>([
  { name: 'a card sets the time of calls that name none', card: 'timeout_ms: 200' },
  { name: 'a call has the time that it names', card: '', call: { timeout_ms: 200 } },
  {
    name: 'no call gets more than the batch',
    card: 'timeout_ms: 60000',
    query: { timeout_ms: '200' },
  },
])('in a batch, $name', async ({ card: own, query = {}, call = {} }) => {
  await using gateway = await start(own)
  const began = performance.now()
  const { results } = await sendBatch(gateway, { calls: [{ ...report, ...call }] }, { query })
  expect(results[0]?.envelope?.error?.code).toBe('TIMEOUT')
  expect(performance.now() - began).toBeLessThan(10_000)
})

test.each([
  ['its card', 'timeout_ms: 60000', {}],
  ['itself', '', { timeout_ms: 60_000 }],
])('a batch lasts as long as a call in it may by %s', async (_who, own, call) => {
  await using gateway = await start(own, {
    timeout_ms: 300,
    answer: response => setTimeout(() => sendJson(response, {}), 900),
  })
  const { body } = await sendBatch(gateway, { calls: [{ ...report, ...call }] })
  expect(body.data).toMatchObject({ succeeded: 1 })
})
