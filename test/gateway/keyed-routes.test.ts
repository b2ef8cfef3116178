import { afterEach, beforeEach, expect, test } from 'vitest'
import { startTestGateway, type TestGateway } from '../support/gateway.ts'

/** An Idempotency-Key stands for a change, by whatever route it is made, and answers also when no route is left. */

const repo = { owner: 'octo-org', name: 'hello-world' }
const key = (value: string) => ({ headers: { 'idempotency-key': value } })

let gateway: TestGateway
beforeEach(async () => {
  gateway = await startTestGateway({ env: { PATH: '' }, settings: { retries: 0 } })
})
afterEach(() => gateway[Symbol.asyncDispose]())

const made = (title: string) =>
  [
    ...(gateway.sandbox.store.repositories.find('octo-org', 'hello-world')?.items.values() ?? []),
  ].filter(item => item.title === title)

test.each([
  ['rest', 'graphql'],
  ['graphql', undefined],
  [undefined, 'rest'],
])('the route %s, then %s, is the same request', async (one, other) => {
  const title = `By ${one} and ${other}`
  const call = (route: string | undefined) =>
    gateway.call(
      'issue.create',
      { ...repo, title },
      {
        ...key(`k-${one}-${other}`),
        ...(route === undefined ? {} : { query: { route } }),
      },
    )
  const first = await call(one)
  const second = await call(other)
  expect(second.body.data).toEqual(first.body.data)
  expect(second.headers.get('idempotent-replayed')).toBe('true')
  expect(made(title)).toHaveLength(1)
})

test('a change of unknown outcome stays unknown by another route', async () => {
  gateway.sandbox.faults.set([
    { on: { route: 'rest', method: 'POST' }, do: { reset: 'after' } },
    { on: { route: 'graphql' }, do: { status: 502 } },
    { on: { route: 'rest', method: 'GET' }, do: { status: 502 } },
  ])
  const input = { ...repo, title: 'Lost and pinned' }
  const query = { timeout_ms: '3000' }
  await gateway.call('issue.create', input, { ...key('k-lost'), query })
  gateway.sandbox.faults.clear()
  const pinned = { ...query, route: 'graphql' }
  const again = await gateway.call('issue.create', input, { ...key('k-lost'), query: pinned })
  expect(again.body.error).toMatchObject({
    write_outcome: 'unknown',
    next: { action: 'verify', capability: 'issue.list' },
  })
  expect(made('Lost and pinned')).toHaveLength(1)
})

/** Ways to leave a call without any route, and the code of a call without the key. */
const WITHOUT_ROUTE = [
  ['the quotas of all routes are used up', {}, 'RATE_LIMIT'],
  ['it pins a route that this machine lacks', { route: 'cli' }, 'ADAPTER_UNSUPPORTED'],
] as const

test.each(WITHOUT_ROUTE)('a stored answer comes also if %s', async (_what, query, code) => {
  const input = { ...repo, title: 'Stored' }
  const first = await gateway.call('issue.create', input, key('k-stored'))
  gateway.sandbox.faults.set(
    ['rest', 'graphql'].map(route => ({
      on: { route: route as 'rest' },
      do: { rate_limit: 'primary' as const },
      times: 9,
    })),
  )
  for (const route of ['rest', 'graphql'])
    await gateway.call('repo.view', repo, { query: { route } })
  const again = await gateway.call('issue.create', input, { ...key('k-stored'), query })
  expect(again.body).toMatchObject({ ok: true, meta: { reason: 'IDEMPOTENT_REPLAY' } })
  expect(again.body.data).toEqual(first.body.data)
  const other = await gateway.call('issue.create', input, { ...key('k-other'), query })
  expect(other.body.error).toMatchObject({ code, write_outcome: 'not_applied' })
  gateway.sandbox.faults.clear()
  expect(made('Stored')).toHaveLength(1)
})
