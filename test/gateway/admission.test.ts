import { setTimeout as delay } from 'node:timers/promises'
import { describe, expect, test } from 'vitest'
import { PROFILE_NAMES } from '../../src/model/profile-name.ts'
import { startTestGateway, type TestGateway } from '../support/gateway.ts'
import { until } from '../support/until.ts'

const REPOSITORY = { owner: 'octo-org', name: 'hello-world' }
const MOST = 3

interface LogLine {
  readonly code?: string
  readonly capability?: string
}

const post = (path: string, body: unknown) => ({
  path,
  init: {
    method: 'POST',
    headers: { 'content-type': 'application/json', accept: 'application/json, text/event-stream' },
    body: JSON.stringify(body),
  },
})

const NEW_ISSUE = { ...REPOSITORY, title: 'Too many' }

const tool = (name: string, args: unknown) =>
  post('/mcp', {
    jsonrpc: '2.0',
    id: 7,
    method: 'tools/call',
    params: { name, arguments: args },
  })

interface Refused {
  readonly path: string
  readonly init: RequestInit
  /** Whether the call would have changed something. */
  readonly changes: boolean
  /** The capabilities of its calls. */
  readonly calls: readonly string[]
}

const BATCH = {
  calls: [
    { id: 'see', capability: 'repo.view', input: REPOSITORY },
    { capability: 'issue.create', input: NEW_ISSUE },
  ],
}
const READ = { changes: false, calls: ['repo.view'] }
const CHANGE = { changes: true, calls: ['issue.create'] }
const BOTH = { changes: true, calls: ['repo.view', 'issue.create'] }

const CALLS: Readonly<Record<string, Refused>> = {
  'a read': { ...post('/v1/capabilities/repo.view', REPOSITORY), ...READ },
  'a change': { ...post('/v1/capabilities/issue.create', NEW_ISSUE), ...CHANGE },
  'a batch': { ...post('/v1/batch', BATCH), ...BOTH },
  'a tool of MCP': { ...tool('call', { capability: 'repo.view', input: REPOSITORY }), ...READ },
  'a tool of MCP that changes': {
    ...tool('call', { capability: 'issue.create', input: NEW_ISSUE }),
    ...CHANGE,
  },
  'the tool batch of MCP': { ...tool('batch', BATCH), ...BOTH },
}

/** Messages that make no call. */
const MESSAGES = ['initialize', 'tools/list', 'ping'].map(method =>
  post('/mcp', {
    jsonrpc: '2.0',
    id: 7,
    method,
    params:
      method === 'initialize'
        ? {
            protocolVersion: '2025-06-18',
            capabilities: {},
            clientInfo: { name: 'test', version: '1' },
          }
        : {},
  }),
)

const ALWAYS = [
  '/livez',
  '/readyz',
  '/metrics',
  '/v1/requests',
  '/v1/upstreams',
  '/v1/capabilities',
  '/inspector',
]

async function expectRefusals(gateway: TestGateway): Promise<void> {
  for (const [name, call] of Object.entries(CALLS)) {
    const error = await refusalOf(gateway, call, 'default')
    expect([name, error]).toMatchObject([
      name,
      {
        code: 'SERVER',
        retryable: true,
        source: 'gateway',
        write_outcome: call.changes ? 'not_applied' : null,
        hint_id: 'hint_server_002',
        next: { action: 'wait', after_ms: 1000 },
      },
    ])
  }
}

/** The `error` of a refusal, which a client of MCP finds in the result of the tool. */
async function refusalOf(
  { url }: TestGateway,
  { path, init }: Refused,
  profile: string,
): Promise<unknown> {
  const response = await fetch(`${url}${path}?profile=${profile}`, init)
  if (path !== '/mcp') {
    expect([path, response.status, response.headers.get('retry-after')]).toEqual([path, 503, '1'])
    return errorIn((await response.json()) as Readonly<Record<string, unknown>>)
  }
  expect(response.status).toBe(200)
  const message = await messageIn(response)
  expect(message).toMatchObject({ jsonrpc: '2.0', id: 7, result: { isError: true } })
  return errorIn(JSON.parse(message.result.content[0].text))
}

/** Some dialects have no member around the error. */
function errorIn(body: Readonly<Record<string, unknown>>): unknown {
  return body.error ?? body
}

async function messageIn(response: Response) {
  const text = await response.text()
  const line = text.split('\n').find(one => one.startsWith('data: {'))
  return JSON.parse(line?.slice('data: '.length) ?? text)
}

async function expectAnswers({ url }: TestGateway): Promise<void> {
  for (const path of ALWAYS) {
    const { status } = await fetch(`${url}${path}`)
    expect([path, status]).toEqual([path, 200])
  }
  for (const { path, init } of MESSAGES) {
    const response = await fetch(`${url}${path}`, init)
    expect(response.status).toBe(200)
    expect(await messageIn(response)).toMatchObject({ jsonrpc: '2.0', id: 7, result: {} })
  }
}

/** Each refused call has one record, one line of the log and one count, all with its capability. */
async function expectRecords(gateway: TestGateway, lines: readonly LogLine[]): Promise<void> {
  const wanted = Object.values(CALLS)
    .flatMap(({ calls }) => calls)
    .toSorted()
  const rows = await until(
    async () => (await gateway.engine.journal.requests({ code: 'SERVER' }, { limit: 200 })).items,
    found => found.length >= wanted.length,
  )
  expect(rows.map(row => String(row.capability_id)).toSorted()).toEqual(wanted)
  const logged = lines.filter(line => line.code === 'SERVER' && line.capability !== undefined)
  expect(logged.map(line => String(line.capability)).toSorted()).toEqual(wanted)
  const metrics = await (await fetch(`${gateway.url}/metrics`)).text()
  for (const capability of new Set(wanted)) {
    const count = wanted.filter(one => one === capability).length
    const requests = `signalbox_requests_total{capability="${capability}",code="SERVER",route="none"}`
    const refused = `signalbox_refused_total{capability="${capability}",reason="calls"}`
    expect(metrics).toContain(`${requests} ${count}\n`)
    expect(metrics).toContain(`${refused} ${count}\n`)
  }
  expect(metrics).not.toMatch(/requests_total\{capability="none"/)
}

describe('a gateway that runs as many calls as it may', () => {
  test('refuses further ones at every door, answers everything else, and takes calls again', async () => {
    const lines: LogLine[] = []
    await using gateway = await startTestGateway({
      settings: { max_calls: MOST },
      onLog: line => lines.push(line as LogLine),
    })
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
    await expectRecords(gateway, lines)
    await expectAnswers(gateway)
    // The gateway checks at its end that /openapi.json describes these.
    for (const profile of PROFILE_NAMES) {
      for (const call of Object.values(CALLS)) {
        const told = JSON.stringify(await refusalOf(gateway, call, profile))
        expect(told).not.toContain('before you retry a write')
      }
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
  const { path, init } = CALLS['a read'] as Refused
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
