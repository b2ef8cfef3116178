import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import { createSandbox } from '../../sandbox/index.ts'
import { replay } from '../../src/call/replay/replay.ts'
import { startGate } from '../support/gate.ts'
import type { TestGateway } from '../support/gateway.ts'
import { githubEnv } from '../support/github.ts'
import { redis } from '../support/parts.ts'
import { post } from '../support/post.ts'
import { startRedis, type TestRedis } from '../support/redis.ts'
import {
  arrived,
  CIRCUIT,
  circuitOf,
  createIssue,
  exhaustedPools,
  keysOf,
  openLongAgo,
  REPOSITORY,
  startOne,
  startTwo,
} from './gateways.ts'

describe.runIf(redis.available)('gateways that share a Redis', () => {
  let server: TestRedis
  beforeAll(async () => {
    server = await startRedis()
  })
  afterAll(() => server.remove())

  test('refuse a key that runs on another, and later return its answer', async () => {
    const { one, other, gate } = await startGated(server.createDatabase(), 'POST')
    const create = (gateway: TestGateway) => createIssue(gateway, 'Once for all', 'one-for-all')

    const running = create(one)
    await expect.poll(() => gate.held()).toBe(1)
    const meanwhile = await create(other)
    gate.open()
    const first = await running
    const repeated = await create(other)

    expect(meanwhile).toMatchObject({ status: 409, body: { error: { code: 'CONFLICT' } } })
    expect(first.status).toBe(200)
    expect(repeated.body.data).toEqual(first.body.data)
    expect(repeated.headers.get('idempotent-replayed')).toBe('true')
    expect(gate.held()).toBe(1)
  })

  test('avoid a quota that another has exhausted', async () => {
    const [one, other] = await startTwo(server.createDatabase())
    one.sandbox.faults.set([{ on: { route: 'rest' }, do: { rate_limit: 'primary' }, times: 1 }])

    await one.call('repo.view', REPOSITORY)
    await expect.poll(() => exhaustedPools(other)).toEqual(['github:core'])
    const { body } = await other.call('repo.view', REPOSITORY)

    expect(body.meta).toMatchObject({ route_used: 'graphql', reason: 'CARD_FALLBACK' })
    const [rest] = body.meta.attempts.filter(({ route }) => route === 'rest')
    expect(rest).toMatchObject({ status: 'skipped', reason: 'QUOTA_EXHAUSTED' })
  })

  test('forget quotas and circuits when an operator resets them at another', async () => {
    const url = server.createDatabase()
    const [one, other] = await startTwo(url)
    one.sandbox.faults.set([{ on: { route: 'rest' }, do: { rate_limit: 'primary' }, times: 1 }])
    await one.call('repo.view', REPOSITORY)
    openLongAgo(one)
    other.engine.state.retryBudget.spend('github')
    await expect
      .poll(() => [exhaustedPools(other), circuitOf(other)])
      .toEqual([['github:core'], 'half_open'])

    await post(other, '/v1/upstreams/github/reset', {})
    await expect.poll(() => [exhaustedPools(one), circuitOf(one)]).toEqual([[], 'closed'])
    await post(one, '/v1/upstreams/github/reset', { circuit: true })
    const { retryBudget } = other.engine.state
    await expect.poll(() => retryBudget.left('github')).toBe(10)
    const late = await startOne(url, one)
    expect([exhaustedPools(late), circuitOf(late)]).toEqual([[], 'closed'])
  })

  test('know from the start what the others know', async () => {
    const url = server.createDatabase()
    const one = await startOne(url)
    one.sandbox.faults.set([{ on: { route: 'rest' }, do: { rate_limit: 'primary' }, times: 1 }])
    await one.call('repo.view', REPOSITORY)
    await expect.poll(() => keysOf(server, url, 'board')).toHaveLength(1)

    const late = await startOne(url, one)

    expect(exhaustedPools(late)).toEqual(['github:core'])
  })

  test('skip a circuit that another has opened', async () => {
    const [one, other] = await startTwo(server.createDatabase())
    one.sandbox.faults.set([{ on: { route: 'rest' }, do: { status: 503 }, times: 5 }])
    for (let n = 0; n < 5; n++) await one.call('repo.view', REPOSITORY)
    await expect.poll(() => circuitOf(other)).toBe('open')

    const { body } = await other.call('repo.view', REPOSITORY)

    expect(body.meta.route_used).toBe('graphql')
    expect(body.meta.attempts[0]).toMatchObject({ route: 'rest', reason: 'CIRCUIT_OPEN' })
  })

  test('send one probe between them, and its success closes the circuit for all', async () => {
    const { one, other, gate } = await startGated(server.createDatabase(), 'GET')
    openLongAgo(one)
    await expect.poll(() => circuitOf(other)).toBe('half_open')

    const answers = [one, other].map(gateway => gateway.call('repo.view', REPOSITORY))
    const first = await Promise.race(answers)
    gate.open()
    const both = await Promise.all(answers)

    expect(first.body.meta.route_used).toBe('graphql')
    const [skipped] = first.body.meta.attempts
    expect(skipped).toMatchObject({ route: 'rest', status: 'skipped', reason: 'CIRCUIT_OPEN' })
    const used = both.map(({ body }) => body.meta.route_used)
    expect(used).toContain('rest')
    expect(gate.held()).toBe(1)
    await expect.poll(() => [circuitOf(one), circuitOf(other)]).toEqual(['closed', 'closed'])
  })

  test('replay a call that left a route to the probe of another', async () => {
    const { one, other, gate } = await startGated(server.createDatabase(), 'GET')
    openLongAgo(one)
    await expect.poll(() => circuitOf(other)).toBe('half_open')
    const probing = one.call('repo.view', REPOSITORY)
    await expect.poll(() => gate.held()).toBe(1)

    // As if the news of the probe had not arrived yet.
    other.engine.state.breakers.adopt(CIRCUIT, { kind: 'open', until: 0, waitMs: 5_000 })
    const { body } = await other.call('repo.view', REPOSITORY)
    gate.open()
    await probing
    const { body: exported } = await other.get(`/v1/requests/${body.meta.request_id}/export`)

    expect(body.meta.attempts[0]).toMatchObject({ route: 'rest', reason: 'CIRCUIT_OPEN' })
    expect(exported.data.plan.candidates[0]).toMatchObject({ route: 'rest' })
    expect(await replay(other.engine, exported.data)).toMatchObject({ same: true })
  })

  test('keep the circuit open for all when the probe fails', async () => {
    const [one, other] = await startTwo(server.createDatabase())
    openLongAgo(one)
    await expect.poll(() => circuitOf(other)).toBe('half_open')
    one.sandbox.faults.set([{ on: { route: 'rest' }, do: { status: 503 }, times: 1 }])

    await other.call('repo.view', REPOSITORY)

    await expect.poll(() => [circuitOf(one), circuitOf(other)]).toEqual(['open', 'open'])
  })

  test('revalidate an answer that another has received, for the same credential only', async () => {
    const url = server.createDatabase()
    const [one, other] = await startTwo(url)
    const byRest = { query: { route: 'rest' } }
    const first = await one.call('repo.view', REPOSITORY, byRest)
    await expect.poll(() => keysOf(server, url, 'reply:*')).toHaveLength(1)

    const { accounts, tokens } = one.sandbox.store
    const user = accounts.addUser({ login: 'stranger', createdAt: new Date(0).toISOString() })
    tokens.add({ token: 'token-of-a-stranger', user })
    const headers = { 'x-upstream-authorization': 'Bearer token-of-a-stranger' }
    const stranger = await other.call('repo.view', REPOSITORY, { ...byRest, headers })
    const second = await other.call('repo.view', REPOSITORY, byRest)

    expect(stranger.body.meta.reason).toBe('ROUTE_PINNED')
    expect(second.body).toMatchObject({ ok: true, meta: { reason: 'REVALIDATED' } })
    expect(second.body.data).toEqual(first.body.data)
  })

  test('do not claim an object that another created at the same time', async () => {
    const [one, other] = await startTwo(server.createDatabase())
    const create = (gateway: TestGateway, key: string) => createIssue(gateway, 'Twin', key)
    one.sandbox.faults.set([{ on: { method: 'POST' }, do: { reset: 'before' }, times: 1 }])

    const lost = create(one, 'key-of-one')
    await expect.poll(() => arrived(one, 'POST')).toBe(1)
    const twin = await create(other, 'key-of-another')
    const { body } = await lost

    expect(twin.body.ok).toBe(true)
    expect(body.ok).toBe(true)
    expect(body.meta.reason).not.toBe('RECOVERED')
    expect(body.data.number).not.toBe(twin.body.data.number)
  })

  test('store no credential', async () => {
    const url = server.createDatabase()
    const [one] = await startTwo(url)
    await one.call('repo.view', REPOSITORY, { query: { route: 'rest' } })
    await createIssue(one, 'Kept', 'a-key')
    for (const kind of ['board', 'reply:*', 'once:*']) {
      await expect.poll(() => keysOf(server, url, kind)).toHaveLength(1)
    }

    const dump = await Promise.all(
      (await keysOf(server, url, '*')).map(key => server.send(url, 'DUMP', key)),
    )

    expect(JSON.stringify(await keysOf(server, url, '*'))).not.toContain('sandbox-token')
    expect(dump.map(String).join()).not.toContain('sandbox-token')
  })
})

/** Two gateways behind a gate for requests of one method. */
async function startGated(url: string, method: string) {
  const sandbox = await createSandbox({ port: 0 })
  onTestFinished(() => sandbox.close())
  const gate = await startGate(sandbox.url, method)
  const env = { ...githubEnv(sandbox.url), GITHUB_API_URL: gate.url }
  const [one, other] = await startTwo(url, undefined, env)
  return { one, other, gate }
}
