import { afterEach, beforeEach, expect, test } from 'vitest'
import { startTestGateway, type TestGateway } from '../support/gateway.ts'

const input = { owner: 'octo-org', name: 'hello-world', title: 'Made once' }
const key = { headers: { 'idempotency-key': 'k' } }

let gateway: TestGateway
beforeEach(async () => {
  gateway = await startTestGateway({ env: { PATH: '' } })
})
afterEach(() => gateway[Symbol.asyncDispose]())

function broken(): never {
  throw new Error('out of order')
}

test('an answer that cannot be stored under its key is still returned, and the key stays taken', async () => {
  gateway.engine.state.idempotency.complete = broken
  const first = await gateway.call('issue.create', input, key)
  const second = await gateway.call('issue.create', input, key)
  expect(first.body).toMatchObject({ ok: true, data: { title: 'Made once' } })
  expect(second.body).toMatchObject({ ok: false, error: { code: 'CONFLICT' } })
})

test('a bug after a request may have been sent is reported as an unknown outcome', async () => {
  gateway.engine.state.breakers.report = broken
  const { body } = await gateway.call('issue.create', input, key)
  const again = await gateway.call('issue.create', input, key)
  expect(body.error).toMatchObject({ code: 'UNKNOWN', write_outcome: 'unknown' })
  expect(body.error.next.action).toBe('verify')
  expect(again.headers.get('idempotent-replayed')).toBe('true')
})

test('a journal that is busy past the deadline ends the request, with nothing sent', async () => {
  gateway.engine.journal.intend = () => new Promise(() => {})
  const { body } = await gateway.call('issue.create', input, { query: { timeout_ms: '100' } })
  expect(body.error).toMatchObject({ code: 'TIMEOUT', write_outcome: 'not_applied' })
  expect(gateway.sandbox.log.rows()).toEqual([])
})
