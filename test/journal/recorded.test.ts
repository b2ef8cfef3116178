import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import type { RequestDetail } from '../../src/journal/row-schemas.ts'
import { startTestGateway, type TestGateway } from '../support/gateway.ts'
import { until } from '../support/until.ts'
import { authorize, KEYS } from './callers.ts'

const REPOSITORY = { owner: 'octo-org', name: 'hello-world' }
const KEY = authorize('root')

let gateway: TestGateway
beforeAll(async () => {
  gateway = await startTestGateway({ settings: { keys: KEYS } })
})
afterAll(() => gateway[Symbol.asyncDispose]())
beforeEach(() => gateway.sandbox.faults.set([]))

test('the journal keeps the plan, with quotas and breakers as they were when it was made', async () => {
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

test('explain returns the plan in the form that the journal keeps', async () => {
  await call('repo.view', REPOSITORY, 'kept')
  const { plan } = await recorded('kept')

  const { body } = await gateway.call('repo.view/explain', REPOSITORY, { headers: KEY })
  expect(Object.keys(body.data)).toEqual(Object.keys(plan ?? {}))
  expect(body.data.candidates.map(Object.keys)).toEqual(plan?.candidates.map(Object.keys))
})

test('the journal keeps each attempt with the decision that followed it', async () => {
  gateway.sandbox.faults.set([{ on: { route: 'rest' }, do: { status: 503 }, times: 1 }])
  await call('repo.view', REPOSITORY, 'fallback')

  const { trace, request_id } = await recorded('fallback')
  expect(trace?.steps).toMatchObject([
    { kind: 'attempt', route: 'rest', failure: { code: 'SERVER' }, next: 'next_route' },
    { kind: 'attempt', route: 'graphql', failure: null, next: null },
  ])
  const { items } = await gateway.engine.journal.attempts({ code: 'SERVER' }, { limit: 1 })
  expect(items).toMatchObject([{ request_id, next: 'next_route' }])
})

test.each([
  ['an unknown key', { authorization: 'Bearer nonsense' }, '{}', 'AUTH', '(anonymous)'],
  ['malformed JSON', KEY, '{"owner":', 'VALIDATION', 'root'],
  ['a body of another type', { ...KEY, 'content-type': 'text/plain' }, 'x', 'VALIDATION', 'root'],
  ['an invalid header', { ...KEY, 'idempotency-key': 'a b' }, '{}', 'VALIDATION', 'root'],
  ['an invalid input', KEY, '{}', 'VALIDATION', 'root'],
])('a call with %s is recorded', async (name, headers, body, code, caller) => {
  const id = name.replaceAll(' ', '-')
  await fetch(`${gateway.url}/v1/capabilities/repo.view`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'x-request-id': id, ...headers },
    body,
  })

  expect(await recorded(id)).toMatchObject({ code, caller, capability_id: 'repo.view', plan: null })
})

test('strangers cannot fill the journal, which keeps a limited number of their calls a minute', async () => {
  for (let n = 0; n < 80; n++) await fetch(`${gateway.url}/v1/capabilities/x`, { method: 'POST' })
  // Records are written in the order of their calls.
  await call('repo.view', REPOSITORY, 'after-them')
  await recorded('after-them')

  const filter = { caller: '(anonymous)' }
  const { items } = await gateway.engine.journal.requests(filter, { limit: 200 })
  expect(items.length).toBeGreaterThan(10)
  expect(items.length).toBeLessThanOrEqual(60)
})

test('a call whose caller left is recorded', async () => {
  gateway.sandbox.faults.set([{ on: { route: 'rest' }, do: { hang: true }, times: 1 }])
  gateway.sandbox.log.clear()
  const caller = new AbortController()
  const headers = { ...KEY, 'x-request-id': 'given-up' }
  const left = gateway.call('repo.view', REPOSITORY, { headers, signal: caller.signal })
  await expect.poll(() => gateway.sandbox.log.rows()).toHaveLength(1)
  caller.abort()
  await expect(left).rejects.toThrow('aborted')

  expect(await recorded('given-up')).toMatchObject({ ok: false, code: 'CANCELLED' })
})

test('calls that share an attempt are all recorded, and the attempt once', async () => {
  // Slow enough for the second call to join the first.
  gateway.sandbox.faults.set([{ on: { route: 'rest' }, do: { delay_ms: 500 }, times: 1 }])
  const input = { ...REPOSITORY, name: 'Hello-World' }
  await Promise.all([call('repo.view', input, 'shared-1'), call('repo.view', input, 'shared-2')])

  const both = await Promise.all([recorded('shared-1'), recorded('shared-2')])
  expect(both.map(({ reason }) => reason)).toContain('COALESCED')
  const { items } = await gateway.engine.journal.attempts({}, { limit: 50 })
  const ids = both.map(({ request_id }) => request_id)
  const shared = items.filter(({ request_id }) => ids.includes(request_id))
  expect(shared).toHaveLength(1)
})

test('a replayed answer is recorded without the attempts of the first', async () => {
  const input = { ...REPOSITORY, title: 'Once' }
  const key = { 'idempotency-key': 'once' }
  await call('issue.create', input, 'sent', key)
  await call('issue.create', input, 'repeated', key)

  expect(await recorded('repeated')).toMatchObject({ ok: true, reason: 'IDEMPOTENT_REPLAY' })
  const { items } = await gateway.engine.journal.attempts(
    { capability: 'issue.create' },
    { limit: 50 },
  )
  expect(items.map(({ request_id }) => request_id)).toEqual([(await recorded('sent')).request_id])
})

function call(id: string, input: object, name: string, headers: Record<string, string> = {}) {
  return gateway.call(id, input, { headers: { ...KEY, 'x-request-id': name, ...headers } })
}

/** Waits for the record: some calls are answered before it is written. */
async function recorded(correlationId: string): Promise<RequestDetail> {
  const { journal } = gateway.engine
  const look = async () => {
    const { items } = await journal.requests({ correlation_id: correlationId }, { limit: 2 })
    const [only, twin] = items
    expect(twin).toBeUndefined()
    return only ? await journal.request(only.request_id) : null
  }
  return (await until(look, found => found !== null)) as RequestDetail
}
