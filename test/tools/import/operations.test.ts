import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, test, vi } from 'vitest'
import { nameOperations } from '../../../src/tools/import/choose.ts'
import { readOpenApi } from '../../../src/tools/import/openapi.ts'
import type { Draft } from '../../../src/tools/import/service.ts'
import { toYaml } from '../../../src/tools/import/yaml.ts'
import { temporaryDirectory } from '../../commands/support/signalbox.ts'
import { openService, sendJson } from '../../support/service.ts'
import { importAndServe } from './support/imported.ts'

vi.setConfig({ testTimeout: 120_000 })

type Json = Readonly<Record<string, unknown>>

const SERVER = [{ url: 'https://api.example.com/v1' }]
const bearer = { type: 'http', scheme: 'bearer' }

/** The cards of a document with these paths. */
function documentOf(paths: Json, others: Json = {}) {
  return { openapi: '3.1.0', info: { title: 'Parts' }, servers: SERVER, paths, ...others }
}

function draftOf(operation: Json, others: Json = {}): Draft {
  const [first] = readOpenApi(
    documentOf({ '/parts': { get: { responses: {}, ...operation } } }, others),
  ).operations
  if (!first) throw new Error('the document has no operation')
  return first.draft()
}

const json = (schema: unknown) => ({
  description: 'It.',
  content: { 'application/json': { schema } },
})

describe('the server of an operation', () => {
  const pathOf = (servers: unknown, others: Json = {}) => draftOf({ servers }, others).section.path
  const withPort = {
    url: 'https://{host}/v1',
    variables: { host: { default: 'api.example.com' } },
  }

  test.each<[string, unknown]>([
    ['is that of the document', SERVER],
    ['is that of the document with a slash', [{ url: 'https://api.example.com/v1/' }]],
    ['is that of the document, by its variables', [withPort]],
    ['is one of several', [{ url: 'https://eu.example.com' }, ...SERVER]],
    ['is not given', []],
  ])('leaves the path alone if it %s', (_what, servers) => {
    expect(pathOf(servers)).toBe('/parts')
  })

  test('below that of the document adds the rest of its path', () => {
    expect(pathOf([{ url: 'https://api.example.com/v1/beta' }])).toBe('/beta/parts')
  })

  test('beside that of the document leaves the upstream what they share', () => {
    const beta = [{ url: 'http://api.example.com/v2' }]
    const paths = {
      '/a': { get: { responses: {} } },
      '/b': { servers: beta, get: { responses: {} } },
    }
    const service = readOpenApi(documentOf(paths))
    expect(service.upstream('P', null).section.base_url).toBe('${P_URL:-https://api.example.com}')
    expect(service.operations.map(one => one.draft().section.path)).toEqual(['/v1/a', '/v2/b'])
  })

  test('elsewhere gets a name, for which the upstream has an address', () => {
    const at = (url: string) => ({ servers: [{ url }], get: { responses: {} } })
    const service = readOpenApi(
      documentOf({
        '/parts': { get: { responses: {} } },
        '/a': at('https://files.example.com/v2'),
        '/b': at('https://files.example.com/v2/'),
        '/c': at('https://files.example.org'),
      }),
    )
    expect(service.operations.map(one => one.draft().section)).toMatchObject([
      { path: '/parts' },
      { path: '/a', server: 'files' },
      { path: '/b', server: 'files' },
      { path: '/c', server: 'files_2' },
    ])
    expect(service.upstream('P', null).section).toMatchObject({
      base_url: '${P_URL:-https://api.example.com/v1}',
      servers: {
        files: '${P_FILES_URL:-https://files.example.com/v2}',
        files_2: '${P_FILES_2_URL:-https://files.example.org}',
      },
    })
  })

  test('without an address makes it inexpressible', () => {
    expect(() => pathOf([{ url: 'https://{region}.example.com' }])).toThrow(
      'is served by a server without a complete address, and the upstream by https://api.example.com/v1',
    )
  })

  test.each([
    ['https://{shop}.example.com/v1', '${P_URL}', /names the server https:.*; set P_URL to yours/],
    ['//api.example.com', '${P_URL:-https://api.example.com}', /names no credential/],
  ])('is that of the document, %s', (url, base_url, note) => {
    const others = { servers: [{ url }] }
    expect(draftOf({}, others).section).toEqual(
      expect.objectContaining({ method: 'GET', path: '/parts' }),
    )
    const { section, notes } = readOpenApi(documentOf({}, others)).upstream('P', null)
    expect(section.base_url).toBe(base_url)
    expect(notes.join(' ')).toMatch(note)
  })

  test('is that of the upstream if the document itself names none', () => {
    const service = readOpenApi(
      documentOf({ '/parts': { servers: SERVER, get: { responses: {} } } }, { servers: undefined }),
    )
    expect(service.upstream('P', null).section.base_url).toBe(
      '${P_URL:-https://api.example.com/v1}',
    )
    expect(service.operations[0]?.draft().section.path).toBe('/parts')
  })
})

test.each([
  ['a path', '/echo/v2', null, '${P_URL}/echo/v2'],
  [
    'a path, with the address of the host',
    '/echo/v2',
    'http://127.0.0.1:9',
    '${P_URL:-http://127.0.0.1:9}/echo/v2',
  ],
  [
    'a path, with a whole address',
    'v2',
    'http://127.0.0.1:9/v3',
    '${P_URL:-http://127.0.0.1:9/v3}',
  ],
  ['only a slash', '/', null, '${P_URL}'],
])('a server that is %s keeps its path', (_what, url, given, expected) => {
  const service = readOpenApi(documentOf({}, { servers: [{ url }] }))
  expect(service.upstream('P', given).section.base_url).toBe(expected)
})

describe('a parameter', () => {
  const parameters = (...list: Json[]) => ({ parameters: list })
  const security = { security: [{ auth: [] }], components: { securitySchemes: { auth: bearer } } }
  const key = { type: 'apiKey', in: 'header', name: 'X-Key' }
  const withKey = { security: [{ key: [] }], components: { securitySchemes: { key } } }
  const string = { type: 'string' }

  test.each<[string, Json, Json]>([
    [
      'a token in the query',
      { name: 'token', in: 'query', required: true, schema: string },
      security,
    ],
    ['a token in a header', { name: 'token', in: 'header', schema: string }, security],
    [
      'Authorization',
      { name: 'Authorization', in: 'header', required: true, schema: string },
      security,
    ],
    ['the key of a scheme', { name: 'x-key', in: 'header', schema: string }, withKey],
    [
      'the key of a scheme elsewhere',
      { name: 'x-key', in: 'query', required: true, schema: string },
      withKey,
    ],
    ['the key of a scheme in a cookie', { name: 'X-Key', in: 'cookie', required: true }, withKey],
  ])('that repeats the credential, as %s, is dropped', (_what, parameter, others) => {
    const { input, section } = draftOf(parameters(parameter), others)
    expect(input.properties).toEqual({})
    expect(section).not.toHaveProperty('query')
  })

  test('named token is kept if its description is about something else', () => {
    const token = { name: 'token', in: 'query', description: 'Of the invitation.', schema: string }
    expect(draftOf(parameters(token), security).section.query).toEqual({ token: 'input.token' })
  })

  test('too many of them leave the last optional ones out, and are named', () => {
    const many = Array.from({ length: 900 }, (_, n) => ({
      name: `address__apartment_number_${n}__icontains`,
      in: 'query',
      required: n === 899,
      schema: string,
    }))
    const draft = draftOf(parameters(...many))
    expect(toYaml(draft).length).toBeLessThan(64_000)
    expect(draft.input.required).toEqual(['address__apartment_number_899__icontains'])
    expect(draft.notes.join(' ')).toMatch(
      /lacks these: address__apartment_number_\d+.* and \d+ others/,
    )
  })

  test('that is deprecated says so', () => {
    const old = { name: 'old', in: 'query', deprecated: true, schema: string }
    expect(draftOf(parameters(old)).input.properties).toEqual({
      old: { type: 'string', deprecated: true },
    })
  })

  const range = {
    type: 'object',
    properties: { gte: { type: 'integer' }, lt: { type: 'integer' } },
  }
  const list = { type: 'array', items: { type: 'string' } }
  test.each<[string, Json, Json | undefined]>([
    ['a text', { schema: string }, undefined],
    ['a list', { schema: list }, undefined],
    ['a list with commas', { schema: list, explode: false }, { query: { p: 'comma' } }],
    ['a list with blanks', { schema: list, style: 'spaceDelimited' }, { query: { p: 'space' } }],
    ['a list with bars', { schema: list, style: 'pipeDelimited' }, { query: { p: 'pipe' } }],
    ['a list that repeats', { schema: list, style: 'pipeDelimited', explode: true }, undefined],
    ['an object', { schema: range }, { query: { p: 'members' } }],
    ['an object with commas', { schema: range, explode: false }, { query: { p: 'comma' } }],
    ['an object in brackets', { schema: range, style: 'deepObject' }, { query: { p: 'brackets' } }],
    [
      'an object in brackets, or a value',
      { schema: { anyOf: [range, string] }, style: 'deepObject' },
      { query: { p: 'brackets' } },
    ],
    ['JSON', { content: { 'application/json': { schema: range } } }, { query: { p: 'json' } }],
    ['a list in a header', { in: 'header', schema: list }, { headers: { p: 'comma' } }],
    [
      'an object in a header',
      { in: 'header', schema: range, explode: true },
      { headers: { p: 'members' } },
    ],
    ['a text in a cookie', { in: 'cookie', required: true, schema: string }, undefined],
    ['a list in a cookie', { in: 'cookie', schema: list }, { cookies: { p: 'comma' } }],
  ])('that is %s has the style of the document', (_what, parameter, styles) => {
    const { section } = draftOf(parameters({ name: 'p', in: 'query', ...parameter }))
    expect(section.styles).toEqual(styles)
    expect(section.query ?? section.headers ?? section.cookies).toEqual({ p: 'input.p' })
  })

  test.each([
    ['a text', { schema: string }, '/parts/{ids}'],
    ['a list', { schema: list }, '/parts/{ids*}'],
    ['an exploded object', { schema: range, explode: true }, '/parts/{ids*}'],
    ['a list with a dot', { schema: list, style: 'label' }, '/parts/{.ids}'],
    [
      'an exploded list with a semicolon',
      { schema: list, style: 'matrix', explode: true },
      '/parts/{;ids*}',
    ],
  ])('of the path that is %s has its form', (_what, parameter, path) => {
    const described = {
      ...parameters({ name: 'ids', in: 'path', required: true, ...parameter }),
      responses: {},
    }
    const { operations } = readOpenApi(documentOf({ '/parts/{ids}': { get: described } }))
    expect(operations[0]?.draft().section.path).toBe(path)
  })

  test('that is a required list is sent even if it is empty', () => {
    const tags = { name: 'tags', in: 'query', required: true, schema: list }
    expect(draftOf(parameters(tags)).section.keep_empty).toEqual(['tags'])
  })
})

test('a query in the path becomes a query, and a fragment is dropped', () => {
  const path = "/parts/{sku}?v=2&mode=it's&stock={stock}#old"
  const parameters = [{ name: 'stock', in: 'path', schema: { type: 'integer' } }]
  const { operations } = readOpenApi(documentOf({ [path]: { get: { parameters, responses: {} } } }))
  const draft = operations[0]?.draft()
  expect(draft?.section).toMatchObject({
    path: '/parts/{sku}',
    query: { v: "'2'", mode: "'it\\'s'", stock: 'input.stock' },
  })
  expect(draft?.input.properties).toMatchObject({ stock: { type: 'integer' } })
})

describe('an operation', () => {
  test('that is deprecated makes a deprecated card', () => {
    expect(draftOf({ deprecated: true }).more).toMatchObject({ deprecated: expect.any(String) })
  })

  test.each<[string, unknown, Json]>([
    [
      'an object of several parts',
      { allOf: [{ type: 'object' }, { required: ['id'] }] },
      { result: 'body' },
    ],
    [
      'objects that differ in one member',
      { oneOf: [{ type: 'object', required: ['a'] }, { properties: { b: {} } }] },
      { result: 'body' },
    ],
    ['a list', { type: 'array' }, { result: '{items: body}' }],
  ])('answers with %s', (_what, schema, section) => {
    expect(draftOf({ responses: { 200: json(schema) } }).section).toMatchObject(section)
  })
})

test.each([
  ['get', '/v1/accounts/{account}/cards', 'GetAccountsAccountCards', 'account.card.list'],
  ['get', '/items/{item_id}', 'read_item_items__item_id__get', 'item.view'],
  ['get', '/users', 'UsersController_findAll', 'user.list'],
  ['get', '/api/v1/users/{id}', 'getApiV1UsersId', 'user.view'],
  ['post', '/orders/{id}/close', 'operation12', 'order.close'],
  ['get', '/users', 'get_1', 'user.list'],
])('%s %s with the operationId %s gives the id %s', (method, path, operationId, id) => {
  const { operations } = readOpenApi(
    documentOf({ [path]: { [method]: { operationId, responses: {} } } }),
  )
  expect(operations[0]?.id).toBe(id)
})

test('ids are short enough for tools, and differ as tools do', () => {
  const long = `list${'VeryLongWord'.repeat(8)}Items`
  const names = [long, `${long}s`, 'getUserRole', 'getUserRole']
  const paths = Object.fromEntries(
    names.map((operationId, n) => [`/p${n}`, { get: { operationId, responses: {} } }]),
  )
  const roles = { '/user/{id}/role': { get: { responses: {} } } }
  const { operations } = readOpenApi(documentOf({ ...paths, ...roles }))
  const named = nameOperations(operations, 'shop', new Set(['user_role.view']))
  const tools = named.map(({ id }) => id.replaceAll('.', '_'))
  expect(new Set(tools).size).toBe(tools.length)
  expect(tools.filter(tool => tool.length > 64)).toEqual([])
  expect(tools.slice(2)).toEqual(['shop_user_role_view', 'p3_view', 'shop_user_role_view_2'])
})

test('a service at a relative address answers with nulls, without a body, and reads objects in headers', async () => {
  await using directory = await temporaryDirectory()
  await using service = await openService(({ url }, response) => {
    if (url.endsWith('/ada')) return sendJson(response, { id: 1, bio: null })
    response.writeHead(204).end()
  })
  const filter = { type: 'object', properties: { a: { type: 'string' }, b: { type: 'integer' } } }
  const parameters = [
    { name: 'name', in: 'path', required: true, schema: { type: 'string' } },
    { name: 'plain', in: 'header', schema: filter },
    { name: 'split', in: 'header', explode: true, schema: filter },
    { name: 'tags', in: 'header', schema: { type: 'array', items: { type: 'string' } } },
  ]
  const user = {
    type: 'object',
    required: ['id'],
    properties: { id: { type: 'integer' }, bio: { type: 'string' } },
  }
  const responses = { 200: json(user), 204: { description: 'There is none.' } }
  const paths = { '/people/{name}': { get: { operationId: 'getPerson', parameters, responses } } }
  const file = join(directory.path, 'echo.json')
  await writeFile(file, JSON.stringify(documentOf(paths, { servers: [{ url: '/echo/v2' }] })))
  await using imported = await importAndServe(file, 'echo', { env: { ECHO_URL: service.url } })
  const some = { a: 'x', b: 2 }
  const input = { name: 'ada', plain: some, split: some, tags: ['n', 'm'] }
  expect((await imported.gateway.call('person.view', input)).body).toMatchObject({
    data: { id: 1, bio: null },
  })
  expect((await imported.gateway.call('person.view', { name: 'none' })).body.data).toEqual({})
  expect(service.lines()).toEqual(['GET /echo/v2/people/ada', 'GET /echo/v2/people/none'])
  expect(service.received[0]?.headers).toMatchObject({
    plain: 'a,x,b,2',
    split: 'a=x,b=2',
    tags: 'n,m',
  })
})

test.each([
  ['post', ['202'], true],
  ['delete', ['202', '204'], true],
  ['post', ['201', '202'], false],
  ['get', ['202'], false],
])('a card says how to wait for the work if %s answers %j: %s', (method, statuses, isNoted) => {
  const responses = Object.fromEntries(statuses.map(status => [status, { description: 'Yes.' }]))
  const { operations } = readOpenApi({
    openapi: '3.1.0',
    info: { title: 'Jobs' },
    paths: { '/jobs': { [method]: { responses } } },
  })
  expect(/poll/.test(operations[0]?.draft().notes.join() ?? '')).toBe(isNoted)
})
