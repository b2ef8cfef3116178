/** Explaining a batch: doors × kinds of calls. Nothing reaches the service, and a faulty call is faulted as the batch itself does. */
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client'
import { afterAll, beforeAll, beforeEach, describe, expect, onTestFinished, test } from 'vitest'
import type { ExplainedBatch } from '../../src/model/explained-batch.ts'
import { runHere } from '../commands/support/run-here.ts'
import { startTestGateway, type TestGateway } from '../support/gateway.ts'
import { githubEnv } from '../support/github.ts'

const repo = { owner: 'octo-org', name: 'hello-world' }
const KEYS = [
  { name: 'plain' },
  { name: 'reader', read_only: true },
  { name: 'asking', approve: ['write:*'] },
].map(key => ({ ...key, secret: `${key.name}-secret-0123456789` }))

let gateway: TestGateway
beforeAll(async () => {
  gateway = await startTestGateway({ settings: { keys: KEYS as never[] }, env: { PATH: '' } })
})
beforeEach(() => gateway.sandbox.reset())
afterAll(() => gateway[Symbol.asyncDispose]())

interface Said {
  readonly data: ExplainedBatch | null
  // oxlint-disable-next-line typescript/no-explicit-any -- tests look into every error
  readonly error: any
}
type Body = Readonly<Record<string, unknown>>
type Door = (body: Body, key: string) => Promise<Said>

const authorization = (key: string) => ({ authorization: `Bearer ${key}-secret-0123456789` })

async function post(path: string, body: Body, key: string): Promise<Said> {
  const response = await fetch(`${gateway.url}${path}`, {
    method: 'POST',
    headers: { ...authorization(key), 'content-type': 'application/json' },
    body: JSON.stringify(body),
  })
  return (await response.json()) as Said
}

const byTool =
  (tools: string): Door =>
  async (body, key) => {
    const client = new Client({ name: 'tester', version: '1.2.3' })
    const url = new URL(`${gateway.url}/mcp?profile=default&tools=${tools}`)
    const requestInit = { headers: authorization(key) }
    await client.connect(new StreamableHTTPClientTransport(url, { requestInit }))
    onTestFinished(() => client.close())
    const result = await client.callTool({ name: 'batch', arguments: { ...body, explain: true } })
    return JSON.parse((result.content as { text: string }[])[0]?.text ?? '')
  }

const byCommand: Door = async (body, key) => {
  const folder = await mkdtemp(join(tmpdir(), 'sb-batch-'))
  onTestFinished(async () => await rm(folder, { recursive: true }))
  await writeFile(join(folder, 'settings.json'), JSON.stringify({ keys: KEYS }))
  await writeFile(join(folder, 'batch.json'), JSON.stringify(body))
  const args = ['batch', join(folder, 'batch.json'), '--explain', '--key', key]
  const env = { ...githubEnv(gateway.sandbox.url), PATH: '' }
  const config = ['--config', join(folder, 'settings.json')]
  const { code, stdout } = await runHere([...args, ...config], env)
  const said: Said = JSON.parse(stdout)
  expect(code).toBe(said.data?.status === 'ready' ? 0 : 1)
  return said
}

const DOORS: Readonly<Record<string, Door>> = {
  HTTP: async (body, key) => await post('/v1/batch/explain', body, key),
  'MCP search': byTool('search'),
  'MCP all': byTool('all'),
  'command line': byCommand,
}

const list = { id: 'list', capability: 'issue.list', input: repo }
const comment = {
  id: 'comment',
  capability: 'issue.comments.create',
  for_each: { $from: 'list', path: 'data.items' },
  input: { ...repo, issueNumber: { $item: 'number' }, body: 'Seen.' },
}
const close = {
  capability: 'issue.close',
  needs: ['comment'],
  input: { ...repo, issueNumber: { $from: 'list', path: 'data.items[0].number' } },
}

describe.each(Object.entries(DOORS))('%s', (_name, explain) => {
  const send = async (calls: readonly unknown[], key = 'plain') => {
    const said = await explain({ calls }, key)
    expect(gateway.sandbox.log.rows()).toEqual([])
    return said
  }

  test('says the order, the routes and what is resolved later', async () => {
    const { data } = await send([list, comment, close])
    expect(data).toMatchObject({ status: 'ready', total: 3, faulty: 0 })
    expect(data?.calls).toMatchObject([
      { id: 'list', effect: 'read', order: 1, needs: [], for_each: null, resolved_later: [] },
      {
        id: 'comment',
        effect: 'write',
        order: 2,
        needs: ['list'],
        for_each: { from: 'list', path: 'data.items' },
        resolved_later: [{ member: 'issueNumber', from: null, path: 'number' }],
      },
      {
        id: null,
        order: 3,
        needs: ['comment', 'list'],
        resolved_later: [{ member: 'issueNumber', from: 'list', path: 'data.items[0].number' }],
      },
    ])
    for (const { plan, error } of data?.calls ?? []) {
      expect(error).toBeNull()
      expect(plan).not.toHaveProperty('needs_approval')
      expect(plan?.candidates[0]).toMatchObject({ route: 'rest', reason: 'CARD_PREFERRED' })
    }
  })

  test('takes a whole input from an earlier call', async () => {
    const whole = { capability: 'issue.view', input: { $from: 'list', path: 'data.items[0]' } }
    const { data } = await send([list, whole])
    expect(data?.calls[1]).toMatchObject({
      error: null,
      resolved_later: [{ member: '', from: 'list' }],
    })
  })

  test.each([
    ['a missing member', { capability: 'issue.view', input: repo }],
    ['an unknown member', { capability: 'repo.view', input: { ...repo, colour: 'red' } }],
    ['an unknown capability', { capability: 'issue.veiw', input: {} }],
    ['an unknown option', { capability: 'repo.view', input: repo, colour: 'red' }],
    ['a route that the capability lacks', { capability: 'pr.merge', input: {}, route: 'graphql' }],
  ])('faults %s as the batch itself does', async (_what, call) => {
    const { data } = await send([call])
    const made = await post('/v1/batch', { calls: [call] }, 'plain')
    const results = (made.data as unknown as { results: { envelope: Said }[] }).results
    const { code, details } = results[0]?.envelope.error ?? {}
    expect(data).toMatchObject({ status: 'faulty', faulty: 1, calls: [{ error: { code } }] })
    expect(data?.calls[0]?.error?.details).toEqual(details)
  })

  test('faults the known members of an input of which others are resolved later', async () => {
    const input = { ...comment.input, body: 7, colour: 'red' }
    const { data } = await send([list, { ...comment, input }])
    const { fields } = data?.calls[1]?.error?.details ?? {}
    const paths = (fields as { path: string }[]).map(({ path }) => path)
    expect(paths.toSorted()).toEqual(['body', 'colour'])
  })

  test('says what the key may not do, and what a person has to approve', async () => {
    const denied = await send([list, comment], 'reader')
    expect(denied.data?.calls.map(({ error }) => error?.code ?? null)).toEqual([null, 'FORBIDDEN'])
    expect(denied.data?.calls[1]).toMatchObject({ effect: null, plan: null })
    const asked = await send([list, comment], 'asking')
    expect(asked.data?.calls.map(({ plan }) => plan?.needs_approval ?? false)).toEqual([
      false,
      true,
    ])
  })

  test.each([
    ['a reference to no earlier call', [close, list]],
    [
      'a path that does not compile',
      [list, { ...comment, for_each: { $from: 'list', path: '[' } }],
    ],
    ['no calls', []],
  ])('refuses %s as a whole', async (_what, calls) => {
    const { data, error } = await send(calls)
    expect(data).toBeNull()
    expect(error).toMatchObject({ code: 'VALIDATION', next: { action: 'fix_input' } })
  })
})
