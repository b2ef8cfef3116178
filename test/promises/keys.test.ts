import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { Card } from '../../src/model/card.ts'
import { signalbox, temporaryDirectory } from '../commands/support/signalbox.ts'
import { startTestGateway, type TestGateway } from '../support/gateway.ts'

/** The calls that each key may make, written without patterns. */
const KEYS = [
  { key: { name: 'nothing', allow: [] }, may: () => false },
  { key: { name: 'reader', read_only: true }, may: (card: Card) => card.effect === 'read' },
  { key: { name: 'glob', allow: ['issue.*'] }, may: ({ id }: Card) => id.startsWith('issue.') },
  {
    key: { name: 'denied', allow: ['read:*', 'write:issue.*'], deny: ['*.delete', 'issue.l*'] },
    may: ({ id, effect }: Card) =>
      (effect === 'read' || id.startsWith('issue.')) &&
      !id.endsWith('.delete') &&
      !id.startsWith('issue.l'),
  },
  {
    key: { name: 'harmless', deny: ['destructive:*', 'write:repo.*'] },
    may: (card: Card) =>
      !card.destructive && !(card.id.startsWith('repo.') && card.effect !== 'read'),
  },
  { key: { name: 'operator', operator: true }, may: () => true },
] as const

const secretOf = (name: string) => `${name}-secret-0123456789`
const settings = {
  keys: KEYS.map(({ key }) => ({ ...key, secret: secretOf(key.name) })) as never[],
}

let gateway: TestGateway
beforeAll(async () => {
  gateway = await startTestGateway({ settings, env: { PATH: '' } })
})
afterAll(() => gateway[Symbol.asyncDispose]())

/** An input that no capability takes, so that an allowed call sends nothing. */
const NO_INPUT = { no_such_member: true }

const rpc = (method: string, params: object) => ({ jsonrpc: '2.0', id: 1, method, params })

interface Reply {
  /** The result of a tool of MCP. */
  readonly result: {
    readonly tools: readonly { readonly name: string }[]
    readonly content: readonly { readonly text: string }[]
  }
  readonly data: {
    readonly items: readonly { readonly id: string }[]
    readonly results: readonly { readonly envelope: Reply }[]
  }
  readonly error: { readonly code: string } | null
  readonly meta: {
    readonly reason: string | null
    readonly next?: readonly { capability: string }[]
  }
}

describe.each(KEYS)('the key "$key.name"', ({ key, may }) => {
  const headers = {
    authorization: `Bearer ${secretOf(key.name)}`,
    'content-type': 'application/json',
    accept: 'application/json, text/event-stream',
  }
  const ask = async (method: string, path: string, body?: unknown) => {
    const init = body === undefined ? {} : { body: JSON.stringify(body) }
    const response = await fetch(`${gateway.url}${path}`, { method, headers, ...init })
    const text = (await response.text()).replace(/^(event: \w+\n)?data: /, '')
    return JSON.parse(text) as Reply & { paths: Record<string, unknown> }
  }
  // The scope of a capability comes beside its pattern.
  const cards = () => gateway.engine.catalog.all()
  const allowed = () =>
    cards()
      .filter(card => card.scope === null && may(card))
      .map(({ id }) => id)
  const refusedOf = (replies: readonly (readonly [string, Reply])[]) =>
    replies.filter(([, { error }]) => error?.code === 'FORBIDDEN').map(([id]) => id)
  const refused = () =>
    cards()
      .map(({ id }) => id)
      .filter(id => !allowed().includes(id))

  test('lists what it may call', async () => {
    const { data } = await ask('GET', '/v1/capabilities')
    expect(data.items.map(({ id }) => id)).toEqual(allowed())
  })

  test('finds it in /openapi.json, and nothing else', async () => {
    const { paths } = await ask('GET', '/openapi.json')
    const prefix = '/v1/capabilities/'
    const ids = Object.keys(paths).filter(path => path.startsWith(prefix) && !path.includes('{'))
    expect(ids.map(path => path.slice(prefix.length))).toEqual(allowed())
  })

  test('finds it among the tools of MCP', async () => {
    const { result } = await ask('POST', '/mcp?tools=all', rpc('tools/list', {}))
    const own = ['batch', 'get_hints']
    const names = result.tools.map(({ name }) => name)
    expect(names).toEqual([...allowed().map(id => id.replaceAll('.', '_')), ...own])
    const args = { query: '', limit: 500 }
    const found = await ask('POST', '/mcp', rpc('tools/call', { name: 'search', arguments: args }))
    const { capabilities } = JSON.parse(found.result.content[0]?.text ?? '')
    expect(capabilities.map(({ id }: { id: string }) => id)).toEqual(allowed())
  })

  test('calls it in batches, and is refused the rest', async () => {
    const ids = cards().map(({ id }) => id)
    const replies: (readonly [string, Reply])[] = []
    for (let at = 0; at < ids.length; at += 50) {
      const part = ids.slice(at, at + 50)
      const calls = part.map(capability => ({ capability, input: NO_INPUT }))
      const { data } = await ask('POST', '/v1/batch', { calls })
      replies.push(...data.results.map(({ envelope }, n) => [part[n] ?? '', envelope] as const))
    }
    expect(refusedOf(replies)).toEqual(refused())
    const reasons = new Set(replies.map(([, { meta }]) => meta.reason))
    expect([...reasons].filter(reason => !REASONS.includes(String(reason)))).toEqual([])
  })

  test.each([
    ['POST', '', NO_INPUT],
    ['POST', '/explain', NO_INPUT],
    ['GET', '', undefined],
  ])('is refused the rest by %s …%s', async (method, end, body) => {
    const replies: (readonly [string, Reply])[] = []
    for (const { id } of cards()) {
      replies.push([id, await ask(method, `/v1/capabilities/${id}${end}`, body)])
    }
    expect(refusedOf(replies)).toEqual(refused())
  })

  test('is advised to call nothing that it may not', async () => {
    for (const capability of ['repo.view', 'issue.view', 'issue.list', 'pr.view']) {
      const input = { owner: 'octo-org', name: 'hello-world', issueNumber: 1, prNumber: 2 }
      const members = Object.keys(gateway.engine.catalog.get(capability)?.input.properties ?? {})
      const own = Object.entries(input).filter(([name]) => members.includes(name))
      const { meta } = await ask('POST', `/v1/capabilities/${capability}`, Object.fromEntries(own))
      const advised = meta.next?.map(({ capability: next }) => next) ?? []
      expect(advised.filter(id => !allowed().includes(id))).toEqual([])
    }
  })
})

const REASONS = ['KEY_FORBIDDEN', 'INPUT_VALIDATION']

test('strangers see no capability in /openapi.json', async () => {
  const response = await fetch(`${gateway.url}/openapi.json`)
  const { paths } = (await response.json()) as { paths: Record<string, unknown> }
  expect(Object.keys(paths)).toContain('/v1/batch')
  expect(Object.keys(paths).filter(path => /capabilities\/\w/.test(path))).toEqual([])
})

test('a command acts as the key that it names, without its secret', async () => {
  await using directory = await temporaryDirectory()
  const file = join(directory.path, 'signalbox.yaml')
  await writeFile(file, JSON.stringify(settings))
  const env = { SIGNALBOX_CONFIG: file }
  const codeOf = async (key: string, id: string) => {
    const { stdout } = await signalbox(['call', id, 'no_such_member=1', '--key', key], env)
    return (JSON.parse(stdout) as Reply).error?.code
  }
  expect(await codeOf('reader', 'issue.create')).toBe('FORBIDDEN')
  expect(await codeOf('reader', 'issue.view')).toBe('VALIDATION')
  expect(await codeOf('nothing', 'issue.view')).toBe('FORBIDDEN')
  const { code, stderr } = await signalbox(['call', 'issue.view', '--key', 'nobody'], env)
  expect(code).toBe(1)
  expect(stderr).toMatch(/"nobody" is not among the gateway keys: nothing, reader, glob/)
})
