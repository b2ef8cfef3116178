import { execFileSync } from 'node:child_process'
import { mkdtempSync, readdirSync, rmSync } from 'node:fs'
import type { ServerResponse } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll, expect, test } from 'vitest'
import { importDocument } from '../../documents/support/import-document.ts'
import { startTestGateway } from '../../support/gateway.ts'
import { loadPacks } from '../../support/packs.ts'
import { type Received, startService } from '../../support/service.ts'

/** Documents and cards of users that once failed. */
const REPORTED = fileURLToPath(new URL('../../fixtures/reported/', import.meta.url))
const PNG = Buffer.from([137, 80, 78, 71, 0, 255, 254])

const place = mkdtempSync(join(tmpdir(), 'sb-reported-'))
afterAll(() => rmSync(place, { recursive: true, force: true }))

const ENV = {
  X_TOKEN: 'a-token',
  X_CLIENT_ID: 'a-client',
  X_SECRET: 'a-secret',
  X_KEY: 'a-key',
  X_USER: 'a-user',
  X_ADMIN: 'an-admin',
}

/** Type and body of the answer to each path. */
const ANSWERS: Readonly<Record<string, readonly [string, string | Buffer]>> = {
  '/tags/7': ['application/json', '"seven"'],
  '/graphql': ['application/json', '{"data":{"items":[{"id":"A"}]}}'],
  '/pets': ['application/json', '{"kind":"cat","lives":9}'],
  '/file': ['image/png', PNG],
  '/bin': ['image/png', PNG],
  '/bom': ['application/json', '\ufeff{"a":1}'],
  '/bigint': ['application/json', '{"id":9007199254740993123}'],
  '/textjson': ['text/plain', '{"a":1}'],
  '/csv': ['text/csv', 'sku,stock\nA,3\n"B,2",4\n'],
  '/xml': ['application/xml', '<parts><part sku="A"><stock>3</stock></part></parts>'],
  '/ndjson': ['application/x-ndjson', '{"a":1}\n{"a":2}\n'],
  '/sse': ['text/event-stream', 'data: {"a":1}\n\ndata: [DONE]\n\n'],
  '/empty200': ['text/plain', ''],
  '/problem': [
    'application/problem+json',
    '{"type":"about:blank","title":"Unprocessable","detail":"sku must be upper case","status":422}',
  ],
  '/xmlerr': [
    'application/xml',
    '<Error><Code>NoSuchKey</Code><Message>The key does not exist</Message></Error>',
  ],
}
const STATUSES: Readonly<Record<string, number>> = { '/problem': 422, '/xmlerr': 404, '/job': 202 }
const LISTS = /^\/parts$/

function answer({ method, url, body }: Received, response: ServerResponse, isList: boolean): void {
  const { pathname } = new URL(url, 'http://x')
  const isForm = pathname === '/form'
  const otherwise = isForm
    ? JSON.stringify(Object.fromEntries(new URLSearchParams(body.toString())))
    : isList && LISTS.test(pathname)
      ? '[{"id":1}]'
      : '{"id":"7"}'
  const [type, text] = ANSWERS[pathname] ?? ['application/json', otherwise]
  const status = STATUSES[pathname] ?? (method === 'DELETE' ? 204 : 200)
  response.writeHead(status, { 'content-type': type }).end(status === 204 ? undefined : text)
}

interface Call {
  readonly document: string
  readonly id: string
  readonly input?: object
  /** The request that arrives. */
  readonly request: string
  readonly headers?: object
  readonly body?: string | RegExp
  readonly data: unknown
}

const done = { done: true }

const CALLS: readonly Call[] = [
  {
    document: 'pointer-into-array.yaml',
    id: 'tag.view',
    input: { id: '7' },
    request: 'GET /tags/7',
    data: { value: 'seven' },
  },
  {
    document: 'own-server-is-the-same.yaml',
    id: 'part.list',
    request: 'GET /parts',
    data: { items: [{ id: 1 }] },
  },
  {
    document: 'two-api-keys-together.yaml',
    id: 'part.list',
    request: 'GET /parts',
    headers: { 'client-id': 'a-client', secret: 'a-secret' },
    data: { id: '7' },
  },
  {
    document: 'form-body.yaml',
    id: 'part.create',
    input: { sku: 'a&b' },
    request: 'POST /form',
    headers: { 'content-type': 'application/x-www-form-urlencoded' },
    body: 'sku=a%26b',
    data: { sku: 'a&b' },
  },
  {
    document: 'object-in-header.yaml',
    id: 'part.list',
    input: { filter: { a: 'b' } },
    request: 'GET /parts',
    headers: { filter: 'a,b' },
    data: done,
  },
  ...['q', 'h'].map(name => ({
    document: 'token-query-exposed-header-refused.yaml',
    id: `${name}.view`,
    request: `GET /${name}`,
    headers: { authorization: 'Bearer a-token' },
    data: done,
  })),
  {
    document: 'discriminator-lost.yaml',
    id: 'pet.create',
    input: { body: { kind: 'cat', lives: 9 } },
    request: 'POST /pets',
    body: '{"kind":"cat","lives":9}',
    data: { kind: 'cat', lives: 9 },
  },
  {
    document: 'api-key-in-query.yaml',
    id: 'part.list',
    request: 'GET /parts?api_key=a-key',
    data: { id: '7' },
  },
  {
    document: 'binary-multipart-jsonpatch.yaml',
    id: 'file.view',
    request: 'GET /file',
    data: { file: { base64: PNG.toString('base64'), media_type: 'image/png', size: PNG.length } },
  },
  {
    document: 'binary-multipart-jsonpatch.yaml',
    id: 'upload.create',
    input: { file: { text: 'hello', filename: 'a.txt' }, name: 'A' },
    request: 'POST /upload',
    headers: { 'content-type': expect.stringMatching(/^multipart\/form-data; boundary=/) },
    body: /name="file"; filename="a\.txt"[\s\S]*hello/,
    data: done,
  },
  {
    document: 'binary-multipart-jsonpatch.yaml',
    id: 'part.update',
    input: { body: [{ op: 'remove', path: '/a' }] },
    request: 'PATCH /patch',
    headers: { 'content-type': 'application/json-patch+json' },
    body: '[{"op":"remove","path":"/a"}]',
    data: done,
  },
  ...[
    ['part.list', '/parts', 'a-user'],
    ['more.list', '/more', 'a-user'],
    ['admin.view', '/admin', 'an-admin'],
  ].map(([id = '', path = '', token]) => ({
    document: 'second-credential.yaml',
    id,
    request: `GET ${path}`,
    headers: { authorization: `Bearer ${token}` },
    data: { id: '7' },
  })),
  {
    document: 'mutually-recursive-filters.graphql',
    id: 'item.list',
    input: { filter: { f1: { f2: { eq: 'x' } } } },
    request: 'POST /graphql',
    body: /"filter":\{"f1":\{"f2":\{"eq":"x"\}\}\}/,
    data: { items: [{ id: 'A' }] },
  },
  {
    document: 'ref-with-length-beside-object.yaml',
    id: 'user.create',
    input: { name: { firstName: 'Ann' } },
    request: 'POST /users',
    body: '{"name":{"firstName":"Ann"}}',
    data: done,
  },
  {
    document: 'items-without-type.yaml',
    id: 'thing.view',
    request: 'GET /bom',
    data: { a: 1 },
  },
]

test('each reported document has a call', () => {
  const called = CALLS.map(({ document }) => document)
  expect(readdirSync(join(REPORTED, 'documents')).toSorted()).toEqual(
    [...new Set(called)].toSorted(),
  )
})

test.each(CALLS)('a reported document works: $document, $id', async call => {
  const service = await startService((request, response) =>
    answer(request, response, call.document === 'own-server-is-the-same.yaml'),
  )
  const folder = join(place, call.document)
  const { skipped } = importDocument(join(REPORTED, 'documents', call.document), folder)
  expect(skipped).toEqual([])
  const path = call.document.endsWith('.graphql') ? '/graphql' : ''
  await using gateway = await startTestGateway({
    settings: { capabilities: [folder], packs: [] },
    env: { ...ENV, X_URL: service.url + path },
  })
  const { body } = await gateway.call(call.id, call.input ?? {})
  expect(body).toMatchObject({ ok: true, data: call.data })
  const [received] = service.received
  expect(service.lines()).toEqual([call.request])
  expect(received?.headers).toMatchObject(call.headers ?? {})
  expect(received?.body.toString()).toMatch(call.body ?? '')
})

test.each<[string, RegExp, RegExp]>([
  [
    'form-headers',
    /content-type says .*urlencoded, but the body is sent as json/,
    /encoding: form/,
  ],
  ['post-form', /content-type says .*urlencoded, but the body is sent as json/, /encoding: form/],
  ['input-in-projection', /input\.sku where input is not in scope/, /Write \$\.input\.sku/],
  [
    'apikey-query-baseurl',
    /base_url has a query, which no request sends/,
    /a credential in schemes/,
  ],
  ['required-not-in-properties', /input\.required names "skuu"/, /Add skuu to properties/],
])('reported cards are refused with the reason and the cure: %s', async (name, message, fix) => {
  const { problems } = await loadPacks([join(REPORTED, 'cards', name)], {
    SERVICE_URL: 'http://127.0.0.1:9',
  })
  expect(problems.length).toBeGreaterThan(0)
  for (const problem of problems) {
    expect(problem.message).toMatch(message)
    expect(problem.fix).toMatch(fix)
  }
})

/** Data of a success; code and message of a failure. */
const OUTCOMES: readonly (readonly [string, string, object, unknown])[] = [
  ['answers', 'bom.get', {}, { value: { a: 1 } }],
  ['answers', 'textjson.get', {}, { value: { a: 1 } }],
  ['answers', 'csvtext.get', {}, { value: 'sku,stock\nA,3\n"B,2",4\n' }],
  ['answers', 'xmltext.get', {}, { value: expect.stringContaining('<stock>3</stock>') }],
  ['answers', 'job.start', {}, { value: { id: '7' } }],
  ['answers', 'bin.get', {}, ['OUTPUT_INVALID', /with parse: binary/]],
  ['answers', 'bintext.get', {}, ['OUTPUT_INVALID', /with parse: binary/]],
  ['answers', 'csv.get', {}, ['OUTPUT_INVALID', /with parse: csv/]],
  ['answers', 'xml.get', {}, ['OUTPUT_INVALID', /with parse: xml/]],
  ['answers', 'ndjson.get', {}, ['OUTPUT_INVALID', /with parse: ndjson/]],
  ['answers', 'sse.get', {}, ['OUTPUT_INVALID', /with parse: sse/]],
  ['answers', 'empty.get', {}, ['OUTPUT_INVALID', /is empty/]],
  ['answers', 'problem.get', {}, ['VALIDATION', /sku must be upper case/]],
  ['answers', 'xmlerr.get', {}, ['NOT_FOUND', /The key does not exist/]],
  ['query-string-in-path', 'part.view', { sku: 'a b' }, { sku: '7' }],
  ['effect-write-GET', 'part.view', { sku: 'a' }, ['OUTPUT_INVALID', /./]],
]

test.each(OUTCOMES)(
  'reported cards do what they say: %s, %s',
  async (name, id, input, expected) => {
    const service = await startService((request, response) => answer(request, response, false))
    await using gateway = await startTestGateway({
      settings: { capabilities: [join(REPORTED, 'cards', name)], packs: [] },
      env: { SERVICE_URL: service.url },
    })
    const { body } = await gateway.call(id, input)
    const [code, message] = Array.isArray(expected) ? (expected as [string, RegExp]) : [null, /./]
    expect(body).toMatchObject(
      code === null
        ? { ok: true, data: expected }
        : { ok: false, error: { code, message: expect.stringMatching(message) } },
    )
  },
)

test('a big integer arrives with every digit', async () => {
  const service = await startService((request, response) => answer(request, response, false))
  await using gateway = await startTestGateway({
    settings: { capabilities: [join(REPORTED, 'cards', 'answers')], packs: [] },
    env: { SERVICE_URL: service.url },
  })
  const response = await fetch(`${gateway.url}/v1/capabilities/bigint.get`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: '{}',
  })
  expect(await response.text()).toContain('"data":{"value":{"id":9007199254740993123}}')
})

test('cards for git work in a folder of their own', async () => {
  const directory = mkdtempSync(join(place, 'git-'))
  const git = (...args: string[]) =>
    execFileSync('git', ['-c', 'user.name=Ann', '-c', 'user.email=a@b.c', ...args], {
      cwd: directory,
    })
  git('init', '-q', 'repo')
  git('-C', 'repo', 'commit', '-q', '--allow-empty', '-m', 'Begin')
  await using gateway = await startTestGateway({
    settings: { capabilities: [join(REPORTED, 'cards', 'git')], packs: [] },
    env: { GIT_FOLDER: directory, PATH: process.env.PATH ?? '' },
  })
  const list = await gateway.call('commit.list', {})
  expect(list.body.data).toMatchObject({ items: [{ author: 'Ann', title: 'Begin' }] })
  const show = await gateway.call('commit.show', { rev: 'HEAD' })
  expect(show.body.data.text).toContain('Begin')
  expect((await gateway.call('commit.show', { rev: '--help' })).body.error.code).toBe('VALIDATION')
})
