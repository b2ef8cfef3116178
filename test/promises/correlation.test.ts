import { connect } from 'node:net'
import { text } from 'node:stream/consumers'
import { expect, test } from 'vitest'
import { startTestGateway } from '../support/gateway.ts'
import { writePack } from '../support/packs.ts'
import { sendJson, startService } from '../support/service.ts'
import { until } from '../support/until.ts'
import { DOOR_NAMES, DOORS } from './support/doors.ts'

const ID = 'order 4711/retry+1'

const card = (effect: string, method: string) => `
id: thing.${effect}
version: 1.0.0
description: Test.
effect: ${effect}
input: { type: object, additionalProperties: false, properties: {} }
output: { type: object, required: [name], properties: { name: { type: string } } }
prefer: [rest]
routes:
  rest:
    method: ${method}
    path: /thing
    result: "{name: body.name}"
`

async function startThing() {
  const service = await startService((_, response) => sendJson(response, { name: 'x' }))
  return await writePack({
    'upstream.yaml': `
id: thing
rest: { base_url: "${service.url}" }
`,
    'thing.read.yaml': card('read', 'GET'),
    'thing.write.yaml': card('write', 'POST'),
  })
}

test.each(DOOR_NAMES)(
  'by %s, calls with one id of the caller are told apart, and all are found by it',
  async name => {
    const door = await DOORS[name](await startThing())
    const calls = [
      { capability: 'thing.read', input: {} },
      { capability: 'thing.write', input: {} },
      { capability: 'thing.read', input: { unknown: 1 } },
    ]
    const ids: unknown[] = []
    for (const call of calls) {
      const envelope = await door.call({ ...call, correlationId: ID })
      expect(envelope?.meta).toMatchObject({ correlation_id: ID })
      ids.push(envelope?.meta.request_id)
    }
    await door.call({ capability: 'thing.read', input: {} })
    expect(new Set([...ids, ID]).size).toBe(calls.length + 1)

    const rows = await door.rows()
    const found = rows.filter(row => row.correlation_id === ID)
    expect(found.map(row => row.request_id).toReversed()).toEqual(ids)
    expect(rows.filter(row => row.correlation_id === null)).toHaveLength(1)
  },
  60_000,
)

test('the answer has both ids in headers, and the list finds the call by either', async () => {
  await using gateway = await startTestGateway({ settings: { capabilities: [await startThing()] } })
  const list = `/v1/requests?correlation_id=${encodeURIComponent(ID)}`
  const headers = { 'x-request-id': ID }
  const first = await gateway.call('thing.read', {}, { headers })
  const second = await gateway.call('no.such', {}, { headers })
  for (const answer of [first, second, await gateway.get('/v1/hints', headers)]) {
    expect(answer.headers.get('x-request-id')).toBe(answer.body.meta.request_id)
    expect(answer.headers.get('x-correlation-id')).toBe(ID)
    expect(answer.body.meta.correlation_id).toBe(ID)
  }
  const { body } = await gateway.get(list)
  const ids = [second, first].map(answer => answer.body.meta.request_id)
  expect(body.data.items.map((row: { request_id: string }) => row.request_id)).toEqual(ids)
  const detail = await gateway.get(`/v1/requests/${ids[0]}`)
  expect(detail.body.data).toMatchObject({ correlation_id: ID, meta: { correlation_id: ID } })
})

test('each call of a batch can have an id of its own', async () => {
  await using gateway = await startTestGateway({ settings: { capabilities: [await startThing()] } })
  const response = await fetch(`${gateway.url}/v1/batch`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'x-request-id': 'all' },
    body: JSON.stringify({
      calls: [{ capability: 'thing.read', correlation_id: 'own' }, { capability: 'thing.read' }],
    }),
  })
  const { data } = (await response.json()) as {
    data: { results: { envelope: { meta: { correlation_id: string } } }[] }
  }
  expect(data.results.map(({ envelope }) => envelope.meta.correlation_id)).toEqual(['own', 'all'])
})

test('a replayed answer has the id of the call that it answers', async () => {
  await using gateway = await startTestGateway({ settings: { capabilities: [await startThing()] } })
  const repeat = async (more: Record<string, string>) => {
    const headers = { 'idempotency-key': 'once', ...more }
    return (await gateway.call('thing.write', {}, { headers })).body.meta
  }
  expect(await repeat({ 'x-request-id': 'first' })).toMatchObject({ correlation_id: 'first' })
  expect(await repeat({ 'x-request-id': 'second' })).toMatchObject({ correlation_id: 'second' })
  expect(await repeat({})).not.toHaveProperty('correlation_id')
})

test.each([
  ['longer than 128 characters', { 'x-request-id': 'x'.repeat(129) }],
  ['of other characters', { 'x-request-id': 'caf\u00e9' }],
  ['blank', { 'x-request-id': '' }],
  ['a token', { 'x-request-id': `ghp_${'a'.repeat(36)}` }],
  [
    "the call's own credential",
    { 'x-request-id': 'my-secret', 'x-upstream-authorization': 'Bearer my-secret' },
  ],
])('an id that is %s is ignored', async (_, headers) => {
  await using gateway = await startTestGateway({ settings: { capabilities: [await startThing()] } })
  const answer = await gateway.call('thing.read', {}, { headers })
  expect(answer.headers.get('x-correlation-id')).toBeNull()
  expect(answer.body.meta).not.toHaveProperty('correlation_id')
  const { body } = await gateway.get('/v1/requests')
  expect(body.data.items).toMatchObject([{ correlation_id: null }])
})

test('X-Correlation-Id takes precedence, because proxies set X-Request-Id', async () => {
  await using gateway = await startTestGateway({ settings: { capabilities: [await startThing()] } })
  const headers = { 'x-request-id': 'of-the-proxy', 'x-correlation-id': 'mine' }
  const { body } = await gateway.call('thing.read', {}, { headers })
  expect(body.meta.correlation_id).toBe('mine')
})

test.each([
  ['a batch', '/v1/batch', { calls: [{ capability: 'thing.read', correlation_id: 'é' }] }],
  [
    'MCP',
    '/mcp?tools=all&profile=default',
    {
      jsonrpc: '2.0',
      id: 1,
      method: 'tools/call',
      params: { name: 'thing_read', arguments: {}, _meta: { 'signalbox/correlation_id': 'é' } },
    },
  ],
])('an invalid id among the options of %s is refused', async (_, path, body) => {
  await using gateway = await startTestGateway({ settings: { capabilities: [await startThing()] } })
  const response = await fetch(`${gateway.url}${path}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', accept: 'application/json, text/event-stream' },
    body: JSON.stringify(body),
  })
  expect((await response.text()).replaceAll('\\"', '"')).toMatch(/"code":"VALIDATION"/)
})

test('the log has both ids, and an unmet expectation is answered with both', async () => {
  const lines: Readonly<Record<string, unknown>>[] = []
  await using gateway = await startTestGateway({ onLog: line => lines.push(line) })
  await gateway.get('/v1/hints', { 'x-request-id': ID })
  const [line] = await until(
    () => lines.filter(({ msg }) => msg === 'request'),
    found => found.length > 0,
  )
  expect(line).toMatchObject({
    request_id: expect.stringMatching(/^[0-9A-Z]{26}$/),
    correlation_id: ID,
  })

  const socket = connect(Number(new URL(gateway.url).port), '127.0.0.1')
  socket.write(
    `POST /v1/batch HTTP/1.1\r\nhost: localhost\r\nexpect: magic\r\nx-request-id: ${ID}\r\ncontent-length: 0\r\n\r\n`,
  )
  expect(await text(socket)).toContain(`x-correlation-id: ${ID}\r\n`)
})
