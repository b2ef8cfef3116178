import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { replay } from '../../src/call/replay/replay.ts'
import { startTestGateway, type TestGateway } from '../support/gateway.ts'
import { copyPack, loadPacks } from '../support/packs.ts'
import { type Answer, openService, type Service, sendJson } from '../support/service.ts'

const fixture = fileURLToPath(new URL('../fixtures/capabilities/orders', import.meta.url))

let service: Service
let gateway: TestGateway
/** The answers of this test, by the beginning of the request line. */
let answers: Record<string, Answer> = {}
let before = 0
const seen = () => service.lines().slice(before)

beforeAll(async () => {
  service = await openService((request, response) => {
    const line = `${request.method} ${request.url}`
    const answer = Object.entries(answers).find(([start]) => line.startsWith(start))?.[1]
    if (answer) return answer(request, response)
    return sendJson(response, { id: 'a1', shelf: 'north/7' })
  })
  gateway = await startTestGateway({
    settings: { capabilities: [fixture] },
    env: { ORDERS_URL: service.url },
  })
})
afterAll(async () => {
  await gateway[Symbol.asyncDispose]()
  await service[Symbol.asyncDispose]()
})
beforeEach(() => {
  before = service.received.length
  answers = {}
})

/** The requests of a call that sends everything. */
const ALL_SENT = ['POST /orders/a1/cancel', 'POST /orders/a1/notes', 'DELETE /shelves/north/7']
const everything = { id: 'a1', note: 'too late', freeShelf: true }

test('steps follow the change in order, and see its answer', async () => {
  const { body } = await gateway.call('order.cancel', everything)
  expect(seen()).toEqual(ALL_SENT)
  expect(body).toMatchObject({
    ok: true,
    data: { id: 'a1', noted: true, shelfFreed: true },
    meta: { warnings: [], attempts: [{ status: 'success', upstream_requests: 3 }] },
  })
})

test('a step whose condition is false is not sent', async () => {
  const { body } = await gateway.call('order.cancel', { id: 'a1' })
  expect(seen()).toEqual(['POST /orders/a1/cancel'])
  expect(body).toMatchObject({ data: { noted: false, shelfFreed: false }, meta: { warnings: [] } })
})

test('a change that fails sends no steps', async () => {
  answers = { 'POST /orders/a1/cancel': reply(409, { message: 'Delivered already' }) }
  const { body } = await gateway.call('order.cancel', everything)
  expect(seen()).toEqual(['POST /orders/a1/cancel'])
  expect(body).toMatchObject({
    ok: false,
    error: { code: 'CONFLICT', write_outcome: 'not_applied' },
  })
})

test('a refused step is a warning that names it, and the other steps are sent', async () => {
  answers = { 'POST /orders/a1/notes': reply(403, { message: 'No notes here' }) }
  const { body } = await gateway.call('order.cancel', everything)
  expect(seen()).toEqual(ALL_SENT)
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

test('a step without an answer is not sent again, and the warning calls its outcome unknown', async () => {
  answers = { 'POST /orders/a1/notes': cutOff }
  const { body } = await gateway.call('order.cancel', everything)
  expect(seen().filter(line => line.endsWith('/notes'))).toHaveLength(1)
  expect(body.meta.warnings).toMatchObject([
    {
      message: expect.stringMatching(/^It is not known whether the request to add the note/),
      details: { step: 'note', write_outcome: 'unknown' },
    },
  ])
})

test('the timeout of the attempt covers its steps', async () => {
  answers = { 'POST /orders/a1/notes': () => {} }
  const query = { timeout_ms: '1500' }
  const { body } = await gateway.call('order.cancel', everything, { query })
  expect(body).toMatchObject({ ok: true, data: { noted: false, shelfFreed: false } })
  expect(body.meta.warnings).toMatchObject([
    { details: { step: 'note', write_outcome: 'unknown' } },
    { details: { step: 'shelf', write_outcome: 'not_applied' } },
  ])
  expect(seen()).not.toContain('DELETE /shelves/north/7')
})

test('a value from the answer cannot change the path of a step', async () => {
  answers = { 'POST /orders/a1/cancel': reply(200, { id: 'a1', shelf: '../orders/a2' }) }
  const { body } = await gateway.call('order.cancel', { id: 'a1', freeShelf: true })
  expect(seen()).toEqual(['POST /orders/a1/cancel'])
  expect(body.meta.warnings).toMatchObject([{ code: 'STEP_NOT_DONE', details: { step: 'shelf' } }])
})

test('a recovered change names the steps that were not sent', async () => {
  answers = {
    'POST /orders/lost/cancel': cutOff,
    'GET /orders': (...exchange) =>
      reply(200, [{ id: 'lost', cancelledAt: new Date().toISOString() }])(...exchange),
  }
  const { body } = await gateway.call('order.cancel', { id: 'lost', note: 'too late' })
  expect(body).toMatchObject({ ok: true, data: { noted: false }, meta: { reason: 'RECOVERED' } })
  expect(body.meta.warnings).toMatchObject([
    { code: 'STEP_NOT_DONE', message: expect.stringContaining('add the note was not sent') },
  ])
})

test('an input that the route does not serve is refused with the reason before anything is sent', async () => {
  const { status, body } = await gateway.call('order.cancel', { id: 'old' })
  expect(seen()).toEqual([])
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

test.each([{ id: 'old' }, everything])('a replay of %j makes the same decisions', async input => {
  answers = { 'POST /orders/a1/notes': reply(403, {}) }
  const { body } = await gateway.call('order.cancel', input)
  const { request_id } = body.meta
  const exported = await gateway.get(`/v1/requests/${request_id}/export`)
  const fixture = exported.body.data
  expect(await replay(gateway.engine, fixture)).toMatchObject({ same: true, differences: [] })
})

test.each([
  ['read', /then.note writes, but the card says effect: read/],
  ['idempotent', /then.note cannot be repeated, but the card says effect: idempotent/],
])('a card of effect %s cannot have a step that must not be repeated', async (effect, message) => {
  const file = 'order.cancel.yaml'
  const pack = await copyPack(fixture, { file, from: 'effect: write', to: `effect: ${effect}` })
  const { problems } = await loadPacks([pack], { ORDERS_URL: 'http://127.0.0.1:1' })
  expect(problems.map(problem => problem.message).join('\n')).toMatch(message)
})

function reply(status: number, body: unknown): Answer {
  return (_request, response) => sendJson(response, body, status)
}

function cutOff(...[, response]: Parameters<Answer>): void {
  response.destroy()
}
