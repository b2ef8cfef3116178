import { rename, writeFile } from 'node:fs/promises'
import type { ServerResponse } from 'node:http'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { afterAll, beforeAll, beforeEach, expect, test, vi } from 'vitest'
import { createSandbox, type Sandbox } from '../../sandbox/index.ts'
import { signalbox, temporaryDirectory } from '../commands/support/signalbox.ts'
import { githubEnv } from '../support/github.ts'
import { writePack } from '../support/packs.ts'
import { openService, type Service, sendJson } from '../support/service.ts'
import {
  type Answer,
  REPOSITORY,
  type Sending,
  send,
  startWorkers,
  type Workers,
  watch,
} from './support/workers.ts'

// Each worker takes more than a second of a core to start.
vi.setConfig({ testTimeout: 300_000, hookTimeout: 300_000 })
const PATIENCE = { timeout: 120_000 }
/** So many connections reach every worker, in all likelihood. */
const MANY = 24

const secretOf = (name: string) => `${name}-secret-0123456789`
const key = (name: string, more: object = {}) => ({ name, secret: secretOf(name), ...more })
const OPS = key('ops', { operator: true })
const KEYS = [
  OPS,
  key('agent'),
  key('eight', { concurrency: 8 }),
  key('slow', { requests_per_minute: 10 }),
  key('asks', { approve: ['write:*'] }),
]

const open = new AsyncDisposableStack()
let sandbox: Sandbox
let service: Service
/** One for all tests; the last one takes its keys. */
let gateway: Workers
let settings: string
beforeAll(async () => {
  sandbox = open.use(await createSandbox())
  service = open.use(await openService(answerSlowly))
  const { path } = open.use(await temporaryDirectory())
  await writeFile(join(path, 'upstream.yaml'), upstreamAt(service.url))
  await writeFile(join(path, 'thing.read.yaml'), CARD)
  settings = open.use(await temporaryDirectory()).path
  await writeKeys(KEYS)
  gateway = open.use(
    await startWorkers(4, {
      ...githubEnv(sandbox.url),
      SIGNALBOX_CONFIG: join(settings, 'signalbox.yaml'),
      SIGNALBOX_CAPABILITIES: path,
    }),
  )
})
beforeEach(() => sandbox.reset())
afterAll(() => open.disposeAsync())

async function writeKeys(keys: readonly object[]): Promise<void> {
  const file = join(settings, 'signalbox.yaml')
  await writeFile(`${file}.new`, JSON.stringify({ keys }))
  await rename(`${file}.new`, file)
}

function ask(name: string, sending: Sending): Promise<Answer> {
  const headers = { authorization: `Bearer ${secretOf(name)}`, ...sending.headers }
  return send(gateway, { ...sending, headers })
}

function call(name: string, id: string, input: object, route = '?route=rest'): Promise<Answer> {
  return ask(name, { path: `/v1/capabilities/${id}${route}`, body: input })
}

const times = <T>(count: number, make: (at: number) => Promise<T>): Promise<T[]> =>
  Promise.all(Array.from({ length: count }, (_, at) => make(at)))

const upstreamAt = (url: string) =>
  `id: thing\ndescription: Makes things.\nrest: { base_url: "${url}" }\n`

const CARD = `
id: thing.read
version: 1.0.0
description: Read a thing, slowly.
effect: read
input: { type: object, required: [n], additionalProperties: false, properties: { n: { type: integer } } }
output: { type: object, required: [made], properties: { made: { type: boolean } } }
prefer: [rest]
routes: { rest: { method: GET, path: "/things/{n}", result: "{made: body.made}" } }
`

let running = 0
/** The most requests that the service has had at once. */
let most = 0

async function answerSlowly(_request: unknown, response: ServerResponse): Promise<void> {
  most = Math.max(most, ++running)
  await delay(300)
  running--
  sendJson(response, { made: true })
}

test('a key with eight calls at once never has more in the service', async () => {
  const answers: Answer[] = []
  for (let round = 0; round < 5; round++)
    answers.push(...(await times(MANY, at => call('eight', 'thing.read', { n: 100 * round + at }))))
  const refused = answers.filter(({ status }) => status === 429)
  expect(most).toBeLessThanOrEqual(8)
  expect(refused.length).toBeGreaterThan(0)
  expect(service.received).toHaveLength(answers.length - refused.length)
  expect(answers.filter(({ status }) => status !== 200 && status !== 429)).toEqual([])
})

/** The reasons for which calls on many connections skip the route rest. */
async function skips(call: () => Promise<Answer>): Promise<ReadonlySet<string | undefined>> {
  const answers = await times(MANY, call)
  return new Set(
    answers.map(({ body }) => {
      const attempts = body.meta.attempts ?? []
      return attempts.find(({ route }) => route === 'rest')?.reason
    }),
  )
}

/** Makes all workers forget the circuits and quotas of GitHub. */
async function forget(): Promise<void> {
  sandbox.faults.clear()
  await ask('ops', { path: '/v1/upstreams/github/reset', body: {} })
  const isForgotten = async () => await skips(() => call('agent', 'repo.view', REPOSITORY, ''))
  await expect.poll(isForgotten, PATIENCE).toEqual(new Set([undefined]))
}

test('a rate and a circuit are those of all workers', async () => {
  const slow = await times(MANY, () => call('slow', 'repo.view', REPOSITORY))
  expect(slow.filter(({ status }) => status === 200)).toHaveLength(10)

  const isOpen = async () => {
    const { body } = await ask('ops', { path: '/v1/upstreams' })
    const [github] = body.data.items as unknown as {
      routes: { route: string; breaker: { state: string } }[]
    }[]
    return github?.routes.find(({ route }) => route === 'rest')?.breaker.state === 'open'
  }
  sandbox.faults.set([{ on: { route: 'rest' }, do: { status: 500 }, times: 1000 }])
  for (let n = 0; n < 60 && !(await isOpen()); n++) await call('agent', 'repo.view', REPOSITORY)
  const seen = await skips(() => call('agent', 'repo.view', REPOSITORY, ''))
  expect(seen).toEqual(new Set(['CIRCUIT_OPEN']))
  await forget()
})

test('a quota that one worker has found used up is avoided by all', async () => {
  sandbox.faults.set([{ on: { route: 'rest' }, do: { rate_limit: 'primary' }, times: 1 }])
  await call('agent', 'repo.view', REPOSITORY)
  const seen = await skips(() => call('agent', 'repo.view', REPOSITORY, ''))
  expect(seen).toEqual(new Set(['QUOTA_EXHAUSTED']))
  await forget()
})

test('a client of MCP cancels its call through any worker', async () => {
  const message = (body: object) =>
    ask('agent', {
      path: '/mcp',
      body: { jsonrpc: '2.0', ...body },
      headers: { 'mcp-session-id': 'one', accept: 'application/json, text/event-stream' },
    })
  const argument = { name: 'call', arguments: { capability: 'viewer.view' } }
  for (let round = 0; round < 6; round++) {
    sandbox.reset()
    sandbox.faults.set([{ on: {}, do: { delay_ms: 200_000 }, times: 1 }])
    const called = message({ id: round, method: 'tools/call', params: argument }).catch(() => null)
    await expect.poll(() => sandbox.log.rows().length, PATIENCE).toBe(1)
    await message({ method: 'notifications/cancelled', params: { requestId: round } })
    await called
    sandbox.faults.clear()
  }
  const { body } = await ask('ops', { path: '/v1/requests?code=CANCELLED' })
  expect(body.data.items).toHaveLength(6)
})

/** The calls of all workers since they began. */
async function countedRequests(): Promise<number> {
  const { body } = await ask('ops', { path: '/metrics' })
  const lines = (body as unknown as string)
    .split('\n')
    .filter(line => line.startsWith('signalbox_requests_total'))
  return lines.reduce((sum, line) => sum + Number(line.split(' ').at(-1)), 0)
}

test('a reload takes a key from all workers, and every endpoint answers for all of them', async () => {
  const before = await countedRequests()
  const counted = async () => (await countedRequests()) - before
  const rows = await watch(gateway.url, secretOf('ops'))
  await times(MANY, () => call('agent', 'repo.view', REPOSITORY))
  await expect.poll(() => rows().length, PATIENCE).toBe(MANY)

  await expect.poll(counted, PATIENCE).toBe(MANY)
  const ready = await times(MANY, () => ask('ops', { path: '/readyz' }))
  expect(new Set(ready.map(({ body }) => body.data.status))).toEqual(new Set(['ready']))

  await call('asks', 'issue.create', { ...REPOSITORY, title: 'To be approved' })
  const lists = await times(MANY, () => ask('ops', { path: '/v1/approvals?status=waiting' }))
  expect(lists.map(({ body }) => body.data.items?.length)).toEqual(lists.map(() => 1))

  await writeKeys([OPS])
  gateway.signal('SIGHUP')
  const isRefused = async () => {
    const answers = await times(MANY, () => ask('agent', { path: '/v1/profiles' }))
    return answers.every(({ status }) => status === 401)
  }
  await expect.poll(isRefused, PATIENCE).toBe(true)
  const removals = async () => {
    const { body } = await ask('ops', { path: '/v1/audit?action=key.removed&subject=agent' })
    return body.data.items?.length
  }
  await expect.poll(removals, PATIENCE).toBe(1)
  await expect.poll(counted, PATIENCE).toBe(MANY + 1)
  const [[, pid] = []] = gateway.pids()
  process.kill(Number(pid), 'SIGKILL')
  expect(await counted()).toBe(MANY + 1)
})

test.each([
  ['a journal in memory', { SIGNALBOX_JOURNAL: ':memory:' }, 'workers need a journal'],
  ['a number that is none', { SIGNALBOX_WORKERS: 'many' }, 'SIGNALBOX_WORKERS is not usable'],
])('workers refuse %s', async (_name, env, message) => {
  const { code, stderr } = await signalbox(['serve', '--port', '0'], {
    SIGNALBOX_WORKERS: '2',
    ...env,
  })
  expect(code).toBe(1)
  expect(stderr).toContain(message)
})

test('workers refuse a limit that they cannot divide', async () => {
  const pack = await writePack({
    'upstream.yaml':
      'id: thing\ndescription: Makes things.\nrest: { base_url: "http://127.0.0.1:9", connections: 1 }\n',
  })
  const directory = await temporaryDirectory()
  const { code, stderr } = await signalbox(['serve', '--port', '0', '--workers', '2'], {
    SIGNALBOX_CAPABILITIES: pack,
    SIGNALBOX_JOURNAL: join(directory.path, 'journal.sqlite'),
  })
  await directory[Symbol.asyncDispose]()
  expect(code).toBe(1)
  expect(stderr).toContain('2 workers cannot divide 1 among them')
})
