import { expect, onTestFinished, test } from 'vitest'
import { startTestGateway, type TestGateway } from '../support/gateway.ts'
import { post } from '../support/post.ts'

const REPOSITORY = { owner: 'octo-org', name: 'hello-world' }
const PATH = '/v1/upstreams/github/reset'
const SECRET = 'operator-secret-0123456789'
const headers = { authorization: `Bearer ${SECRET}` }

/** A gateway that knows of a used-up quota, an open circuit and a spent retry budget. */
async function startBlocked(): Promise<TestGateway> {
  const keys = [{ name: 'op', operator: true, secret: SECRET }]
  const gateway = await startTestGateway({ settings: { keys }, env: { PATH: '' } })
  onTestFinished(() => gateway[Symbol.asyncDispose]())
  gateway.sandbox.faults.set([{ on: { route: 'rest' }, do: { rate_limit: 'primary' }, times: 1 }])
  await gateway.call('repo.view', REPOSITORY, { headers })
  const { breakers, retryBudget } = gateway.engine.state
  for (let n = 0; n < 5; n++) breakers.report('github:graphql', 'SERVER', Date.now())
  for (let n = 0; n < 7; n++) retryBudget.spend('github')
  return gateway
}

async function statusOf(gateway: TestGateway) {
  const { body } = await gateway.get('/v1/upstreams', headers)
  const { routes, pools } = body.data.items.find(({ id }: { id: string }) => id === 'github')
  return {
    exhausted: pools.some(({ exhausted }: { exhausted: boolean }) => exhausted),
    open: routes.some(({ breaker }: { breaker: { state: string } }) => breaker.state !== 'closed'),
    retries: gateway.engine.state.retryBudget.left('github'),
  }
}

const BLOCKED = { exhausted: true, open: true, retries: 3 }
const QUOTA = ['github:core', 'github:graphql']
const CIRCUIT = ['github:graphql']

test.each([
  {
    body: {},
    quotas: QUOTA,
    circuits: CIRCUIT,
    left: { exhausted: false, open: false, retries: 10 },
  },
  { body: { quota: true }, quotas: QUOTA, circuits: [], left: { ...BLOCKED, exhausted: false } },
  {
    body: { circuit: true },
    quotas: [],
    circuits: CIRCUIT,
    left: { ...BLOCKED, open: false, retries: 10 },
  },
])('a reset with $body forgets that and no more', async ({ body, quotas, circuits, left }) => {
  const gateway = await startBlocked()
  expect(await statusOf(gateway)).toEqual(BLOCKED)
  const reset = await post(gateway, PATH, body, headers)
  expect(reset).toMatchObject({
    status: 200,
    body: { data: { upstream: 'github', quotas, circuits } },
  })
  expect(await statusOf(gateway)).toEqual(left)
})

test('the next call after a reset takes the route that was skipped', async () => {
  const gateway = await startBlocked()
  const view = async () => {
    const { body } = await gateway.call('repo.view', REPOSITORY, { headers })
    return body.meta.route_used
  }
  expect(await view()).toBe('graphql')
  await post(gateway, PATH, { quota: true }, headers)
  expect(await view()).toBe('rest')
})

test('a reset is a record of the audit with the operator, and nothing else is reset by it', async () => {
  const gateway = await startBlocked()
  await post(gateway, PATH, {}, headers)
  const { body } = await gateway.get('/v1/audit?action=upstream.reset', headers)
  expect(body.data.items).toMatchObject([
    {
      actor: 'op',
      subject: 'github',
      details: { parts: ['quota', 'circuit'], quotas: QUOTA, circuits: CIRCUIT },
    },
  ])
})

test.each([
  ['/v1/upstreams/elsewhere/reset', {}, 404, /no upstream "elsewhere".*github/],
  [PATH, { quotas: true }, 400, /quotas/],
  [PATH, { quota: false }, 400, /quota/],
])('a reset of %s with %j is refused', async (path, sent, status, message) => {
  const gateway = await startBlocked()
  const refused = await post(gateway, path, sent, headers)
  expect(refused).toMatchObject({
    status,
    body: { error: { message: expect.stringMatching(message) } },
  })
  expect(await statusOf(gateway)).toEqual(BLOCKED)
})
