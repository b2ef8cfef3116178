import { connect } from 'node:net'
import { text } from 'node:stream/consumers'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { ROUTES } from '../../src/model/route.ts'
import { startTestGateway, type TestGateway } from '../support/gateway.ts'
import { writePack } from '../support/packs.ts'
import { type Service, sendJson, startService } from '../support/service.ts'

const DEEP = `${'['.repeat(100_000)}${']'.repeat(100_000)}`
const DEEP_OBJECT = `${'{"a":'.repeat(100_000)}1${'}'.repeat(100_000)}`

let gateway: TestGateway
beforeAll(async () => {
  gateway = await startTestGateway()
})
afterAll(() => gateway[Symbol.asyncDispose]())

/** Sends bytes as they are, and returns the status and the body of the answer. */
async function sendRaw(bytes: string): Promise<{ readonly status: number; readonly body: string }> {
  const socket = connect(Number(new URL(gateway.url).port), '127.0.0.1')
  socket.write(bytes)
  const answer = await text(socket)
  const [head = '', body = ''] = answer.split('\r\n\r\n')
  return { status: Number(head.split(' ')[1]), body }
}

const envelopeOf = (code: string) => ({
  ok: false,
  data: null,
  error: { code, source: 'caller', next: { action: expect.any(String) } },
  meta: { request_id: expect.stringMatching(/^[0-9A-Z]{26}$/) },
})

test.each([
  ['what is no HTTP', 'hello\r\n\r\n', 400],
  ['a version that does not exist', 'GET / HTTP/9.9\r\nhost: localhost\r\n\r\n', 400],
  [
    'two lengths',
    'POST /v1/batch HTTP/1.1\r\nhost: localhost\r\ncontent-length: 1\r\ncontent-length: 2\r\n\r\n',
    400,
  ],
  ['no Host', 'GET /v1/capabilities HTTP/1.1\r\nconnection: close\r\n\r\n', 400],
  [
    'headers that are too large',
    `GET / HTTP/1.1\r\nhost: localhost\r\nx-a: ${'a'.repeat(70_000)}\r\n\r\n`,
    431,
  ],
  [
    'an expectation',
    'POST /v1/batch HTTP/1.1\r\nhost: localhost\r\nexpect: magic\r\ncontent-length: 0\r\n\r\n',
    417,
  ],
])('the answer to %s is an envelope', async (_, bytes, status) => {
  const answer = await sendRaw(bytes)
  expect(answer.status).toBe(status)
  expect(JSON.parse(answer.body)).toMatchObject(envelopeOf('VALIDATION'))
})

describe.each([
  '/v1/capabilities/repo.view',
  '/v1/capabilities/repo.view/explain',
  '/v1/batch',
  '/mcp',
])('POST %s', path => {
  test.each([
    ['nested lists', DEEP],
    ['nested objects', DEEP_OBJECT],
    ['a nested member', `{"owner":${DEEP},"calls":${DEEP},"params":${DEEP}}`],
    ['nested objects that are not closed', DEEP_OBJECT.slice(0, 400_000)],
  ])('refuses %s', async (_, body) => {
    const response = await fetch(`${gateway.url}${path}`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body,
    })
    expect(response.status).toBe(400)
    expect(await response.json()).toMatchObject(envelopeOf('VALIDATION'))
  })
})

const UPSTREAM = (url: string) => `
id: liar
rest: { base_url: "${url}" }
pools: { core: { description: Every request. } }
`
const card = (id: string, effect: string, method: string, more = '') => `
id: ${id}
version: 1.0.0
description: Test.
effect: ${effect}
input: { type: object, properties: {} }
output: { type: object, required: [name], properties: { name: { type: string } } }
prefer: [rest]
pool: { rest: core }
routes:
  rest:
    method: ${method}
    path: /thing
    result: "{name: body.name}"
${more}`

async function startLiar(answer: Parameters<typeof startService>[0]) {
  const service: Service = await startService(answer)
  const pack = await writePack({
    'upstream.yaml': UPSTREAM(service.url),
    'thing.view.yaml': card('thing.view', 'read', 'GET'),
    'thing.create.yaml': card('thing.create', 'write', 'POST'),
    'thing.find.yaml': card(
      'thing.find',
      'read',
      'GET',
      '    missing: "length(body.items) == `0`"\n',
    ),
    'thing.make.yaml': card(
      'thing.make',
      'write',
      'POST',
      '    missing: "length(body.items) == `0`"\n',
    ),
  })
  return { service, liar: await startTestGateway({ settings: { capabilities: [pack] } }) }
}

test.each([
  { 'x-ratelimit-remaining': '10', 'x-ratelimit-reset': '1e300' },
  { 'x-ratelimit-remaining': '1', 'x-ratelimit-reset': '1800000000000000000' },
  { 'x-ratelimit-remaining': '9'.repeat(400), 'x-ratelimit-reset': '-5' },
  { 'x-ratelimit-remaining': '-1', 'x-ratelimit-limit': '-1', 'x-ratelimit-reset': 'NaN' },
  { ratelimit: `limit=${'9'.repeat(400)}, remaining=${'9'.repeat(400)}, reset=${'9'.repeat(400)}` },
])('a success stays one whatever its headers hold: %o', async headers => {
  const { service, liar } = await startLiar((_, response) => {
    for (const [name, value] of Object.entries(headers)) response.setHeader(name, value)
    sendJson(response, { name: 'x' })
  })
  await using _ = liar
  for (const id of ['thing.view', 'thing.create', 'thing.view']) {
    expect((await liar.call(id, {})).body).toMatchObject({ ok: true, data: { name: 'x' } })
  }
  expect(service.received.length).toBe(3)
  expect((await liar.get('/v1/upstreams')).status).toBe(200)
})

test.each([
  ['deep lists', `{"name":${DEEP}}`],
  ['deep objects', DEEP_OBJECT],
  ['a member that is no list', '{"items":7}'],
])('%s in an answer are OUTPUT_INVALID, once, with the outcome of the change', async (_, body) => {
  const { service, liar } = await startLiar((__, response) => {
    response.writeHead(200, { 'content-type': 'application/json' }).end(body)
  })
  await using ___ = liar
  for (const [id, outcome] of [
    ['thing.find', null],
    ['thing.make', 'applied'],
  ] as const) {
    const { body: envelope } = await liar.call(id, {})
    expect(envelope.error).toMatchObject({ code: 'OUTPUT_INVALID', write_outcome: outcome })
    const rows = await liar.get(`/v1/requests?capability=${id}`)
    expect(rows.body.data.items).toHaveLength(1)
  }
  expect(service.received.length).toBe(2)
})

test('an empty success of a change is one, with a warning; of a read it is not', async () => {
  const { liar } = await startLiar((_, response) => void response.writeHead(204).end())
  await using _ = liar
  const made = await liar.call('thing.create', {})
  expect(made.body).toMatchObject({ ok: true, data: {}, error: null })
  expect(made.body.meta.warnings).toMatchObject([{ code: 'PARTIAL_RESULTS' }])
  const read = await liar.call('thing.view', {})
  expect(read.body.error).toMatchObject({ code: 'OUTPUT_INVALID' })
})

/** A card that passes on whatever the service says. */
const open = (id: string, effect: string, routes: string) => `
id: ${id}
version: 1.0.0
description: Test.
effect: ${effect}
input: { type: object, properties: {} }
output: { type: object, additionalProperties: true, properties: {} }
prefer: [rest, graphql, cli]
routes:
${routes}`

test.each([
  // The document of GraphQL adds two levels.
  [498, null],
  [501, 'OUTPUT_INVALID'],
  [100_000, 'OUTPUT_INVALID'],
])('an answer with %d nested lists: %s on every route', async (levels, code) => {
  const deep = `{"a":${'['.repeat(levels)}${']'.repeat(levels)}}`
  const directory = await writePack({ deep })
  const service = await startService(({ url }, response) => {
    response.setHeader('content-type', 'application/json')
    response.end(url === '/graphql' ? `{"data":${deep}}` : deep)
  })
  const routesOf = (effect: string) => `
  rest: { method: ${effect === 'read' ? 'GET' : 'POST'}, path: /thing, result: body }
  graphql: { document: "${effect === 'read' ? 'query' : 'mutation'} A { a }", result: body }
  cli: { command: [-c, "cat ${directory}/deep"], parse: json, result: body }`
  const pack = await writePack({
    'upstream.yaml': `
id: deep
rest: { base_url: "${service.url}" }
graphql: { url: "${service.url}/graphql" }
cli: { command: sh }
`,
    'deep.view.yaml': open('deep.view', 'read', routesOf('read')),
    'deep.make.yaml': open('deep.make', 'write', routesOf('write')),
  })
  await using gateway = await startTestGateway({ settings: { capabilities: [pack] } })
  for (const route of ROUTES) {
    for (const [id, known] of [
      ['deep.view', null],
      // A status of GraphQL confirms nothing: the errors stand in the answer that cannot be read.
      ['deep.make', code && (route === 'graphql' ? 'unknown' : 'applied')],
    ] as const) {
      const { body } = await gateway.call(id, {}, { query: { route } })
      const { error, ok } = body
      expect([route, id, ok, error?.code ?? null, error?.write_outcome ?? null]).toEqual([
        route,
        id,
        code === null,
        code,
        known,
      ])
    }
  }
})

test.each([
  ['a body cut off in the middle', 'content-length: 100', '{"owner":'],
  ['a body that never begins', 'content-length: 100', ''],
  ['a chunk cut off in the middle', 'transfer-encoding: chunked', '50\r\n{"owner":'],
])('a caller that leaves with %s has cancelled its call', async (_, length, part) => {
  await using own = await startTestGateway()
  const { hostname, port } = new URL(own.url)
  const socket = connect(Number(port), hostname)
  socket.write(
    `POST /v1/capabilities/issue.create HTTP/1.1\r\nhost: ${hostname}\r\ncontent-type: application/json\r\n${length}\r\n\r\n${part}`,
    () => socket.destroy(),
  )
  const rows = async () => (await own.get('/v1/requests')).body.data.items
  await expect
    .poll(rows, { timeout: 15_000 })
    .toMatchObject([{ code: 'CANCELLED', http_status: 499 }])
})
