import { mkdtempSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test, vi } from 'vitest'
import { createSandbox } from '../../sandbox/index.ts'
import { startGate } from '../support/gate.ts'
import { startTestGateway } from '../support/gateway.ts'

const repo = { owner: 'octo-org', name: 'hello-world' }
const withoutGh = { PATH: mkdtempSync(join(tmpdir(), 'empty-')) }

test('without gh, the CLI route fails and says how to install it', async () => {
  await using gateway = await startTestGateway({ env: withoutGh })
  const { body, status } = await gateway.call('repo.view', repo, { query: { route: 'cli' } })
  expect(status).toBe(501)
  expect(body.error).toMatchObject({
    code: 'ADAPTER_UNSUPPORTED',
    details: { reason: 'CLI_NOT_AVAILABLE' },
  })
  expect(body.error.details.fix).toMatch(/install/i)
  expect(body.meta).toMatchObject({
    reason: 'CLI_NOT_AVAILABLE',
    attempts: [{ route: 'cli', status: 'skipped' }],
  })
})

test('without gh, an unpinned call succeeds and lists the skipped route', async () => {
  await using gateway = await startTestGateway({ env: withoutGh })
  const { body } = await gateway.call('repo.view', repo)
  expect(body.meta.attempts).toMatchObject([
    { route: 'rest', status: 'success' },
    {
      route: 'cli',
      status: 'skipped',
      error_code: 'ADAPTER_UNSUPPORTED',
      reason: 'CLI_NOT_AVAILABLE',
    },
  ])
})

test('without a credential nothing is sent, and the error says how to fix it', async () => {
  await using gateway = await startTestGateway({ env: { GITHUB_TOKEN: undefined } })
  const { body, status } = await gateway.call('repo.view', repo)
  expect(status).toBe(502)
  expect(body.error).toMatchObject({
    code: 'AUTH',
    next: { action: 'reauth' },
    details: { reason: 'NO_CREDENTIAL' },
  })
  expect(body.error.message).toContain('GITHUB_TOKEN')
  expect(gateway.sandbox.log.rows()).toEqual([])
  const own = await gateway.call('repo.view', repo, {
    headers: { 'x-upstream-authorization': 'Bearer sandbox-token' },
  })
  expect(own.body.ok).toBe(true)
})

test('a rejected credential is not tried on the other routes', async () => {
  await using gateway = await startTestGateway({ env: { GITHUB_TOKEN: 'wrong-token-1234' } })
  const { body } = await gateway.call('repo.view', repo)
  expect(body.error.code).toBe('AUTH')
  expect(body.meta.attempts).toMatchObject([
    { route: 'rest', status: 'error' },
    { route: 'graphql', status: 'skipped', reason: 'SHARED_FATE' },
    { route: 'cli', status: 'skipped', reason: 'SHARED_FATE' },
  ])
  expect(JSON.stringify(body)).not.toContain('wrong-token-1234')
})

test('an exhausted quota is remembered, avoided, and reported with the time to wait', async () => {
  await using gateway = await startTestGateway({ env: withoutGh })
  gateway.sandbox.faults.set([{ on: { route: 'rest' }, do: { rate_limit: 'primary' }, times: 1 }])
  expect((await gateway.call('repo.view', repo)).body.meta.route_used).toBe('graphql')
  gateway.sandbox.log.clear()
  const { body } = await gateway.call('repo.view', { ...repo, name: 'secret-plans' })
  expect(body.meta.attempts).toMatchObject([
    { route: 'rest', status: 'skipped', error_code: 'RATE_LIMIT', reason: 'QUOTA_EXHAUSTED' },
    { route: 'graphql', status: 'success' },
    { route: 'cli', status: 'skipped' },
  ])
  expect(gateway.sandbox.log.rows().map(row => row.route)).toEqual(['graphql'])
  const pinned = await gateway.call('repo.view', repo, { query: { route: 'rest' } })
  expect(pinned.status).toBe(429)
  expect(pinned.body.error.retry_after_ms).toBeGreaterThan(0)
  expect(Number(pinned.headers.get('retry-after'))).toBeGreaterThan(0)
})

test('a thousand identical reads are one upstream request; another credential makes its own', async () => {
  await using sandbox = await createSandbox()
  const { accounts, tokens } = sandbox.store
  const user = accounts.findUser('octocat')
  if (!user) throw new Error('the seed has octocat')
  tokens.add({ token: 'second-token', user })
  const gate = await startGate(sandbox.url, 'GET')
  await using gateway = await startTestGateway({ env: { ...withoutGh, GITHUB_API_URL: gate.url } })
  const run = vi.spyOn(gateway.engine.state.inFlight, 'run')
  const calls = Array.from({ length: 1000 }, () => gateway.call('repo.view', repo))
  const other = gateway.call('repo.view', repo, {
    headers: { 'x-upstream-authorization': 'second-token' },
  })
  await expect.poll(() => run.mock.calls.length, { timeout: 60_000 }).toBe(1001)
  gate.open()
  const answers = await Promise.all(calls)
  expect((await other).body.ok).toBe(true)
  expect(answers.filter(({ body }) => body.ok)).toHaveLength(1000)
  expect(answers.filter(({ body }) => body.meta.reason === 'COALESCED')).toHaveLength(999)
  expect(sandbox.log.rows()).toHaveLength(2)
  const again = await gateway.call('repo.view', repo)
  expect(again.body.meta).toMatchObject({
    reason: 'REVALIDATED',
    attempts: [{ upstream_status: 304 }, {}],
  })
  expect(again.body.data).toEqual(answers[0]?.body.data)
}, 120_000)

test('explain shows the plan that a call would follow, and sends nothing', async () => {
  await using gateway = await startTestGateway({ env: withoutGh })
  const response = await fetch(`${gateway.url}/v1/capabilities/repo.view/explain`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(repo),
  })
  const { data } = (await response.json()) as { data: unknown }
  expect(data).toMatchObject({
    capability_id: 'repo.view',
    candidates: [
      { route: 'rest', reason: 'CARD_PREFERRED' },
      { route: 'graphql', reason: 'CARD_FALLBACK' },
    ],
    skipped: [{ route: 'cli', reason: 'CLI_NOT_AVAILABLE' }],
  })
  expect(gateway.sandbox.log.rows()).toEqual([])
  const { body } = await gateway.call('repo.view', repo)
  const kept = await gateway.get(`/v1/requests/${body.meta.request_id}`)
  expect(kept.body.data.plan).toEqual(data)
})

test('a cursor continues on the route that made it, whatever the card prefers', async () => {
  await using gateway = await startTestGateway()
  const { body: first } = await gateway.call(
    'issue.list',
    { ...repo, first: 2 },
    { query: { route: 'graphql' } },
  )
  const next = { ...repo, first: 2, after: first.data.pageInfo.endCursor }
  const { body } = await gateway.call('issue.list', next)
  expect(body.meta.route_used).toBe('graphql')
  const foreign = await gateway.call('issue.list', next, { query: { route: 'rest' } })
  expect(foreign.body.error).toMatchObject({
    code: 'VALIDATION',
    next: { action: 'fix_input', fields: ['after'] },
  })
})
