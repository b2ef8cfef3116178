import { spawnSync } from 'node:child_process'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { version } from '../../src/lib/version.ts'
import { startTestGateway, type TestGateway } from '../support/gateway.ts'
import { prometheus } from '../support/parts.ts'
import { post } from '../support/post.ts'
import { until } from '../support/until.ts'

let gateway: TestGateway
let text: string
let type: string | null
beforeAll(async () => {
  gateway = await startTestGateway()
  const repository = { owner: 'octo-org', name: 'hello-world' }
  await gateway.call('repo.view', repository)
  gateway.sandbox.faults.set([{ on: { route: 'rest' }, do: { status: 503 }, times: 1 }])
  await gateway.call('repo.view', repository)
  gateway.sandbox.faults.set([{ on: { route: 'graphql' }, do: { status: 503 }, times: 1 }])
  await gateway.call('repo.view', repository, { query: { route: 'graphql' } })
  await gateway.call('repo.view', { owner: 'octo-org' })
  await gateway.call(`no.such.${'x'.repeat(20)}`, {})
  const response = await fetch(`${gateway.url}/metrics`)
  type = response.headers.get('content-type')
  text = await response.text()
})
afterAll(() => gateway[Symbol.asyncDispose]())

test.each([
  ['signalbox_requests_total{capability="repo.view",code="ok",route="rest"} 1'],
  ['signalbox_requests_total{capability="repo.view",code="ok",route="graphql"} 2'],
  ['signalbox_requests_total{capability="repo.view",code="VALIDATION",route="none"} 1'],
  ['signalbox_attempt_duration_seconds_count{upstream="github",route="rest",outcome="SERVER"} 1'],
  ['signalbox_fallbacks_total{upstream="github",route="rest",reason="SERVER"} 1'],
  ['signalbox_retries_total{upstream="github",route="graphql",reason="SERVER"} 1'],
  [`signalbox_build_info{version="${version}",node="${process.version}"} 1`],
  ['signalbox_refused_total{capability="none",reason="calls"} 0'],
  ['signalbox_requests_in_flight 0'],
  ['signalbox_retry_budget{upstream="github"} 9'],
  ['signalbox_bulkhead_calls{upstream="github",route="rest",state="running"} 0'],
  ['signalbox_bulkhead_waits_total{upstream="github",route="rest"} 0'],
  ['signalbox_bulkhead_refusals_total{upstream="github",route="rest"} 0'],
  ['signalbox_breaker_state{upstream="github",route="graphql"} 0'],
  ['signalbox_journal_dropped_records_total 0'],
  ['signalbox_journal_healthy 1'],
])('include %s', line => {
  expect(text.split('\n')).toContain(line)
})

test('include the remaining quota', () => {
  expect(text).toMatch(
    /signalbox_quota_remaining\{pool="github:core",credential="github:default"\} \d+/,
  )
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

test('include the end of each credential that has one', async () => {
  const { credentialUses } = gateway.engine.state
  const name = 'signalbox_credential_expires_timestamp_seconds'
  expect((await scrape()).filter(line => line.startsWith(name))).toEqual([])
  credentialUses.accept('github:default', { scopes: null, expiresAt: 1_900_000_000_000 }, 0)
  const labels = 'upstream="github",credential="github:default",renewed="false"'
  expect(await scrape()).toContain(`${name}{${labels}} 1900000000`)
})

test('count the calls that wait for a person, until somebody decides', async () => {
  const secret = 'asking-secret-0123456789'
  const operator = 'operator-secret-0123456789'
  await using asked = await startTestGateway({
    settings: {
      keys: [
        { name: 'asking', secret, approve: ['*'] },
        { name: 'op', secret: operator, operator: true },
      ],
    },
  })
  const headers = { authorization: `Bearer ${operator}` }
  const counted = async () => {
    const lines = await (await fetch(`${asked.url}/metrics`, { headers })).text()
    return /^signalbox_approvals_waiting (\d+)$/m.exec(lines)?.[1]
  }
  expect(await counted()).toBe('0')
  const input = { owner: 'octo-org', name: 'hello-world', title: 'Asked for' }
  const { body } = await asked.call('issue.create', input, {
    headers: { authorization: `Bearer ${secret}` },
  })
  expect(await counted()).toBe('1')
  await post(asked, `/v1/approvals/${body.error.next.approval_id}`, { decision: 'refuse' }, headers)
  expect(await counted()).toBe('0')
})

test('count the calls that run', async () => {
  gateway.sandbox.faults.set([{ on: { route: 'rest' }, do: { delay_ms: 60_000 }, times: 1 }])
  const leaving = new AbortController()
  const call = gateway.call(
    'repo.view',
    { owner: 'octo-org', name: 'stargazer' },
    { signal: leaving.signal },
  )
  await until(scrape, lines => lines.includes('signalbox_requests_in_flight 1'))
  expect(await scrape()).toContain(
    'signalbox_bulkhead_calls{upstream="github",route="rest",state="running"} 1',
  )
  leaving.abort()
  await expect(call).rejects.toThrow('aborted')
  await until(scrape, lines => lines.includes('signalbox_requests_in_flight 0'))
})

test.skipIf(!prometheus.available)('pass the linter of Prometheus', async () => {
  const { stdout, stderr, status } = spawnSync('promtool', ['check', 'metrics'], {
    input: (await scrape()).join('\n'),
    encoding: 'utf8',
  })
  expect({ stdout, stderr, status }).toEqual({ stdout: '', stderr: '', status: 0 })
})

async function scrape(): Promise<readonly string[]> {
  return (await (await fetch(`${gateway.url}/metrics`)).text()).split('\n')
}
