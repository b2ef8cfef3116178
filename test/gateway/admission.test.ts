import { setTimeout as delay } from 'node:timers/promises'
import { describe, expect, test } from 'vitest'
import { PROFILE_NAMES } from '../../src/model/profile-name.ts'
import { startTestGateway, type TestGateway } from '../support/gateway.ts'
import { until } from '../support/until.ts'

const REPOSITORY = { owner: 'octo-org', name: 'hello-world' }
const MOST = 3

const post = (path: string, body: unknown) => ({
  path,
  init: {
    method: 'POST',
    headers: { 'content-type': 'application/json', accept: 'application/json, text/event-stream' },
    body: JSON.stringify(body),
  },
})

const CALLS = {
  'a read': post('/v1/capabilities/repo.view', REPOSITORY),
  'a change': post('/v1/capabilities/issue.create', { ...REPOSITORY, title: 'Too many' }),
  'a batch': post('/v1/batch', { calls: [{ capability: 'repo.view', input: REPOSITORY }] }),
  'a tool of MCP': post('/mcp', {
    jsonrpc: '2.0',
    id: 1,
    method: 'tools/call',
    params: { name: 'call', arguments: { capability: 'repo.view', input: REPOSITORY } },
  }),
}

const ALWAYS = [
  '/livez',
  '/readyz',
  '/metrics',
  '/v1/requests',
  '/v1/upstreams',
  '/v1/capabilities',
  '/inspector',
]

async function expectRefusals({ url }: TestGateway): Promise<void> {
  for (const { path, init } of Object.values(CALLS)) {
    const response = await fetch(`${url}${path}`, init)
    expect([path, response.status, response.headers.get('retry-after')]).toEqual([path, 503, '1'])
    const { error } = (await response.json()) as { error: unknown }
    expect(error).toMatchObject({
      code: 'SERVER',
      retryable: true,
      source: 'gateway',
      next: { action: 'wait', after_ms: 1000 },
    })
  }
}

async function expectAnswers({ url }: TestGateway): Promise<void> {
  for (const path of ALWAYS) {
    const { status } = await fetch(`${url}${path}`)
    expect([path, status]).toEqual([path, 200])
  }
}

describe('a gateway that runs as many calls as it may', () => {
  test('refuses further ones at every door, answers everything else, and takes calls again', async () => {
    await using gateway = await startTestGateway({ settings: { max_calls: MOST } })
    gateway.sandbox.faults.set([{ on: { route: 'rest' }, do: { hang: true }, times: MOST }])
    const leaving = new AbortController()
    const hanging = Array.from({ length: MOST }, (_, n) =>
      gateway.call(
        'issue.view',
        { ...REPOSITORY, issueNumber: n + 1 },
        { signal: leaving.signal, query: { route: 'rest' } },
      ),
    )
    await until(
      () => gateway.engine.journal.running(),
      running => running === MOST,
    )
    await expectRefusals(gateway)
    await expectAnswers(gateway)
    // The gateway checks at its end that /openapi.json describes these.
    for (const profile of PROFILE_NAMES) {
      const { path, init } = CALLS['a tool of MCP']
      const response = await fetch(`${gateway.url}${path}?profile=${profile}`, init)
      await response.text()
      expect([profile, response.status]).toEqual([profile, 503])
    }
    leaving.abort()
    await Promise.allSettled(hanging)
    await until(
      () => gateway.engine.journal.running(),
      running => running === 0,
    )
    for (const { path, init } of Object.values(CALLS)) {
      const response = await fetch(`${gateway.url}${path}`, init)
      await response.text()
      expect([path, response.status]).toEqual([path, 200])
    }
  })
})

test('a gateway whose event loop was blocked once refuses nothing', async () => {
  await using gateway = await startTestGateway({ settings: { max_event_loop_lag_ms: 400 } })
  const end = performance.now() + 1500
  while (performance.now() < end);
  const answers = await Promise.all(
    Array.from({ length: 13 }, async (_, n) => {
      await delay(n * 100)
      return (await gateway.call('repo.view', REPOSITORY)).status
    }),
  )
  expect(new Set(answers)).toEqual(new Set([200]))
})

test('a gateway whose event loop is busy refuses calls and answers everything else', async () => {
  await using gateway = await startTestGateway({ settings: { max_event_loop_lag_ms: 25 } })
  const stopped = new AbortController()
  const busy = blockLoop(stopped.signal)
  const { path, init } = CALLS['a read']
  const statusOf = async () => (await fetch(`${gateway.url}${path}`, init)).status
  expect(await until(statusOf, status => status !== 200)).toBe(503)
  await expectRefusals(gateway)
  await expectAnswers(gateway)
  stopped.abort()
  await busy
  expect(await until(statusOf, status => status !== 503)).toBe(200)
})

/** Blocks the event loop of this process, which the gateway shares, most of the time. */
async function blockLoop(signal: AbortSignal): Promise<void> {
  while (!signal.aborted) {
    const end = performance.now() + 80
    while (performance.now() < end);
    await delay(1)
  }
}
