import { Ajv2020 } from 'ajv/dist/2020.js'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { sendBatch } from '../support/batch.ts'
import { startTestGateway, type TestGateway } from '../support/gateway.ts'
import { webhookIn } from '../support/webhook.ts'

const repo = { owner: 'octo-org', name: 'hello-world' }
const view = { capability: 'repo.view', input: repo }
const nowhere = { capability: 'repo.view', input: { ...repo, name: 'nowhere' } }

// oxlint-disable-next-line typescript/no-explicit-any -- a document of our own
type Any = any

let gateway: TestGateway
beforeAll(async () => {
  gateway = await startTestGateway()
})
beforeEach(() => gateway.sandbox.reset())
afterAll(() => gateway[Symbol.asyncDispose]())

const send = (calls: unknown, options = {}) => sendBatch(gateway, { calls }, options)
const sent = () => gateway.sandbox.log.rows()
const made = (title: string) =>
  [
    ...(gateway.sandbox.store.repositories.find('octo-org', 'hello-world')?.items.values() ?? []),
  ].filter(item => item.title === title)

describe('a batch', () => {
  test('answers each call, in order, with the envelope that it gets alone', async () => {
    const calls = [
      { id: 'first', ...view },
      { ...nowhere },
      { id: 'third', capability: 'issue.view', input: { ...repo, issueNumber: 1 } },
    ]
    const { status, body, results } = await send(calls)
    expect(status).toBe(200)
    expect(Object.keys(body)).toEqual(['ok', 'data', 'error', 'meta'])
    expect(body.data).toMatchObject({ status: 'partial', total: 3, succeeded: 2, failed: 1 })
    expect(results.map(({ id, ok, http_status }) => [id, ok, http_status])).toEqual([
      ['first', true, 200],
      [null, false, 404],
      ['third', true, 200],
    ])
    for (const [index, { capability, input }] of calls.entries()) {
      const alone = await gateway.call(capability, input)
      const { envelope } = results[index] ?? {}
      expect(envelope?.data).toEqual(alone.body.data)
      expect(envelope?.error?.code).toBe(alone.body.error?.code)
    }
  })

  test.each([
    ['success', [view, view]],
    ['partial', [view, nowhere]],
    ['failed', [nowhere, { capability: 'no.such' }]],
  ])('is a %s', async (status, calls) => {
    const answer = await send(calls)
    expect(answer.status).toBe(200)
    expect(answer.body).toMatchObject({ ok: true, data: { status } })
  })

  test('shares its id with its calls, which are recorded one by one', async () => {
    const { body, headers, results } = await send([view, { capabilty: 'repo.view' }], {
      headers: { 'x-request-id': 'batch-of-mine' },
    })
    const { request_id: batch_id } = body.meta
    expect(headers.get('x-request-id')).toBe(batch_id)
    expect(headers.get('x-correlation-id')).toBe('batch-of-mine')
    expect(new Set(results.map(({ request_id }) => request_id)).size).toBe(2)
    for (const { request_id, ok, envelope } of results) {
      expect(envelope.meta).toMatchObject({ request_id, batch_id, correlation_id: 'batch-of-mine' })
      const { body: record } = await gateway.get(`/v1/requests/${request_id}`)
      expect(record.data).toMatchObject({ ok, correlation_id: 'batch-of-mine', meta: { batch_id } })
    }
  })

  test('takes all options for each call', async () => {
    const list = { capability: 'issue.list', input: repo }
    const { results } = await send(
      [
        { ...list, fields: 'items.number' },
        { ...list, token_budget: 300, profile: 'budgeted' },
        { ...list, route: 'graphql', fields: 'items.title' },
        { ...list, fields: 'items.colour' },
        list,
      ],
      { query: { profile: 'compact' } },
    )
    const [fields, budget, route, wrong, plain] = results.map(({ envelope }) => envelope as unknown)
    expect(Object.keys((fields as { data: (typeof list.input)[] }).data)).toEqual(['items'])
    expect(budget).toMatchObject({ truncated: true, tokenBudget: { requested: 300 } })
    expect(route).toMatchObject({ ok: true, data: { items: expect.any(Array) } })
    expect(wrong).toMatchObject({ err: { code: 'VALIDATION' } })
    expect(Object.keys(plain as object)).toEqual(['ok', 'data'])
  })

  test('keeps each envelope within the budget of the batch', async () => {
    const list = { capability: 'issue.list', input: repo }
    const { results } = await send([list, { ...list, token_budget: 400 }], {
      query: { token_budget: '200' },
    })
    const sizes = results.map(({ envelope }) => Buffer.byteLength(JSON.stringify(envelope)) / 4)
    expect(sizes[0]).toBeLessThanOrEqual(200)
    expect(sizes[1]).toBeLessThanOrEqual(400)
    expect(sizes[1]).toBeGreaterThan(sizes[0] as number)
  })

  test("presents the caller's own token for every call", async () => {
    const headers = { 'x-upstream-authorization': 'Bearer nobody-knows-this' }
    const { results } = await send([view, { ...view, route: 'graphql' }], { headers })
    expect(results.map(({ envelope }) => envelope.error.code)).toEqual(['AUTH', 'AUTH'])
  })

  test('coalesces identical reads', async () => {
    const { results } = await send([view, view, view])
    const joined = results.filter(({ envelope }) => envelope.meta.reason === 'COALESCED')
    expect(joined).toHaveLength(2)
    expect(sent()).toHaveLength(1)
  })
})

describe('one faulty call does not affect the others', () => {
  const faults: [string, unknown, string, string[]][] = [
    ['a call that is not an object', 5, 'VALIDATION', []],
    ['null', null, 'VALIDATION', []],
    ['an unknown member', { ...view, capabilty: 'x' }, 'VALIDATION', ['capabilty']],
    ['no capability', { input: repo }, 'VALIDATION', ['capability']],
    ['an unknown capability', { ...view, capability: 'repo.vieww' }, 'NOT_FOUND', ['capability']],
    ['a member of every object', { ...view, capability: 'toString' }, 'NOT_FOUND', ['capability']],
    ['a faulty input', { ...view, input: { ...repo, nam: 'x' } }, 'VALIDATION', ['nam']],
    ['an input that is not an object', { ...view, input: [] }, 'VALIDATION', []],
    ['an unknown route', { ...view, route: 'pigeon' }, 'VALIDATION', ['route']],
    ['a timeout that is text', { ...view, timeout_ms: '1000' }, 'VALIDATION', ['timeout_ms']],
    ['a timeout of 0', { ...view, timeout_ms: 0 }, 'VALIDATION', ['timeout_ms']],
    ['an unknown dialect', { ...view, profile: 'klingon' }, 'VALIDATION', ['profile']],
    ['unknown fields', { ...view, fields: 'stars' }, 'VALIDATION', ['fields']],
    ['an empty key', { ...view, idempotency_key: '' }, 'VALIDATION', ['idempotency_key']],
    ['a duplicate id', { ...view, id: 'good' }, 'VALIDATION', ['id']],
    ['an id that is not text', { ...view, id: 7 }, 'VALIDATION', ['id']],
  ]

  test.each(faults)('%s', async (_name, call, code, fields) => {
    const { body, results } = await send([{ id: 'good', ...view }, call, nowhere])
    expect(body.data.status).toBe('partial')
    expect(results.map(({ ok }) => ok)).toEqual([true, false, false])
    const { envelope } = results[1] ?? {}
    expect(envelope?.error).toMatchObject({ code, source: 'caller' })
    const named = envelope?.error.details.fields.map(({ path }: { path: string }) => path)
    expect(named).toEqual(expect.arrayContaining(fields))
  })
})

describe('a faulty batch is refused before anything is sent', () => {
  const faults: [string, unknown, object, string][] = [
    ['no calls', {}, {}, 'calls'],
    ['an unknown member', { calls: [view], cals: [] }, {}, 'cals'],
    ['calls that are not a list', { calls: view }, {}, 'calls'],
    ['an empty list', { calls: [] }, {}, 'calls'],
    ['too many calls', { calls: Array.from({ length: 51 }, () => view) }, {}, 'calls'],
    ['a list', [view], {}, ''],
    ['an unknown parameter', { calls: [view] }, { query: { fields: 'name' } }, 'fields'],
    ['an invalid timeout', { calls: [view] }, { query: { timeout_ms: '0' } }, 'timeout_ms'],
    ['an unknown dialect', { calls: [view] }, { query: { profile: 'klingon' } }, 'profile'],
    [
      'one key for all calls',
      { calls: [view] },
      { headers: { 'idempotency-key': 'k' } },
      'idempotency-key',
    ],
    [
      'a malformed token',
      { calls: [view] },
      { headers: { 'x-upstream-authorization': 'a b c' } },
      'x-upstream-authorization',
    ],
  ]

  test.each(faults)('%s', async (_name, batch, options, field) => {
    const { status, body } = await sendBatch(gateway, batch, options)
    expect(status).toBe(400)
    expect(Object.keys(body)).toEqual(['ok', 'data', 'error', 'meta'])
    expect(body.error).toMatchObject({ code: 'VALIDATION', source: 'caller' })
    const named = body.error.details.fields.map(({ path }: { path: string }) => path)
    expect(named).toContain(field)
    expect(sent()).toEqual([])
  })

  test('for an unknown gateway key, and recorded', async () => {
    await using locked = await startTestGateway({
      settings: { keys: [{ name: 'ops', secret: 'ops-secret-0123456789', operator: true }] },
    })
    const refused = await sendBatch(locked, { calls: [view] })
    expect(refused).toMatchObject({ status: 401, body: { error: { code: 'AUTH' } } })
    const authorization = 'Bearer ops-secret-0123456789'
    const { body } = await locked.get(`/v1/requests/${refused.body.meta.request_id}`, {
      authorization,
    })
    expect(body.data).toMatchObject({ code: 'AUTH', capability_id: null })
  })
})

test('a gateway key has the same rights in a batch as alone', async () => {
  await using locked = await startTestGateway({
    env: { SIGNALBOX_KEYS: 'plain:plain-secret-0123456789,asks:asks-secret-0123456789:graphql' },
  })
  const calls = [view, { capability: 'graphql.query', input: { query: '{ viewer { login } }' } }]
  const sendAs = async (secret: string) =>
    (await sendBatch(locked, { calls }, { headers: { authorization: `Bearer ${secret}` } })).results
  const [seen, refused] = await sendAs('plain-secret-0123456789')
  expect(seen?.ok).toBe(true)
  expect(refused?.envelope.error).toMatchObject({ code: 'FORBIDDEN', source: 'caller' })
  const [, served] = await sendAs('asks-secret-0123456789')
  expect(served?.envelope.data).toEqual({ data: { viewer: { login: 'octocat' } } })
})

describe('writes', () => {
  // A gateway that remembers writes would take an id that a reset sandbox gives again for that of another write.
  beforeEach(async () => {
    await gateway[Symbol.asyncDispose]()
    gateway = await startTestGateway()
  })

  const create = (title: string, more = {}) => ({
    capability: 'issue.create',
    input: { ...repo, title },
    ...more,
  })

  test('run in the given order', async () => {
    const titles = ['One', 'Two', 'Three', 'Four']
    const { results } = await send(titles.map(title => create(title)))
    const numbers = results.map(({ envelope }) => envelope.data.number)
    expect(numbers).toEqual(numbers.toSorted((a, b) => a - b))
    expect(titles.map(title => made(title).length)).toEqual([1, 1, 1, 1])
  })

  test('are sent once: one whose answer is lost is recovered, and the others go on', async () => {
    gateway.sandbox.faults.set([{ on: { route: 'rest', method: 'POST' }, do: { reset: 'after' } }])
    const { body, results } = await send([create('Lost'), view, create('Next')])
    expect(body.data.status).toBe('success')
    expect(results[0]?.envelope).toMatchObject({
      data: { number: made('Lost')[0]?.number },
      meta: { reason: 'RECOVERED' },
    })
    expect(made('Lost')).toHaveLength(1)
    expect(made('Next')).toHaveLength(1)
    expect(sent().filter(({ method, applied }) => method === 'POST' && applied)).toHaveLength(2)
  })

  test('that cannot be verified stay unknown, and are not sent again', async () => {
    const input = webhookIn(gateway.sandbox)
    gateway.sandbox.faults.set([{ on: { route: 'rest', method: 'POST' }, do: { reset: 'after' } }])
    const { results } = await send([{ capability: 'repo.webhook.ping', input }, view])
    expect(results[0]?.envelope.error).toMatchObject({ write_outcome: 'unknown' })
    expect(results[1]?.ok).toBe(true)
    expect(sent().filter(({ method }) => method === 'POST')).toHaveLength(1)
  })

  test('run once for each key', async () => {
    const calls = [
      create('Keyed', { idempotency_key: 'b-1' }),
      create('Keyed', { idempotency_key: 'b-1' }),
      create('Other', { idempotency_key: 'b-1' }),
      create('Other', { idempotency_key: 'b-2' }),
    ]
    const { results } = await send(calls)
    const [first, again, clash] = results
    expect(again?.envelope.data).toEqual(first?.envelope.data)
    expect(again?.envelope.meta.reason).toBe('IDEMPOTENT_REPLAY')
    expect(clash).toMatchObject({ http_status: 422 })
    expect(made('Keyed')).toHaveLength(1)
    expect(made('Other')).toHaveLength(1)
    const later = await send(calls.slice(0, 1))
    expect(later.results[0]?.envelope.data).toEqual(first?.envelope.data)
    expect(later.results[0]?.envelope.meta.batch_id).toBe(later.body.meta.request_id)
  })
})

describe('the timeout', () => {
  test('covers the whole batch, and calls that have no time left are not sent', async () => {
    const ping = { capability: 'repo.webhook.ping', input: webhookIn(gateway.sandbox) }
    gateway.sandbox.faults.set([{ on: { method: 'POST' }, do: { hang: true }, times: 9 }])
    const { results } = await send([ping, ping, view], { query: { timeout_ms: '1500' } })
    const [hung, late, fine] = results
    expect(hung?.envelope.error).toMatchObject({ code: 'TIMEOUT', write_outcome: 'unknown' })
    expect(late?.envelope.error).toMatchObject({ code: 'TIMEOUT', write_outcome: 'not_applied' })
    expect(fine?.ok).toBe(true)
    expect(sent().filter(({ method }) => method === 'POST')).toHaveLength(1)
  })

  test('can be shorter for one call', async () => {
    gateway.sandbox.faults.set([{ on: { path: 'hello-world$' }, do: { hang: true }, times: 9 }])
    const { results } = await send([
      { ...view, timeout_ms: 200, route: 'rest' },
      { capability: 'issue.view', input: { ...repo, issueNumber: 1 } },
    ])
    expect(results[0]?.envelope.error.code).toBe('TIMEOUT')
    expect(results[1]?.ok).toBe(true)
  })
})

test('a caller who leaves cancels the reads, and nothing else starts', async () => {
  gateway.sandbox.faults.set([{ on: {}, do: { hang: true }, times: 99 }])
  const controller = new AbortController()
  const create = (title: string) => ({ capability: 'issue.create', input: { ...repo, title } })
  const reads = Array.from({ length: 20 }, (_, index) => ({
    capability: 'issue.view',
    input: { ...repo, issueNumber: index + 1 },
  }))
  const calls = [...reads, { ...view, route: 'graphql' }, create('First'), create('Second')]
  const leaving = send(calls, { signal: controller.signal, query: { timeout_ms: '3000' } })
  const counts = () => ({
    reads: sent().filter(({ path }) => /issues\/\d+$/.test(path)).length,
    // Not the reads that verify the write.
    shared: sent().filter(({ operation }) => operation === 'RepoView').length,
    changes: sent().filter(({ route, method }) => route === 'rest' && method === 'POST').length,
  })
  await expect.poll(counts).toEqual({ reads: 8, shared: 1, changes: 1 })
  controller.abort()
  await expect(leaving).rejects.toThrow(/abort/i)
  // All but the write that was under way, which runs to its end.
  const cancelled = async () =>
    (await gateway.get('/v1/requests?code=CANCELLED&limit=100')).body.data.items.length
  await expect.poll(cancelled, { timeout: 20_000 }).toBe(calls.length - 1)
  expect(counts()).toEqual({ reads: 8, shared: 1, changes: 1 })
})

test('/openapi.json describes the batch, with the ids of all capabilities', async () => {
  const document = (await (await fetch(`${gateway.url}/openapi.json`)).json()) as Any
  const { post } = document.paths['/v1/batch']
  expect(post.requestBody.content['application/json'].schema.$ref).toMatch(/BatchRequest$/)
  const { BatchRequest, BatchAnswer } = document.components.schemas
  const { capability, route } = BatchRequest.properties.calls.items.properties
  expect(capability.enum).toEqual(gateway.engine.catalog.all().map(({ id }) => id))
  expect(route.enum).toEqual(['rest', 'graphql', 'cli'])
  const { body } = await send([view, nowhere])
  expect(
    new Ajv2020({ strict: false, validateFormats: false })
      .addSchema(document, 'api')
      .validate('api#/components/schemas/BatchAnswer', body),
  ).toBe(true)
  expect(Object.keys(BatchAnswer.properties)).toEqual(['ok', 'data', 'error', 'meta'])
})
