import { expect, test } from 'vitest'
import { startTestGateway } from '../support/gateway.ts'
import { writePack } from '../support/packs.ts'
import { startService } from '../support/service.ts'

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

/** Calls a service that never answers; returns the answer and the milliseconds it took. */
async function callHanging(timeout: string, query = '') {
  const service = await startService(() => {})
  const pack = await writePack({
    'upstream.yaml': `id: reports\nrest: { base_url: "${service.url}" }\n`,
    'report.make.yaml': card(timeout),
  })
  await using gateway = await startTestGateway({
    settings: { capabilities: [pack], timeout_ms: 20_000 },
  })
  const began = performance.now()
  const response = await fetch(`${gateway.url}/v1/capabilities/report.make${query}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: '{}',
  })
  const body = (await response.json()) as { error: { code: string } }
  return { code: body.error.code, tookMs: performance.now() - began }
}

test('a card sets the time of calls that name none', async () => {
  const { code, tookMs } = await callHanging('timeout_ms: 200')
  expect(code).toBe('TIMEOUT')
  expect(tookMs).toBeLessThan(10_000)
})

test('a call that names its time has that', async () => {
  const { code, tookMs } = await callHanging('timeout_ms: 60000', '?timeout_ms=200')
  expect(code).toBe('TIMEOUT')
  expect(tookMs).toBeLessThan(10_000)
})
