import { writeFile } from 'node:fs/promises'
import { describe, expect, test } from 'vitest'
import { type AppSetup, startWithApp } from '../support/app-gateway.ts'
import { newKeyPair } from '../support/github-app.ts'
import { gh } from '../support/parts.ts'
import { until } from '../support/until.ts'

const hello = { owner: 'octo-org', name: 'hello-world' }
const spoon = { owner: 'octocat', name: 'spoon-knife' }
const ROUTES = gh.available ? (['rest', 'graphql', 'cli'] as const) : (['rest', 'graphql'] as const)

test.each(ROUTES)('calls by %s act as the app', async route => {
  const { gateway } = await startWithApp()
  const made = await gateway.call(
    'issue.create',
    { ...hello, title: 'By an app' },
    { query: { route } },
  )
  expect(made.body).toMatchObject({ ok: true, meta: { route_used: route } })
  const issue = gateway.sandbox.store.repositories
    .find('octo-org', 'hello-world')
    ?.items.get(made.body.data.number)
  expect(issue?.author.login).toBe('reviewer-app[bot]')
})

test('many calls wait for one token, and each account has its own', async () => {
  const { gateway, renewals } = await startWithApp({ on: ['octo-org', 'octocat'] })
  const calls = [hello, spoon, { owner: 'Octo-Org', name: 'secret-plans' }, hello]
  const answers = await Promise.all(
    calls.map(input => gateway.call('repo.view', input, { query: { route: 'rest' } })),
  )
  expect(answers.map(({ body }) => body.ok)).toEqual([true, true, true, true])
  expect(renewals()).toBe(2)
  const owners = new Set(gateway.engine.state.pools.all().map(({ credential }) => credential))
  expect(owners).toEqual(new Set(['github:default@octo-org', 'github:default@octocat']))
})

test('a call without an account takes the only installation, and several have to be told apart', async () => {
  const { gateway, app } = await startWithApp()
  const search = async () => (await gateway.call('search.repos', { query: 'hello' })).body
  expect(await search()).toMatchObject({ ok: true })
  const { store } = gateway.sandbox
  const account = store.accounts.find('octocat')
  if (account) store.apps.install({ app, account })
  await gateway.engine.reload()
  expect((await search()).error).toMatchObject({
    code: 'AUTH',
    message: expect.stringContaining('installation: my-org'),
  })
})

test('a named installation serves all calls', async () => {
  const { gateway, renewals } = await startWithApp({
    on: ['octo-org', 'octocat'],
    declared: { installation: 'octo-org' },
  })
  for (const input of [hello, spoon])
    await gateway.call('repo.view', input, { query: { route: 'rest' } })
  expect(renewals()).toBe(1)
  const ids = gateway.engine.state.pools.all().map(({ credential }) => credential)
  expect(new Set(ids)).toEqual(new Set(['github:default']))
})

test('a token has no more rights than the credential asks for', async () => {
  const { gateway } = await startWithApp({
    declared: { permissions: { contents: 'read' }, repositories: ['hello-world'] },
  })
  const label = await gateway.call(
    'label.create',
    { ...hello, labelName: 'x', color: 'd73a4a' },
    { query: { route: 'rest' } },
  )
  expect(label.body.ok).toBe(false)
  const secret = await gateway.call('repo.view', { owner: 'octo-org', name: 'secret-plans' })
  expect(secret.body.error.code).toBe('NOT_FOUND')
})

describe('what is wrong is said with the name of the credential', () => {
  const FAULTS: readonly (readonly [string, AppSetup, RegExp])[] = [
    [
      'a garbled key',
      { privateKey: '-----BEGIN RSA PRIVATE KEY-----\nMIIEgarbled\n-----END RSA PRIVATE KEY-----' },
      /private_key is no RSA key in PEM/,
    ],
    ['an empty key', { privateKey: '' }, /app\.pem is empty/],
    [
      'a missing key',
      { declared: { private_key: { file: '/nowhere/app.pem' } } },
      /app\.pem cannot be read \(ENOENT\)/,
    ],
    [
      'a key of another app',
      { privateKey: newKeyPair().privateKey },
      /refuses the private key of the app.*Generate another/,
    ],
    ['a key that was deleted', { publicKeys: [] }, /refuses the private key of the app/],
    ['a wrong app id', { declared: { app_id: 1 } }, /knows no app with this app_id/],
    ['no installation', { on: ['octocat'] }, /not installed on octo-org/],
    ['a wrong installation', { declared: { installation: 99 } }, /not installed on 99/],
    [
      'too many permissions',
      { declared: { permissions: { administration: 'write' } } },
      /lacks some of the permissions/,
    ],
    [
      'too many repositories',
      { declared: { repositories: ['none'] } },
      /lacks some of the permissions or repositories/,
    ],
  ]
  test.each(FAULTS)('%s', async (_, setup, message) => {
    const { gateway } = await startWithApp(setup)
    const { body, status } = await gateway.call('issue.create', { ...hello, title: 'x' })
    expect([status, body.error.code, body.error.write_outcome]).toEqual([
      502,
      'AUTH',
      'not_applied',
    ])
    expect(body.error.message).toMatch(message)
    expect(body.error.message).toMatch(/^The credential github:default/)
    expect(body.error.retryable).toBe(false)
    const { credentials } = (await gateway.get('/v1/upstreams')).body.data.items[0]
    expect(credentials[0]).toMatchObject({
      status: 'fails',
      message: expect.stringMatching(message),
    })
  })

  test('a suspended installation', async () => {
    const { gateway, installations } = await startWithApp()
    const [installation] = installations
    if (installation) gateway.sandbox.store.apps.suspend(installation, true)
    const { body } = await gateway.call('repo.view', hello)
    expect(body.error).toMatchObject({
      code: 'AUTH',
      message: expect.stringContaining('suspended on octo-org'),
    })
  })

  test.each([
    [500, 'SERVER'],
    [429, 'RATE_LIMIT'],
  ])('a status %i of GitHub', async (status, code) => {
    const { gateway } = await startWithApp({ env: { SIGNALBOX_RETRIES: '0' } })
    gateway.sandbox.faults.set([
      {
        on: { path: 'access_tokens' },
        do: { status, headers: { 'retry-after': '7' }, body: {} },
        times: 9,
      },
    ])
    const { body } = await gateway.call('repo.view', hello)
    expect(body.error).toMatchObject({
      code,
      retryable: true,
      retry_after_ms: 7000,
      message: expect.stringContaining('github:default'),
    })
  })

  test('a GitHub that cannot be reached', async () => {
    const { gateway } = await startWithApp({
      env: { GITHUB_API_URL: 'http://127.0.0.1:1', SIGNALBOX_RETRIES: '0' },
    })
    const { body } = await gateway.call('repo.view', hello)
    expect(body.error).toMatchObject({
      code: 'NETWORK',
      message: expect.stringContaining('github:default'),
    })
  })
})

describe('a token that GitHub no longer takes', () => {
  test.each(ROUTES)('is replaced by %s, and the change happens once', async route => {
    const { gateway, renewals } = await startWithApp()
    const make = async (title: string) =>
      (await gateway.call('issue.create', { ...hello, title }, { query: { route } })).body
    expect(await make('before')).toMatchObject({ ok: true })
    gateway.sandbox.store.tokens.revoke(({ installation }) => installation !== null)
    expect(await make('after')).toMatchObject({ ok: true })
    expect(renewals()).toBe(2)
    const { items } = gateway.sandbox.store.repositories.find('octo-org', 'hello-world') ?? {}
    expect([...(items?.values() ?? [])].filter(({ title }) => title === 'after')).toHaveLength(1)
  })

  test('is explained by what its renewal says', async () => {
    const { gateway, installations } = await startWithApp()
    await gateway.call('repo.view', hello)
    const [installation] = installations
    if (installation) gateway.sandbox.store.apps.uninstall(installation)
    const { body } = await gateway.call('repo.view', hello)
    expect(body.error).toMatchObject({
      code: 'AUTH',
      message: expect.stringContaining('not installed on octo-org'),
    })
  })

  test('is replaced by one of an app that was installed anew', async () => {
    const { gateway, app, installations } = await startWithApp()
    await gateway.call('repo.view', hello)
    const { apps } = gateway.sandbox.store
    const [installation] = installations
    if (installation) {
      apps.uninstall(installation)
      apps.install({ app, account: installation.account })
    }
    expect((await gateway.call('repo.view', hello)).body).toMatchObject({ ok: true })
  })
})

test('a key that was replaced in its file serves the next renewal', async () => {
  const { gateway, app, keyFile } = await startWithApp()
  const { body } = await gateway.call('repo.view', hello)
  expect(body.ok).toBe(true)
  const next = newKeyPair()
  app.publicKeys = [next.publicKey]
  gateway.sandbox.store.tokens.revoke(({ installation }) => installation !== null)
  expect((await gateway.call('repo.view', hello)).body.error.message).toContain(
    'refuses the private key',
  )
  await writeFile(keyFile, next.privateKey)
  // Nobody asks again within a second of a failure.
  expect((await gateway.call('repo.view', hello)).body.ok).toBe(false)
  await until(async () => (await gateway.call('repo.view', hello)).body.ok, Boolean)
})

test('a token is renewed before its end, and shown with its end and its rights', async () => {
  const { gateway, renewals } = await startWithApp({ tokenLifeMs: 3000 })
  const view = async () =>
    (await gateway.call('repo.view', hello, { query: { route: 'rest' } })).body
  await until(
    async () => {
      expect(await view()).toMatchObject({ ok: true })
      return renewals()
    },
    count => count >= 3,
  )
  // None was refused: each was renewed before it had ended.
  expect(gateway.sandbox.log.rows().filter(({ status }) => status === 401)).toEqual([])
  const { credentials } = (await gateway.get('/v1/upstreams')).body.data.items[0]
  expect(credentials).toEqual([
    {
      credential: 'github:default@octo-org',
      status: 'works',
      message: null,
      expires_at: expect.stringMatching(/^\d{4}-/),
      scopes: ['contents:write', 'issues:write', 'metadata:read'],
      issued: renewals(),
    },
  ])
})

test.each(ROUTES)(
  'a change of an app whose answer is lost by %s is never made twice',
  async route => {
    const { gateway } = await startWithApp()
    const on = route === 'graphql' ? { operation: 'IssueCreate' } : { path: 'issues$' }
    gateway.sandbox.faults.set([
      { on: { ...on, method: 'POST' }, do: { reset: 'after' }, times: 1 },
    ])
    const input = { ...hello, title: 'Lost' }
    const { body } = await gateway.call('issue.create', input, { query: { route } })
    expect(body.meta.attempts.length).toBeGreaterThan(1)
    const { items } = gateway.sandbox.store.repositories.find('octo-org', 'hello-world') ?? {}
    expect([...(items?.values() ?? [])].filter(({ title }) => title === 'Lost')).toHaveLength(1)
  },
)
