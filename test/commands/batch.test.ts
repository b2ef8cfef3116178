import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { afterAll, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest'
import { createSandbox, type Sandbox } from '../../sandbox/index.ts'
import { githubEnv } from '../support/github.ts'
import { runHere } from './support/run-here.ts'
import { SIGNALBOX, signalbox, temporaryDirectory } from './support/signalbox.ts'

// Each test starts whole processes, which are slow on a busy machine.
vi.setConfig({ testTimeout: 120_000 })

const repo = { owner: 'octo-org', name: 'hello-world' }
const list = { id: 'list', capability: 'issue.list', input: { ...repo, first: 2 } }
const view = {
  id: 'view',
  capability: 'issue.view',
  for_each: { $from: 'list', path: 'data.items' },
  input: { ...repo, issueNumber: { $item: 'number' } },
}
const create = (title: string, more = {}) => ({
  capability: 'issue.create',
  input: { ...repo, title },
  ...more,
})
const gone = { capability: 'repo.view', input: { ...repo, name: 'nowhere' } }

let sandbox: Sandbox
beforeAll(async () => {
  sandbox = await createSandbox()
})
beforeEach(() => sandbox.reset())
afterAll(() => sandbox.close())

const env = () => ({ ...githubEnv(sandbox.url) })
const applied = () => sandbox.log.rows().filter(row => row.applied).length

/** Runs the program with text on its standard input. */
async function pipe(words: readonly string[], input: string) {
  const child = spawn(process.execPath, [SIGNALBOX, 'batch', ...words], {
    env: { PATH: process.env.PATH, ...env() },
  })
  const ended = once(child, 'exit')
  child.stdin.end(input)
  const [stdout, [code]] = await Promise.all([text(child.stdout), ended])
  return { code, stdout }
}

/** Runs the program with a file. */
async function run(body: unknown, options: readonly string[] = [], more = {}) {
  await using directory = await temporaryDirectory()
  const file = join(directory.path, 'batch.json')
  await writeFile(file, typeof body === 'string' ? body : JSON.stringify(body))
  const { code, stdout } = await runHere(['batch', file, ...options], { ...env(), ...more })
  return { code, envelope: JSON.parse(stdout) }
}

describe('the batch is read', () => {
  test('from a file by the program', async () => {
    await using directory = await temporaryDirectory()
    const file = join(directory.path, 'batch.json')
    await writeFile(file, JSON.stringify({ calls: [list, view] }))
    const { code, stdout } = await signalbox(['batch', file], env())
    const { ok, data, meta } = JSON.parse(stdout)
    expect(code).toBe(0)
    expect({ ok, status: data.status, total: data.total }).toEqual({
      ok: true,
      status: 'success',
      total: 3,
    })
    expect(data.results[2]).toMatchObject({ id: 'view', item: 1, http_status: 200 })
    expect(data.results[2].envelope.meta.batch_id).not.toBe(meta.request_id)
  })

  test.each([['-'], []])('from standard input with the words "%s"', async (...words) => {
    const { code, stdout } = await pipe(words, JSON.stringify({ calls: [list] }))
    expect(JSON.parse(stdout).data).toMatchObject({ status: 'success', total: 1 })
    expect(code).toBe(0)
  })
})

test.each([
  ['text that is no JSON', '{', ['body']],
  ['a batch without calls', { calls: [] }, ['calls']],
  [
    'a reference to no call',
    { calls: [{ capability: 'repo.view', input: { $from: 'x' } }] },
    ['calls.0.input'],
  ],
])('%s is refused in the chosen dialect, with what to change', async (_what, body, fields) => {
  const { code, envelope } = await run(body, ['--profile', 'compact'])
  expect(envelope).toMatchObject({
    err: { code: 'VALIDATION', next: { action: 'fix_input', fields } },
  })
  expect(code).toBe(1)
})

test('the exit code is 1 if a call fails', async () => {
  const { code, envelope } = await run({ calls: [gone, create('One')] })
  expect(envelope).toMatchObject({ ok: true, data: { status: 'partial', succeeded: 1 } })
  expect(code).toBe(1)
})

describe('options', () => {
  test('--stop-on-error begins no call after a failure', async () => {
    const { envelope } = await run({ calls: [gone, create('Never')] }, ['--stop-on-error'])
    expect(envelope.data.results.map((one: { http_status: number }) => one.http_status)).toEqual([
      404, 424,
    ])
    expect(applied()).toBe(0)
  })

  test('--profile holds for each call', async () => {
    const { envelope } = await run({ calls: [list] }, ['--profile', 'compact'])
    expect(envelope.data.results[0].envelope).not.toHaveProperty('meta')
  })

  test('--correlation-id holds for each call', async () => {
    const { envelope } = await run({ calls: [list] }, ['--correlation-id', 'mine'])
    expect(envelope.meta.correlation_id).toBe('mine')
    expect(envelope.data.results[0].envelope.meta.correlation_id).toBe('mine')
  })

  test('--token-budget is for the whole answer', async () => {
    const many = { calls: [{ ...list, input: { ...repo, first: 30 } }] }
    const whole = JSON.stringify((await run(many)).envelope)
    const { envelope } = await run(many, ['--token-budget', '1500'])
    expect(JSON.stringify(envelope).length).toBeLessThan(whole.length / 2)
    const small = await run(many, ['--token-budget', '100'])
    expect(small.envelope.error).toMatchObject({ code: 'VALIDATION' })
    expect(small.code).toBe(1)
  })

  test('--timeout-ms is the time of the whole batch', async () => {
    sandbox.faults.set([{ on: { path: '.*' }, do: { hang: true }, times: 99 }])
    const { code, envelope } = await run({ calls: [list] }, ['--timeout-ms', '300'])
    expect(envelope.data.results[0]).toMatchObject({ http_status: 504 })
    expect(code).toBe(1)
  })

  test('--explain sends nothing', async () => {
    const { code, envelope } = await run({ calls: [list, view] }, ['--explain'])
    expect(envelope.data).toMatchObject({ status: 'ready', total: 2 })
    expect(sandbox.log.rows()).toEqual([])
    expect(code).toBe(0)
  })

  test('--key calls as a gateway key', async () => {
    await using directory = await temporaryDirectory()
    const config = join(directory.path, 'settings.json')
    const key = { name: 'reader', read_only: true, secret: 'reader-secret-0123456789' }
    await writeFile(config, JSON.stringify({ keys: [key] }))
    const words = ['--config', config, '--key', 'reader']
    const { envelope } = await run({ calls: [list, create('Never')] }, words)
    expect(envelope.data.results.map((one: { http_status: number }) => one.http_status)).toEqual([
      200, 403,
    ])
  })
})

test('an idempotency_key makes a change once, also in a later command', async () => {
  await using directory = await temporaryDirectory()
  const more = { SIGNALBOX_JOURNAL: join(directory.path, 'journal.sqlite') }
  const body = { calls: [create('Once', { idempotency_key: 'nightly-1' })] }
  const [first, second] = [await run(body, [], more), await run(body, [], more)]
  const numberOf = ({ envelope }: typeof first) => envelope.data.results[0].envelope.data.number
  expect(numberOf(second)).toBe(numberOf(first))
  expect(applied()).toBe(1)
})

test.each([
  ['a text that is no JSON', '{bad', 'is not JSON'],
  ['a body without calls', {}, '"calls" is required'],
  ['an unknown member', { calls: [list], colour: 'red' }, 'colour'],
  ['a reference to no earlier call', { calls: [view] }, 'no earlier call'],
])('%s is an envelope with VALIDATION, and nothing is sent', async (_what, body, words) => {
  const { code, envelope } = await run(body)
  const error = { code: 'VALIDATION', next: { action: 'fix_input' } }
  expect(envelope).toMatchObject({ ok: false, data: null, error })
  expect(envelope.error.message).toContain(words)
  expect(sandbox.log.rows()).toEqual([])
  expect(code).toBe(1)
})

test('a file that does not exist is named', async () => {
  const { code, stdout } = await runHere(['batch', '/nowhere/batch.json'], env())
  expect(JSON.parse(stdout).error.message).toContain('/nowhere/batch.json')
  expect(code).toBe(1)
})
