import { afterAll, beforeAll, expect, test } from 'vitest'
import type { AskedOptions } from '../../src/model/asked-options.ts'
import { startTestGateway, type TestGateway } from '../support/gateway.ts'

const REPO = { owner: 'octo-org', name: 'hello-world' }
const LIST = { capability: 'issue.list', input: { ...REPO, first: 2 } }
const READ = { capability: 'repo.view', input: REPO }
const EACH = {
  calls: [
    { id: 'list', ...LIST },
    {
      capability: 'issue.view',
      input: { ...REPO, issueNumber: { $item: 'number' } },
      for_each: { $from: 'list', path: 'data.items' },
    },
  ],
}

let gateway: TestGateway
beforeAll(async () => {
  gateway = await startTestGateway()
})
afterAll(() => gateway[Symbol.asyncDispose]())

type Headers = Readonly<Record<string, string>>
const post = (path: string, body: object, headers: Headers) =>
  fetch(`${gateway.url}${path}`, {
    method: 'POST',
    headers: {
      'content-type': 'application/json',
      accept: 'application/json, text/event-stream',
      ...headers,
    },
    body: JSON.stringify(body),
  }).then(response => response.text())

const batch = (body: object, query = '') => [`/v1/batch${query}`, body] as const
const tool = (name: string, args: object) =>
  [
    '/mcp',
    { jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name, arguments: args } },
  ] as const

const NONE = [null]
const BOTH = { timeout_ms: 7777, route: 'rest' } as const
const ASKED = [BOTH]
const MAX_STALE = { 'cache-control': 'max-age=60, max-stale' }
const AMONG = { 'cache-control': 'max-stale, min-fresh=10, max-age=60, only-if-cached' }

test.each<[string, readonly [string, object], Headers, readonly (AskedOptions | null)[]]>([
  ['HTTP', ['/v1/capabilities/repo.view', REPO], {}, NONE],
  ['HTTP, asked', ['/v1/capabilities/repo.view?timeout_ms=7777&route=rest', REPO], {}, ASKED],
  ['HTTP, any age', ['/v1/capabilities/repo.view', REPO], MAX_STALE, [{ max_stale: true }]],
  [
    'HTTP, any age among others',
    ['/v1/capabilities/repo.view', REPO],
    AMONG,
    [{ max_stale: true, only_if_cached: true }],
  ],
  [
    'HTTP, an option beside any age',
    ['/v1/capabilities/repo.view?max_age_ms=5', REPO],
    MAX_STALE,
    [{ max_age_ms: 5 }],
  ],
  ['batch', batch({ calls: [READ] }), {}, NONE],
  ['batch with a time of its own', batch({ calls: [READ] }, '?timeout_ms=9000'), {}, NONE],
  ['batch, asked', batch({ calls: [{ ...READ, ...BOTH }] }), {}, ASKED],
  [
    'batch, more time than the batch has',
    batch({ calls: [{ ...READ, ...BOTH }] }, '?timeout_ms=5000'),
    {},
    ASKED,
  ],
  ['batch, any age', batch({ calls: [READ] }), MAX_STALE, [{ max_stale: true }]],
  ['for_each', batch(EACH), {}, [null, null, null]],
  ['the tool call of MCP', tool('call', READ), {}, NONE],
  ['the tool call of MCP, asked', tool('call', { ...READ, ...BOTH }), {}, ASKED],
  ['the tool call of MCP, any age', tool('call', READ), MAX_STALE, [{ max_stale: true }]],
  ['the tool batch of MCP', tool('batch', { calls: [READ] }), {}, NONE],
  ['the tool batch of MCP, for_each', tool('batch', EACH), {}, [null, null, null]],
])(
  'the record has the options that the caller gave: %s',
  async (what, [path, body], headers, expected) => {
    const correlation_id = what.replaceAll(/\W/g, '-')
    await post(path, body, { ...headers, 'x-correlation-id': correlation_id })
    const { items } = await gateway.engine.journal.requests({ correlation_id }, { limit: 20 })
    const records = await Promise.all(
      items.map(({ request_id }) => gateway.engine.journal.request(request_id)),
    )
    expect(records.map(record => record?.options)).toEqual(expected)
  },
)
