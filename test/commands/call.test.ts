import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import { createSandbox, type Sandbox } from '../../sandbox/index.ts'
import { githubEnv } from '../support/github.ts'
import { runHere } from './support/run-here.ts'
import { serve, signalbox, temporaryDirectory } from './support/signalbox.ts'

// Each test starts whole processes, which are slow on a busy machine.
vi.setConfig({ testTimeout: 120_000 })

const REPOSITORY = { owner: 'octo-org', name: 'hello-world' }
const FIELDS = Object.entries(REPOSITORY).map(([name, value]) => `${name}=${value}`)

let sandbox: Sandbox
beforeAll(async () => {
  sandbox = await createSandbox()
})
afterAll(() => sandbox.close())

const upstream = () => ({
  ...githubEnv(sandbox.url),
})

describe('call prints an envelope', () => {
  test('and exits with 0 when it is ok', async () => {
    // A container sets HOST to an open address, which only a gateway needs keys for.
    const env = { ...upstream(), HOST: '0.0.0.0' }
    const { code, stdout } = await signalbox(['call', 'repo.view', ...FIELDS], env)
    expect(JSON.parse(stdout)).toMatchObject({ ok: true, data: { name: 'hello-world' } })
    expect(code).toBe(0)
  })

  test('and exits with 1 when the upstream refuses', async () => {
    const args = ['call', 'repo.view', 'owner=octo-org', 'name=nowhere', '--route', 'rest']
    const { code, stdout } = await runHere(args, upstream())
    expect(JSON.parse(stdout)).toMatchObject({ ok: false, error: { code: 'NOT_FOUND' } })
    expect(code).toBe(1)
  })

  test.for([
    { name: 'a field that the card lacks', words: [...FIELDS, 'colour=red'] },
    { name: 'a word without a value', words: ['octo-org'] },
  ])('and exits with 1 for $name, without sending anything', async ({ words }) => {
    const { code, stdout } = await runHere(['call', 'repo.view', ...words], upstream())
    const envelope = JSON.parse(stdout)
    expect(envelope).toMatchObject({
      ok: false,
      error: { code: 'VALIDATION', next: { action: 'fix_input' } },
    })
    expect(envelope.meta.attempts).toEqual([])
    expect(code).toBe(1)
  })
})

const UNREAD = [
  ['a word without a value', ['repo.view', 'octo-org'], 'VALIDATION', ['body']],
  ['a capability that does not exist', ['repo.veiw', ...FIELDS], 'NOT_FOUND', ['capability']],
  ['an empty reason', ['repo.view', ...FIELDS, '--reason', ''], 'VALIDATION', ['reason']],
  ['an unknown field', ['repo.view', ...FIELDS, '--fields', 'nmae'], 'VALIDATION', ['fields']],
] as const

test.each(UNREAD)(
  'call answers %s in the chosen dialect, and names what to change',
  async (_what, words, code, fields) => {
    const args = ['call', ...words, '--profile', 'compact']
    const { code: exit, stdout } = await runHere(args, upstream())
    expect(JSON.parse(stdout)).toMatchObject({
      err: { code, next: { action: 'fix_input', fields } },
    })
    expect(exit).toBe(1)
  },
)

test('call answers an unknown dialect in the default one', async () => {
  const args = ['call', 'repo.view', ...FIELDS, '--profile', 'nope']
  const { code, stdout } = await runHere(args, upstream())
  expect(JSON.parse(stdout)).toMatchObject({ ok: false, error: { next: { fields: ['profile'] } } })
  expect(code).toBe(1)
})

test.each(['call', 'batch'])('%s takes no deadline of 0, which HTTP refuses too', async command => {
  const { code, stderr } = await signalbox([command, 'repo.view', '--timeout-ms', '0'], upstream())
  expect(stderr).toContain('must be 1 or more')
  expect(code).toBe(1)
})

test('call prints the chosen members, within the budget', async () => {
  const args = ['call', 'issue.list', ...FIELDS, '--fields', 'items.url,pageInfo']
  const { stdout } = await runHere([...args, '--token-budget', '500'], upstream())
  const { data, meta } = JSON.parse(stdout)
  expect(Object.keys(data.items[0])).toEqual(['url'])
  expect(meta.warnings).toMatchObject([{ code: 'TRUNCATED' }])
})

test('calls with one idempotency key write once, and answer in the chosen dialect', async () => {
  await using directory = await temporaryDirectory()
  const env = { ...upstream(), SIGNALBOX_JOURNAL: join(directory.path, 'journal.sqlite') }
  const args = ['call', 'issue.create', ...FIELDS, 'title=From a script']
  const once = [...args, '--idempotency-key', 'nightly-1', '--profile', 'compact']
  const [first, second] = [await signalbox(once, env), await signalbox(once, env)]
  expect([first.code, second.code]).toEqual([0, 0])
  expect(JSON.parse(second.stdout)).not.toHaveProperty('meta.attempts')
  const { items } = sandbox.store.repositories.find('octo-org', 'hello-world') ?? {}
  const made = [...(items?.values() ?? [])].filter(({ title }) => title === 'From a script')
  expect(made).toHaveLength(1)
})

test('SIGTERM lets a running call finish, and serve exits with 0', async () => {
  await using gateway = await serve(upstream())
  sandbox.log.clear()
  sandbox.faults.set([{ on: { route: 'rest' }, do: { delay_ms: 1500 }, times: 1 }])
  const running = fetch(`${gateway.url}/v1/capabilities/repo.view?route=rest`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(REPOSITORY),
  })
  await expect.poll(() => sandbox.log.rows().length, { timeout: 10_000 }).toBeGreaterThan(0)
  const code = await gateway.stop()
  const answer = await running
  expect(await answer.json()).toMatchObject({ ok: true, meta: { route_used: 'rest' } })
  // An open connection would delay the close until it times out.
  expect(answer.headers.get('connection')).toBe('close')
  expect(code).toBe(0)
})
