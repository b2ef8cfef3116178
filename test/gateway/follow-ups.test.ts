import { cp, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { loadCapabilities } from '../../src/cards/load.ts'
import { createAdapters } from '../../src/gateway/adapters.ts'
import { replay } from '../../src/tools/replay/replay.ts'
import { startTestGateway, type TestGateway } from '../support/gateway.ts'

const fixture = fileURLToPath(new URL('../fixtures/capabilities/orders', import.meta.url))

type Answerer = (request: IncomingMessage, response: ServerResponse) => void

let gateway: TestGateway
let seen: string[] = []
let answers: Record<string, Answerer> = {}
const server = createServer((request, response) => {
  const line = `${request.method} ${request.url}`
  seen.push(line)
  request.resume().on('end', () => {
    const answer = Object.entries(answers).find(([start]) => line.startsWith(start))?.[1]
    if (answer) return answer(request, response)
    return reply(200, { id: 'a1', shelf: 'north/7' })(request, response)
  })
})

beforeAll(async () => {
  server.listen(0, '127.0.0.1')
  await new Promise(resolve => server.once('listening', resolve))
  gateway = await startTestGateway({
    settings: { capabilities: [fixture] },
    env: { ORDERS_URL: `http://127.0.0.1:${(server.address() as AddressInfo).port}` },
  })
})
afterAll(async () => {
  await gateway[Symbol.asyncDispose]()
  server.closeAllConnections()
  server.close()
})
beforeEach(() => {
  seen = []
  answers = {}
})

const everything = { id: 'a1', note: 'too late', freeShelf: true }

test('steps follow the change in order, and see its answer', async () => {
  const { body } = await gateway.call('order.cancel', everything)
  expect(seen).toEqual([
    'POST /orders/a1/cancel',
    'POST /orders/a1/notes',
    'DELETE /shelves/north/7',
  ])
  expect(body).toMatchObject({
    ok: true,
    data: { id: 'a1', noted: true, shelfFreed: true },
    meta: { warnings: [], attempts: [{ status: 'success', upstream_requests: 3 }] },
  })
})

test('a step that is not called for is not made', async () => {
  const { body } = await gateway.call('order.cancel', { id: 'a1' })
  expect(seen).toEqual(['POST /orders/a1/cancel'])
  expect(body).toMatchObject({ data: { noted: false, shelfFreed: false }, meta: { warnings: [] } })
})

test('a change that fails has no steps', async () => {
  answers = { 'POST /orders/a1/cancel': reply(409, { message: 'Delivered already' }) }
  const { body } = await gateway.call('order.cancel', everything)
  expect(seen).toEqual(['POST /orders/a1/cancel'])
  expect(body).toMatchObject({
    ok: false,
    error: { code: 'CONFLICT', write_outcome: 'not_applied' },
  })
})

test('a refused step is a warning that names it; the others are made, and nothing is repeated', async () => {
  answers = { 'POST /orders/a1/notes': reply(403, { message: 'No notes here' }) }
  const { body } = await gateway.call('order.cancel', everything)
  expect(seen).toEqual([
    'POST /orders/a1/cancel',
    'POST /orders/a1/notes',
    'DELETE /shelves/north/7',
  ])
  expect(body).toMatchObject({
    ok: true,
    data: { noted: false, shelfFreed: true },
    meta: {
      attempts: [{ status: 'success' }],
      warnings: [
        {
          code: 'STEP_NOT_DONE',
          message: expect.stringMatching(/^The request to add the note failed: .*No notes here/),
          details: { step: 'note', code: 'FORBIDDEN', write_outcome: 'not_applied' },
        },
      ],
    },
  })
})

test('a step without an answer is not sent again, and the warning does not say that it failed', async () => {
  answers = { 'POST /orders/a1/notes': request => request.socket.destroy() }
  const { body } = await gateway.call('order.cancel', everything)
  expect(seen.filter(line => line.endsWith('/notes'))).toHaveLength(1)
  expect(body.meta.warnings).toMatchObject([
    {
      message: expect.stringMatching(/^It is not known whether the request to add the note/),
      details: { step: 'note', write_outcome: 'unknown' },
    },
  ])
})

test('the time of the attempt holds for its steps', async () => {
  answers = { 'POST /orders/a1/notes': () => {} }
  const query = { timeout_ms: '1500' }
  const { body } = await gateway.call('order.cancel', everything, { query })
  expect(body).toMatchObject({ ok: true, data: { noted: false, shelfFreed: false } })
  expect(body.meta.warnings).toMatchObject([
    { details: { step: 'note', write_outcome: 'unknown' } },
    { details: { step: 'shelf', write_outcome: 'not_applied' } },
  ])
  expect(seen).not.toContain('DELETE /shelves/north/7')
})

test('a value of the answer cannot lead a step to another path', async () => {
  answers = { 'POST /orders/a1/cancel': reply(200, { id: 'a1', shelf: '../orders/a2' }) }
  const { body } = await gateway.call('order.cancel', { id: 'a1', freeShelf: true })
  expect(seen).toEqual(['POST /orders/a1/cancel'])
  expect(body.meta.warnings).toMatchObject([{ code: 'STEP_NOT_DONE', details: { step: 'shelf' } }])
})

test('a change found after its answer was lost says which steps were not sent', async () => {
  answers = {
    'POST /orders/lost/cancel': request => request.socket.destroy(),
    'GET /orders': (...exchange) =>
      reply(200, [{ id: 'lost', cancelledAt: new Date().toISOString() }])(...exchange),
  }
  const { body } = await gateway.call('order.cancel', { id: 'lost', note: 'too late' })
  expect(body).toMatchObject({ ok: true, data: { noted: false }, meta: { reason: 'RECOVERED' } })
  expect(body.meta.warnings).toMatchObject([
    { code: 'STEP_NOT_DONE', message: expect.stringContaining('add the note was not sent') },
  ])
})

test('an input that the route does not serve is refused with the reason, and nothing is sent', async () => {
  const { status, body } = await gateway.call('order.cancel', { id: 'old' })
  expect(seen).toEqual([])
  expect(status).toBe(501)
  expect(body.error).toMatchObject({
    code: 'ADAPTER_UNSUPPORTED',
    message: expect.stringContaining('Orders of the old system cannot be cancelled.'),
    details: { reason: 'INPUT_NOT_SERVED' },
  })
  expect(body.meta.attempts).toMatchObject([
    { route: 'rest', status: 'skipped', reason: 'INPUT_NOT_SERVED' },
  ])
})

test.each([{ id: 'old' }, everything])(
  'recorded and replayed, %j gives the same decisions',
  async input => {
    answers = { 'POST /orders/a1/notes': reply(403, {}) }
    const { body } = await gateway.call('order.cancel', input)
    const { request_id } = body.meta
    const exported = await gateway.get(`/v1/requests/${request_id}/export`)
    const fixture = exported.body.data
    expect(await replay(gateway.engine, fixture)).toMatchObject({ same: true, differences: [] })
  },
)

test.each([
  ['read', /then.note writes, but the card says effect: read/],
  ['idempotent', /then.note cannot be repeated, but the card says effect: idempotent/],
])('a card of effect %s cannot have a step that must not be repeated', async (effect, message) => {
  const directory = await mkdtemp(join(tmpdir(), 'cards-'))
  await cp(fixture, directory, { recursive: true })
  const file = join(directory, 'order.cancel.yaml')
  await writeFile(
    file,
    (await readFile(file, 'utf8')).replace('effect: write', `effect: ${effect}`),
  )
  const loaded = loadCapabilities({
    directories: [directory],
    adapters: createAdapters(),
    env: { ORDERS_URL: 'http://127.0.0.1:1' },
    now: Date.now,
  })
  await loaded.close()
  await rm(directory, { recursive: true })
  expect(loaded.problems.map(problem => problem.message).join('\n')).toMatch(message)
})

function reply(status: number, body: unknown): Answerer {
  return (_request, response) => {
    response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body))
  }
}
