import { describe, expect, onTestFinished, test } from 'vitest'
import {
  arrived,
  circuitOf,
  createIssue,
  exhaustedPools,
  keysOf,
  openLongAgo,
  REPOSITORY,
  startOne,
  startTwo,
} from '../state/gateways.ts'
import type { TestGateway } from '../support/gateway.ts'
import { startLoad } from '../support/load.ts'
import { postgres, redis } from '../support/parts.ts'
import { post } from '../support/post.ts'
import { startPostgres } from '../support/postgres.ts'
import { startRedis, type TestRedis } from '../support/redis.ts'

describe.runIf(redis.available)('gateways whose Redis is away', () => {
  test('go on when Redis is killed under load, and share again when it is back', async () => {
    const own = await startOwnRedis()
    const logged: string[] = []
    const [one, other] = await startTwo(own.createDatabase(), line => logged.push(line))
    const load = startLoad([one, other].map(gateway => () => gateway.call('repo.view', REPOSITORY)))
    await expect.poll(() => load.answered.length).toBeGreaterThan(20)
    await own.kill()
    await expect.poll(() => readiness(one)).toBe('degraded')
    await expect.poll(() => readiness(other)).toBe('degraded')
    const read = await one.call('repo.view', REPOSITORY)
    const keyed = await createIssue(one, 'Not sent', 'lost-key')
    openLongAgo(one)
    await own.start()
    await expect.poll(() => readiness(one)).toBe('ready')
    await expect.poll(() => readiness(other)).toBe('ready')
    await load.end()

    expect(load.failed).toEqual([])
    expect(read.body).toMatchObject({ ok: true, meta: { warnings: [{ code: 'STATE_DEGRADED' }] } })
    expect(keyed).toMatchObject({
      status: 503,
      body: { error: { code: 'SERVER', retryable: true } },
    })
    expect(keyed.body.error.write_outcome).toBe('not_applied')
    expect(arrived(one, 'POST')).toBe(0)
    expect(logged.join()).toContain('the shared state cannot be reached')
    expect(logged.join()).toContain('the shared state can be reached again')
    const again = await createIssue(other, 'Sent', 'lost-key')
    expect(again.status).toBe(200)
    const replayed = await createIssue(one, 'Sent', 'lost-key')
    expect(replayed.headers.get('idempotent-replayed')).toBe('true')
  })

  test('leave a write unknown whose answer is lost, because its object could be that of another', async () => {
    const own = await startOwnRedis()
    const [one] = await startTwo(own.createDatabase())
    one.sandbox.faults.set([{ on: { method: 'POST' }, do: { reset: 'after' } }])
    await own.kill()
    const { body } = await one.call('issue.create', { ...REPOSITORY, title: 'Whose?' })
    expect(body.error).toMatchObject({ write_outcome: 'unknown' })
  })

  test('give what they know to a server that has lost everything', async () => {
    const own = await startOwnRedis()
    const [one] = await startTwo(own.createDatabase())
    one.sandbox.faults.set([{ on: { route: 'rest' }, do: { rate_limit: 'primary' }, times: 1 }])
    await own.kill()
    await expect.poll(() => readiness(one)).toBe('degraded')
    await one.call('repo.view', REPOSITORY)
    await own.start()
    await expect.poll(() => readiness(one)).toBe('ready')

    const late = await startOne(own.url(0), one)

    expect(exhaustedPools(late)).toEqual(['github:core'])
  })

  test('forget what an operator reset at one of them meanwhile', async () => {
    const own = await startOwnRedis()
    const [one, other] = await startTwo(own.createDatabase())
    one.sandbox.faults.set([{ on: { route: 'rest' }, do: { rate_limit: 'primary' }, times: 1 }])
    await one.call('repo.view', REPOSITORY)
    openLongAgo(one)
    await expect.poll(() => exhaustedPools(other)).toEqual(['github:core'])
    own.pause()
    await expect.poll(() => readiness(one)).toBe('degraded')
    await post(one, '/v1/upstreams/github/reset', {})
    own.resume()
    await expect.poll(() => readiness(one)).toBe('ready')
    await expect.poll(() => [exhaustedPools(other), circuitOf(other)]).toEqual([[], 'closed'])
    expect([exhaustedPools(one), circuitOf(one)]).toEqual([[], 'closed'])
  })

  test('do not wait for a server that has stopped answering', async () => {
    const own = await startOwnRedis()
    const [one, other] = await startTwo(own.createDatabase())
    await one.call('repo.view', REPOSITORY)
    await expect.poll(() => keysOf(own, own.url(0), 'reply:*')).toHaveLength(1)
    own.pause()
    const keyed = createIssue(one, 'Not sent', 'stuck')
    const read = await other.call('repo.view', REPOSITORY)
    expect(read.body.ok).toBe(true)
    expect((await keyed).status).toBe(503)
    expect(arrived(one, 'POST')).toBe(0)
    own.resume()
    await expect.poll(() => readiness(one)).toBe('ready')
    // The claim that the server had already read is undone, so the key is free.
    await expect.poll(async () => (await createIssue(one, 'Sent', 'stuck')).status).toBe(200)
  })

  test('start without a server that is unreachable, and report it', async () => {
    const lines: string[] = []
    const state = 'redis://someone:hunter2@127.0.0.1:1'
    const gateway = await startOne(state, null, line => lines.push(line))
    const { body } = await gateway.get('/readyz')
    expect(body.data).toMatchObject({ status: 'degraded', state: { ok: false } })
    expect(body.data.state.message).toMatch(/^127\.0\.0\.1:1: .*ECONNREFUSED/)
    expect((await gateway.call('repo.view', REPOSITORY)).body.ok).toBe(true)
    expect(lines.join()).toContain('the shared state cannot be reached')
    expect(JSON.stringify([body, lines])).not.toContain('hunter2')
  })

  test('tell strangers that it is away, but not where it is', async () => {
    const secret = 'operator-secret-0123456789'
    const keys = { SIGNALBOX_KEYS: `op:${secret}:operator` }
    const gateway = await startOne('redis://someone:hunter2@127.0.0.1:1', null, undefined, keys)
    const { body } = await gateway.get('/readyz')
    expect(body.data).toMatchObject({ status: 'degraded', state: { ok: false } })
    expect(JSON.stringify(body)).not.toMatch(/127\.0\.0\.1|ECONN|redis|someone/i)
    const known = await gateway.get('/readyz', { authorization: `Bearer ${secret}` })
    expect(known.body.data.state.message).toMatch(/^127\.0\.0\.1:1: /)
  })

  test('refuse to start with a wrong password or a malformed address, and do not show them', async () => {
    const own = await startOwnRedis(['--requirepass', 'right-password'])
    const wrong = startOne(own.url(0).replace('//', '//:hunter2@'))
    await expect(wrong).rejects.toThrow(/shared state at 127\.0\.0\.1:\d+\/0 .*WRONGPASS/)
    await expect(wrong).rejects.not.toThrow(/hunter2/)
    const malformed = startOne('redis://some one:hunter2@@/x')
    await expect(malformed).rejects.toThrow(/SIGNALBOX_STATE .*redis:\/\/user:password@host/)
    await expect(malformed).rejects.not.toThrow(/hunter2/)
  })

  test.runIf(postgres.available)('keep keys in PostgreSQL if the journal is there', async () => {
    const [own, database] = await Promise.all([startOwnRedis(), startPostgres()])
    onTestFinished(() => database.remove())
    const SIGNALBOX_JOURNAL = await database.createDatabase()
    const [one, other] = await startTwo(own.createDatabase(), undefined, { SIGNALBOX_JOURNAL })
    await own.kill()
    const first = await createIssue(one, 'Kept there', 'the-better-place')
    const second = await createIssue(other, 'Kept there', 'the-better-place')
    expect(first.status).toBe(200)
    expect(second.headers.get('idempotent-replayed')).toBe('true')
  })
})

/** A server that this test may stop. */
async function startOwnRedis(settings: readonly string[] = []): Promise<TestRedis> {
  const own = await startRedis(settings)
  onTestFinished(() => own.remove())
  return own
}

async function readiness(gateway: TestGateway): Promise<string> {
  const { body } = await gateway.get('/readyz')
  return body.data.status as string
}
