import { cp, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, expect, onTestFinished, test, vi } from 'vitest'
import { createSandbox, type Sandbox } from '../../sandbox/index.ts'
import { githubEnv } from '../support/github.ts'
import { startService } from '../support/service.ts'
import { type Running, serve, signalbox, temporaryDirectory } from './support/signalbox.ts'

// The tests start whole processes, which is slow on a busy machine.
vi.setConfig({ testTimeout: 120_000, hookTimeout: 120_000 })

const PACK = fileURLToPath(new URL('../fixtures/capabilities/inventory', import.meta.url))
const KEYS = [
  { name: 'agent', secret: 'agent-secret-0123456789' },
  { name: 'op', secret: 'operator-secret-0123456789', operator: true },
]
const REPOSITORY = { owner: 'octo-org', name: 'hello-world' }

let directory: Awaited<ReturnType<typeof temporaryDirectory>>
let sandbox: Sandbox
let gateway: Running
/** The settings of the gateway, with its address. */
let settings: Record<string, string>
let card = ''

beforeAll(async () => {
  directory = await temporaryDirectory()
  sandbox = await createSandbox()
  const pack = join(directory.path, 'pack')
  await cp(PACK, pack, { recursive: true })
  card = join(pack, 'part.view.yaml')
  const config = join(directory.path, 'signalbox.yaml')
  await writeFile(config, JSON.stringify({ keys: KEYS }))
  const env = { ...githubEnv(sandbox.url), INVENTORY_URL: 'http://127.0.0.1:1' }
  const named = { ...env, SIGNALBOX_CONFIG: config, SIGNALBOX_CAPABILITIES: pack, PATH: '' }
  gateway = await serve(named)
  settings = { SIGNALBOX_CONFIG: config, PORT: new URL(gateway.url).port }
})
afterAll(async () => {
  await gateway[Symbol.asyncDispose]()
  await sandbox.close()
  await directory[Symbol.asyncDispose]()
})

async function call(id: string, input: object): Promise<void> {
  await fetch(`${gateway.url}/v1/capabilities/${id}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', authorization: `Bearer ${KEYS[0]?.secret}` },
    body: JSON.stringify(input),
  })
}

test('status shows a gateway on one screen, and exits with 0', async () => {
  await call('repo.view', REPOSITORY)
  await call('repo.view', { ...REPOSITORY, name: 'nothing' })
  const { code, stdout, stderr } = await signalbox(['status'], settings)
  expect({ code, stderr }).toEqual({ code: 0, stderr: '' })
  expect(stdout).toMatch(
    /^ready +http:\/\/127\.0\.0\.1:\d+, version \S+, up .*, 0 calls in flight$/m,
  )
  expect(stdout).toMatch(/^journal +ok, \d+ records? waiting, 0 lost$/m)
  expect(stdout).toMatch(/^approvals +0 waiting$/m)
  expect(stdout).toMatch(/^github +rest +closed +- +0 of \d+ +0$/m)
  expect(stdout).toMatch(/^github:core +github:default +\d+ of 5000 +\d+ min/m)
  expect(stdout).toMatch(/^github:default +works/m)
  expect(stdout).toMatch(/^\S+Z +01\S+ +repo\.view +NOT_FOUND +agent$/m)
  expect(stdout).not.toContain('secret')
})

test('status prints the same as JSON', async () => {
  const { stdout } = await signalbox(['status', '--json'], settings)
  expect(JSON.parse(stdout)).toMatchObject({
    url: gateway.url,
    ready: true,
    status: 'ready',
    version: expect.any(String),
    uptime_ms: expect.any(Number),
    calls_in_flight: 0,
    journal: { ok: true, dropped: 0 },
    approvals_waiting: 0,
    upstreams: expect.arrayContaining([expect.objectContaining({ id: 'github' })]),
  })
})

test('status shows a key that is no operator what it may see', async () => {
  const { code, stdout } = await signalbox(['status', '--key', 'agent', '--json'], settings)
  expect(code).toBe(0)
  expect(JSON.parse(stdout)).toMatchObject({ ready: true, version: null, approvals_waiting: null })
})

test('status exits with 1 for a gateway that is not ready', async () => {
  const message = 'The gateway is shutting down.'
  const service = await startService((_request, response) => {
    response.writeHead(503, { 'content-type': 'application/json' })
    response.end(JSON.stringify({ ok: false, data: null, error: { code: 'SERVER', message } }))
  })
  const args = ['status', '--url', service.url]
  const found = await signalbox(args)
  expect(found).toMatchObject({ code: 1, stdout: expect.stringContaining(message) })
  expect(found.stdout).toMatch(/^approvals +unknown$/m)
  const json = await signalbox([...args, '--json'])
  expect(JSON.parse(json.stdout)).toMatchObject({ ready: false, status: message })
})

test.each([
  [['--url', 'http://127.0.0.1:2'], /no gateway answers at http:\/\/127\.0\.0\.1:2: ECONNREFUSED/],
  [['--url', 'nowhere'], /--url nowhere is no address/],
  [['--key', 'nobody'], /--key "nobody" is not among the gateway keys: agent, op/],
  [['--key-file', '/nowhere'], /--key-file \/nowhere cannot be read \(ENOENT\)/],
])('status with %j exits with 1 and says why', async (args, message) => {
  const { code, stdout, stderr } = await signalbox(['status', ...args], settings)
  expect({ code, stdout, stderr }).toEqual({
    code: 1,
    stdout: '',
    stderr: expect.stringMatching(message),
  })
})

test('a command sends no secret of the settings to another address unless the key is named', async () => {
  const service = await startService((_request, response) => void response.end('{}'))
  const ask = (...args: string[]) => signalbox(['status', '--url', service.url, ...args], settings)
  await ask()
  const sent = () => service.received.map(({ headers }) => headers.authorization)
  expect(new Set(sent())).toEqual(new Set([undefined]))
  const file = join(directory.path, 'secret')
  await writeFile(file, 'secret-of-a-file\n')
  await ask('--key-file', file)
  expect(sent()).toContain('Bearer secret-of-a-file')
  await ask('--key', 'op')
  expect(sent()).toContain(`Bearer ${KEYS[1]?.secret}`)
})

test('upstreams reset and cards reload do it at a running gateway', async () => {
  const reset = await signalbox(['upstreams', 'reset', 'github', '--quota'], settings)
  expect(reset.code).toBe(0)
  expect(JSON.parse(reset.stdout)).toMatchObject({ upstream: 'github', circuits: [] })
  const unknown = await signalbox(['upstreams', 'reset', 'no/such'], settings)
  expect(unknown).toMatchObject({
    code: 1,
    stderr: expect.stringMatching(/NOT_FOUND: .*"no\/such"/),
  })
  const refused = await signalbox(['cards', 'reload', '--key', 'agent'], settings)
  expect(refused).toMatchObject({ code: 1, stderr: expect.stringContaining('FORBIDDEN') })

  const reloaded = await signalbox(['cards', 'reload'], settings)
  expect(JSON.parse(reloaded.stdout)).toMatchObject({ capabilities: expect.any(Number) })
  const source = await readFile(card, 'utf8')
  onTestFinished(() => writeFile(card, source))
  await writeFile(card, `${source}\ncolour: red\n`)
  const faulty = await signalbox(['cards', 'reload'], settings)
  expect(faulty).toMatchObject({
    code: 1,
    stdout: '',
    stderr: expect.stringMatching(/VALIDATION: .*part\.view\.yaml:\d+: colour/),
  })
})
