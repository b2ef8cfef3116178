import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { startTestGateway, type TestGateway } from '../support/gateway.ts'
import { webhookIn } from '../support/webhook.ts'

const repo = { owner: 'octo-org', name: 'hello-world' }

describe('a write is never sent twice', () => {
  let gateway: TestGateway
  beforeAll(async () => {
    gateway = await startTestGateway()
  })
  beforeEach(() => gateway.sandbox.reset())
  afterAll(() => gateway[Symbol.asyncDispose]())

  const made = (title: string) =>
    [
      ...(gateway.sandbox.store.repositories.find('octo-org', 'hello-world')?.items.values() ?? []),
    ].filter(item => item.title === title)

  test('cut off after it was applied, it is recovered by verifying', async () => {
    gateway.sandbox.faults.set([{ on: { route: 'rest', method: 'POST' }, do: { reset: 'after' } }])
    const { body } = await gateway.call('issue.create', { ...repo, title: 'Only once' })
    expect(made('Only once')).toHaveLength(1)
    expect(body).toMatchObject({
      ok: true,
      data: { number: made('Only once')[0]?.number },
      meta: { reason: 'RECOVERED' },
    })
    expect(body.meta.attempts[0]).toMatchObject({
      error_code: 'NETWORK',
      write_outcome: 'unknown',
      next: 'verify',
    })
    const looks = body.meta.attempts.slice(1)
    expect(looks.map(({ purpose, capability_id }) => [purpose, capability_id])).toContainEqual([
      'verify',
      'issue.list',
    ])
    expect(looks.every(({ purpose }) => purpose === 'verify')).toBe(true)
    expect(body.meta.attempts[0]).not.toHaveProperty('purpose')
    const { body: rows } = await gateway.get('/v1/attempts?capability=issue.create')
    const own = rows.data.items.filter(
      (row: { request_id: string }) => row.request_id === body.meta.request_id,
    )
    expect(own).toMatchObject([{ code: 'NETWORK', purpose: null }])
  })

  test('cut off before it was applied, it is sent by the next route once it is surely absent', async () => {
    gateway.sandbox.faults.set([{ on: { route: 'rest', method: 'POST' }, do: { reset: 'before' } }])
    const { body } = await gateway.call('issue.create', { ...repo, title: 'Second try' })
    expect(made('Second try')).toHaveLength(1)
    expect(body.ok).toBe(true)
  })

  test('without time to verify, its outcome is unknown, and the advice is not to repeat it', async () => {
    gateway.sandbox.faults.set([{ on: { route: 'rest', method: 'POST' }, do: { reset: 'before' } }])
    const { body } = await gateway.call(
      'issue.create',
      { ...repo, title: 'No time' },
      { query: { timeout_ms: '1000' } },
    )
    expect(body.error).toMatchObject({
      write_outcome: 'unknown',
      next: { action: 'verify', capability: 'issue.list' },
    })
    expect(body.meta.reason).toBe('WRITE_OUTCOME_UNKNOWN')
    expect(made('No time')).toHaveLength(0)
  })

  test('a 502 ends the attempts if the card cannot verify', async () => {
    const hook = webhookIn(gateway.sandbox)
    gateway.sandbox.faults.set([
      { on: { route: 'rest', method: 'POST' }, do: { status: 502 }, times: 9 },
    ])
    const { body } = await gateway.call('repo.webhook.ping', hook)
    expect(body.error).toMatchObject({
      code: 'SERVER',
      write_outcome: 'unknown',
      next: { action: 'ask_human' },
    })
    expect(body.meta.attempts).toHaveLength(1)
  })

  test('a refusal that surely changed nothing leads to the next route', async () => {
    gateway.sandbox.faults.set([
      { on: { route: 'rest', method: 'POST' }, do: { rate_limit: 'primary' } },
    ])
    const { body } = await gateway.call('issue.create', { ...repo, title: 'By the other route' })
    expect(body).toMatchObject({ ok: true, meta: { route_used: 'graphql' } })
    expect(made('By the other route')).toHaveLength(1)
  })

  describe('with an Idempotency-Key', () => {
    const key = (value: string) => ({ headers: { 'idempotency-key': value } })

    test('the same request gets the stored answer', async () => {
      const input = { ...repo, title: 'Keyed' }
      const first = await gateway.call('issue.create', input, key('k-1'))
      const second = await gateway.call('issue.create', input, key('k-1'))
      expect(second.headers.get('idempotent-replayed')).toBe('true')
      // The second answer has no attempts, and no time upstream.
      expect(first.headers.get('signalbox-attempts')).toBe('1')
      expect(second.headers.get('signalbox-attempts')).toBe('0')
      expect(second.headers.get('server-timing')).toBeNull()
      expect(second.body.data).toEqual(first.body.data)
      expect(second.body.meta.reason).toBe('IDEMPOTENT_REPLAY')
      expect(made('Keyed')).toHaveLength(1)
    })

    test('another input is refused, and a key in use is a conflict', async () => {
      await gateway.call('issue.create', { ...repo, title: 'One' }, key('k-2'))
      const other = await gateway.call('issue.create', { ...repo, title: 'Two' }, key('k-2'))
      expect(other.status).toBe(422)
      expect(other.body.error.code).toBe('VALIDATION')

      // Slow enough for the second call to come while the first runs.
      gateway.sandbox.faults.set([{ on: {}, do: { delay_ms: 1_000 } }])
      gateway.sandbox.log.clear()
      const input = { ...repo, title: 'Slow' }
      const slow = gateway.call('issue.create', input, key('k-3'))
      await expect.poll(() => gateway.sandbox.log.rows()).toHaveLength(1)
      const twin = await gateway.call('issue.create', input, key('k-3'))
      expect((await slow).body.ok).toBe(true)
      expect(twin.status).toBe(409)
      expect(made('Slow')).toHaveLength(1)
    })

    test('a failure that changed nothing frees the key', async () => {
      gateway.sandbox.faults.set([{ on: {}, do: { status: 401 }, times: 1 }])
      const input = { ...repo, title: 'After all' }
      expect((await gateway.call('issue.create', input, key('k-4'))).body.ok).toBe(false)
      expect((await gateway.call('issue.create', input, key('k-4'))).body.ok).toBe(true)
      expect(made('After all')).toHaveLength(1)
    })
  })
})
