import { setTimeout as delay } from 'node:timers/promises'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import type { RequestDetail } from '../../src/journal/row-schemas.ts'
import { startTestGateway, type TestGateway } from '../support/gateway.ts'

const KEYS = [{ name: 'root', secret: 'root-secret-0123456789', operator: true }]
const REPOSITORY = { owner: 'octo-org', name: 'hello-world' }
const KEY = { authorization: 'Bearer root-secret-0123456789' }

let gateway: TestGateway
beforeAll(async () => {
  gateway = await startTestGateway({ settings: { keys: KEYS } })
})
afterAll(() => gateway[Symbol.asyncDispose]())
beforeEach(() => gateway.sandbox.faults.set([]))

test('the plan is kept with what was known of quotas and breakers when it was made', async () => {
  await call('repo.view', REPOSITORY, 'first')
  await call('repo.view', REPOSITORY, 'second')

  const { plan } = await recorded('second')
  expect(plan?.candidates[0]).toEqual({
    route: 'rest',
    reason: 'CARD_PREFERRED',
    state: {
      pool: 'github:core',
      remaining: expect.any(Number),
      reset_at: expect.stringMatching(/Z$/),
      breaker: 'closed',
    },
  })
})

test('explain shows the plan in the form in which it is kept', async () => {
  await call('repo.view', REPOSITORY, 'kept')
  const { plan } = await recorded('kept')

  const { body } = await gateway.call('repo.view/explain', REPOSITORY, { headers: KEY })
  expect(Object.keys(body.data)).toEqual(Object.keys(plan ?? {}))
  expect(body.data.candidates.map(Object.keys)).toEqual(plan?.candidates.map(Object.keys))
})

test('an attempt is kept with what was decided after it', async () => {
  gateway.sandbox.faults.set([{ on: { route: 'rest' }, do: { status: 503 }, times: 1 }])
  await call('repo.view', REPOSITORY, 'fallback')

  const { trace } = await recorded('fallback')
  expect(trace?.steps).toMatchObject([
    { kind: 'attempt', route: 'rest', failure: { code: 'SERVER' }, next: 'next_route' },
    { kind: 'attempt', route: 'graphql', failure: null, next: null },
  ])
  const { items } = await gateway.engine.journal.attempts({ code: 'SERVER' }, { limit: 1 })
  expect(items).toMatchObject([{ request_id: 'fallback', next: 'next_route' }])
})

test.each([
  ['a key that is not known', { authorization: 'Bearer nonsense' }, '{}', 'AUTH', '(anonymous)'],
  ['JSON that cannot be read', KEY, '{"owner":', 'VALIDATION', 'root'],
  ['a body of another type', { ...KEY, 'content-type': 'text/plain' }, 'x', 'VALIDATION', 'root'],
  [
    'a header that cannot be used',
    { ...KEY, 'idempotency-key': 'a b' },
    '{}',
    'VALIDATION',
    'root',
  ],
  ['an input that is not valid', KEY, '{}', 'VALIDATION', 'root'],
])('a call with %s is recorded', async (name, headers, body, code, caller) => {
  const id = name.replaceAll(' ', '-')
  await fetch(`${gateway.url}/v1/capabilities/repo.view`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'x-request-id': id, ...headers },
    body,
  })

  expect(await recorded(id)).toMatchObject({ code, caller, capability_id: 'repo.view', plan: null })
})

test('strangers cannot fill the journal: of their calls, so many a minute are kept', async () => {
  for (let n = 0; n < 80; n++) await fetch(`${gateway.url}/v1/capabilities/x`, { method: 'POST' })
  await delay(50)

  const filter = { caller: '(anonymous)' }
  const { items } = await gateway.engine.journal.requests(filter, { limit: 200 })
  expect(items.length).toBeGreaterThan(10)
  expect(items.length).toBeLessThanOrEqual(60)
})

test('a call that its caller gave up is recorded', async () => {
  gateway.sandbox.faults.set([{ on: { route: 'rest' }, do: { delay_ms: 3000 }, times: 1 }])
  const signal = AbortSignal.timeout(300)
  const headers = { ...KEY, 'x-request-id': 'given-up' }
  await gateway.call('repo.view', REPOSITORY, { headers, signal }).catch(() => {})

  expect(await recorded('given-up')).toMatchObject({ ok: false, code: 'CANCELLED' })
})

test('calls that shared an attempt are all recorded, the attempt once', async () => {
  gateway.sandbox.faults.set([{ on: { route: 'rest' }, do: { delay_ms: 500 }, times: 1 }])
  const input = { ...REPOSITORY, name: 'Hello-World' }
  await Promise.all([call('repo.view', input, 'shared-1'), call('repo.view', input, 'shared-2')])

  const both = await Promise.all([recorded('shared-1'), recorded('shared-2')])
  expect(both.map(({ reason }) => reason)).toContain('COALESCED')
  const { items } = await gateway.engine.journal.attempts({}, { limit: 50 })
  const shared = items.filter(({ request_id }) => request_id.startsWith('shared-'))
  expect(shared).toHaveLength(1)
})

test('a repeated answer is recorded without the attempts that were made for the first', async () => {
  const input = { ...REPOSITORY, title: 'Once' }
  const key = { 'idempotency-key': 'once' }
  await call('issue.create', input, 'sent', key)
  await call('issue.create', input, 'repeated', key)

  expect(await recorded('repeated')).toMatchObject({ ok: true, reason: 'IDEMPOTENT_REPLAY' })
  const { items } = await gateway.engine.journal.attempts(
    { capability: 'issue.create' },
    { limit: 50 },
  )
  expect(items.map(({ request_id }) => request_id)).toEqual(['sent'])
})

function call(id: string, input: object, requestId: string, headers: Record<string, string> = {}) {
  return gateway.call(id, input, { headers: { ...KEY, 'x-request-id': requestId, ...headers } })
}

/** Some are answered before they are written. */
async function recorded(requestId: string): Promise<RequestDetail> {
  for (;;) {
    const found = await gateway.engine.journal.request(requestId)
    if (found) return found
    await delay(10)
  }
}
