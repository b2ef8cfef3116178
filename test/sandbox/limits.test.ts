import { expect, test } from 'vitest'
import { seedDefault } from '../../sandbox/index.ts'
import { clientOf, HELLO, startSandbox } from './support.ts'

test('every answer reports the quota that it used, and each API has its own', async () => {
  const { rest, graphql } = await startSandbox({ now: () => 1_800_000_000_000 })
  await rest('GET', HELLO)
  const core = await rest('GET', '/nope')
  const search = await rest('GET', '/search/issues?q=is:issue')
  const query = await graphql('{ viewer { login } }')
  const quotaOf = ({ headers }: { headers: Headers }) =>
    ['resource', 'limit', 'used', 'remaining', 'reset'].map(it => headers.get(`x-ratelimit-${it}`))
  expect(quotaOf(core)).toEqual(['core', '5000', '2', '4998', '1800003600'])
  expect(quotaOf(search)).toEqual(['search', '30', '1', '29', '1800000060'])
  expect(quotaOf(query)).toEqual(['graphql', '5000', '1', '4999', '1800003600'])
})

test('every answer has its own request id, and the scopes of the token', async () => {
  const { rest } = await startSandbox()
  const [a, b] = [await rest('GET', '/'), await rest('GET', '/')]
  const id = 'x-github-request-id'
  expect(a.headers.get(id)).toMatch(/^[0-9A-F]{4}:[0-9A-F]{4}(:[0-9A-F]{6}){2}:[0-9A-F]{8}$/)
  expect(a.headers.get(id)).not.toBe(b.headers.get(id))
  expect(a.headers.get('x-oauth-scopes')).toBe('repo, read:org, gist')
})

test('an answer says when the token ends, if it does', async () => {
  const { sandbox, rest } = await startSandbox({ now: () => 1_800_000_000_000 })
  const name = 'github-authentication-token-expiration'
  expect((await rest('GET', HELLO)).headers.get(name)).toBeNull()
  const token = sandbox.store.tokens.find('sandbox-token')
  if (token) token.expiresAt = 1_800_000_600_000
  expect((await rest('GET', HELLO)).headers.get(name)).toBe('2027-01-15 08:10:00 UTC')
})

test('a version that the caller already has is answered with a 304, without charge', async () => {
  const { rest } = await startSandbox()
  const first = await rest('GET', HELLO)
  const etag = first.headers.get('etag') ?? ''
  const again = await rest('GET', HELLO, undefined, { 'if-none-match': etag })
  expect([again.status, again.text]).toEqual([304, ''])
  expect(again.headers.get('etag')).toBe(etag)
  expect(again.headers.get('x-ratelimit-remaining')).toBe('4999')

  await rest('POST', `${HELLO}/issues`, { title: 'A change' })
  const changed = await rest('GET', HELLO, undefined, { 'if-none-match': etag })
  expect(changed.status).toBe(200)
})

test('reading the quotas is not charged', async () => {
  const { rest } = await startSandbox()
  await rest('GET', '/rate_limit')
  const { json } = await rest('GET', '/rate_limit')
  expect(json.resources).toMatchObject({ core: { used: 0 }, search: { limit: 30 }, graphql: {} })
  expect(json.rate?.remaining).toBe(5000)
})

test('a used-up quota is a 403 on REST and a 200 on GraphQL, until it is reset', async () => {
  let now = Date.UTC(2026, 0, 1)
  const { rest, graphql, sandbox } = await startSandbox({ now: () => now })
  const id = sandbox.store.accounts.findUser('octocat')?.databaseId
  const message = `API rate limit exceeded for user ID ${id}.`
  for (const resource of ['core', 'graphql']) {
    const change = { token: 'sandbox-token', resource, remaining: 0, reset_in_s: 60 }
    expect((await rest('PUT', '/_sandbox/quota', change)).json).toMatchObject({ remaining: 0 })
  }

  const core = await rest('POST', `${HELLO}/issues`, { title: 'x' })
  expect([core.status, core.json.message]).toEqual([403, message])
  expect(core.headers.get('x-ratelimit-remaining')).toBe('0')
  expect(Number(core.headers.get('x-ratelimit-reset'))).toBe(now / 1000 + 60)

  const query = await graphql('{ viewer { login } }')
  expect(query.status).toBe(200)
  expect(query.json).toEqual({ errors: [{ type: 'RATE_LIMITED', message }] })

  now += 60_000
  expect((await rest('GET', HELLO)).headers.get('x-ratelimit-remaining')).toBe('4999')
})

test.each([
  [
    'an unknown token',
    { token: 'x', resource: 'core', remaining: 0 },
    'quota.token: no such token',
  ],
  ['an unknown resource', { token: 'x', resource: 'x', remaining: 0 }, 'quota.resource: '],
])('a quota of %s is not set', async (_what, change, message) => {
  const { rest } = await startSandbox()
  const { status, json } = await rest('PUT', '/_sandbox/quota', change)
  expect([status, json.message]).toEqual([400, expect.stringContaining(message)])
})

test('each token has its own quotas', async () => {
  const { rest, sandbox } = await startSandbox({
    seed(store) {
      seedDefault(store)
      const user = store.accounts.addUser({ login: 'visitor' })
      store.tokens.add({ token: 'small', user, limits: { core: 1 } })
    },
  })
  const visitor = clientOf(sandbox.url, 'small')
  expect((await visitor.rest('GET', HELLO)).status).toBe(200)
  expect((await visitor.rest('GET', HELLO)).status).toBe(403)
  expect((await rest('GET', HELLO)).status).toBe(200)
})
