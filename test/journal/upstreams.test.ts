import { afterAll, beforeAll, expect, test } from 'vitest'
import { startTestGateway, type TestGateway } from '../support/gateway.ts'
import { authorize, KEYS } from './callers.ts'

const REPOSITORY = { owner: 'octo-org', name: 'hello-world' }

let gateway: TestGateway
beforeAll(async () => {
  gateway = await startTestGateway({ settings: { keys: KEYS } })
})
afterAll(() => gateway[Symbol.asyncDispose]())

interface Upstream {
  readonly id: string
  readonly routes: readonly { route: string; breaker: { state: string; failures: number } }[]
  readonly pools: readonly { pool: string; credential: string | null; remaining: number | null }[]
}

test('quotas are those that the upstream last reported', async () => {
  await call('repo.view')

  const [github] = await upstreams('root')
  expect(github?.pools).toContainEqual({
    pool: 'github:core',
    credential: 'github:default',
    limit: expect.any(Number),
    remaining: expect.any(Number),
    reset_at: expect.stringMatching(/^20.*Z$/),
    reset_in_ms: expect.any(Number),
    exhausted: false,
  })
  expect(github?.pools).toContainEqual(
    expect.objectContaining({ pool: 'github:graphql', credential: null, remaining: null }),
  )
})

test('only operators see the quotas of credentials that callers bring', async () => {
  const foreign = { 'x-upstream-authorization': 'Bearer second-token' }
  await call('repo.view', foreign)

  const countOf = (all: readonly Upstream[]) =>
    all[0]?.pools.filter(({ pool, credential }) => pool === 'github:core' && credential).length
  expect(countOf(await upstreams('alice'))).toBeLessThanOrEqual(1)
  expect(countOf(await upstreams('root'))).toBeGreaterThanOrEqual(1)
})

test('an open breaker shows its state and how long it stays open', async () => {
  gateway.sandbox.faults.set([{ on: { route: 'rest' }, do: { status: 503 }, times: 100 }])
  for (let n = 0; n < 5; n++) await call('repo.view', {}, `fails-${n}`)
  gateway.sandbox.faults.set([])

  const [github] = await upstreams('root')
  const rest = github?.routes.find(({ route }) => route === 'rest')
  expect(rest).toMatchObject({
    unavailable: null,
    breaker: { state: 'open', failures: 0, retry_after_ms: expect.any(Number) },
    bulkhead: { running: 0, max_running: 64, waiting: 0, max_waiting: 256, refused: 0 },
  })
})

test('the limit on processes comes with how many run and wait', async () => {
  const [github] = await upstreams('root')
  expect(github?.routes.find(({ route }) => route === 'cli')).toMatchObject({
    bulkhead: {
      running: 0,
      max_running: expect.any(Number),
      waiting: 0,
      max_waiting: 64,
      waited: 0,
    },
  })
})

async function upstreams(name: string): Promise<readonly Upstream[]> {
  const { status, body } = await gateway.get('/v1/upstreams', authorize(name))
  expect(status).toBe(200)
  return body.data.items
}

function call(id: string, headers: Record<string, string> = {}, name = REPOSITORY.name) {
  const all = { ...authorize('alice'), ...headers }
  return gateway.call(id, { ...REPOSITORY, name }, { headers: all })
}
