import { afterAll, beforeAll, expect, test } from 'vitest'
import { startTestGateway, type TestGateway } from '../support/gateway.ts'

let gateway: TestGateway
let text: string
let type: string | null
beforeAll(async () => {
  gateway = await startTestGateway()
  const repository = { owner: 'octo-org', name: 'hello-world' }
  await gateway.call('repo.view', repository)
  gateway.sandbox.faults.set([{ on: { route: 'rest' }, do: { status: 503 }, times: 1 }])
  await gateway.call('repo.view', repository)
  await gateway.call('repo.view', { owner: 'octo-org' })
  await gateway.call(`no.such.${'x'.repeat(20)}`, {})
  const response = await fetch(`${gateway.url}/metrics`)
  type = response.headers.get('content-type')
  text = await response.text()
})
afterAll(() => gateway[Symbol.asyncDispose]())

test.each([
  ['signalbox_requests_total{capability="repo.view",code="ok",route="rest"} 1'],
  ['signalbox_requests_total{capability="repo.view",code="ok",route="graphql"} 1'],
  ['signalbox_requests_total{capability="repo.view",code="VALIDATION",route="none"} 1'],
  ['signalbox_attempt_duration_seconds_count{upstream="github",route="rest",outcome="SERVER"} 1'],
  ['signalbox_breaker_state{upstream="github",route="graphql"} 0'],
  ['signalbox_journal_dropped_records_total 0'],
  ['signalbox_journal_healthy 1'],
])('include %s', line => {
  expect(text.split('\n')).toContain(line)
})

test('include the remaining quota', () => {
  expect(text).toMatch(/signalbox_quota_remaining\{pool="github:core"\} \d+/)
})

test('are in the text format of Prometheus', () => {
  expect(type).toMatch(/^text\/plain; version=/)
})

test('include the process', () => {
  expect(text).toMatch(/process_resident_memory_bytes \d+/)
})

test('take no label from a caller', () => {
  expect(text).not.toContain('no.such')
  expect(text).toContain(
    'signalbox_requests_total{capability="none",code="NOT_FOUND",route="none"} 1',
  )
})
