import { expect, test } from 'vitest'
import { execute } from '../../src/call/execute.ts'
import { startTestGateway } from '../support/gateway.ts'
import { type Received, sendJson, startService } from '../support/service.ts'
import { echoPack, readCard } from './service-pack.ts'

const ENV = { KEY: 'key-secret/1+2=3', SECOND: 'second-secret', USER: 'ann', WORD: 'pass:word' }

const ALL = `
schemes:
  user: { type: bearer }
  login: { type: basic }
  key: { type: header, name: X-Api-Key }
  app: { type: header, name: Authorization, prefix: "App " }
  query: { type: query, name: api_key }
  session: { type: cookie, name: sid }
  unset: { type: header, name: X-Unset }
  unknown: { type: header, name: X-Unknown }
credentials:
  other: { user: { env: SECOND } }
  default:
    user: { env: [NOT_SET, KEY] }
    login: { username: { env: USER }, password: { env: WORD } }
    key: { env: KEY }
    app: { env: KEY }
    query: { env: KEY }
    session: { env: KEY }
    unset: { env: NOT_SET }
needs: user
`

type Seen = Partial<Record<'authorization' | 'x-api-key' | 'cookie', string>> & {
  readonly url?: string
}

const BASIC = `Basic ${Buffer.from('ann:pass:word').toString('base64')}`

/** `needs` of the card, and what the service gets. */
const PLACES: readonly (readonly [string, Seen])[] = [
  ['', { authorization: `Bearer ${ENV.KEY}` }],
  ['needs: login', { authorization: BASIC }],
  ['needs: key', { 'x-api-key': ENV.KEY }],
  ['needs: app', { authorization: `App ${ENV.KEY}` }],
  ['needs: query', { url: '/echo.view?text=a%3F&api_key=key-secret%2F1%2B2%3D3' }],
  ['needs: session', { cookie: 'sid=key-secret/1+2=3; mine=yes' }],
  ['needs: [key, login]', { authorization: BASIC, 'x-api-key': ENV.KEY }],
  ['needs: { any: [key, user] }', { 'x-api-key': ENV.KEY }],
  ['needs: { any: [[unset, key], unknown, user, key] }', { authorization: `Bearer ${ENV.KEY}` }],
  ['needs: { any: [unset, []] }', {}],
  ['needs: []', {}],
]

function seenBy({ url, headers }: Received): Seen {
  const { authorization, cookie } = headers
  const key = headers['x-api-key']
  return {
    url,
    ...(authorization === undefined ? {} : { authorization }),
    ...(cookie === undefined || cookie === 'mine=yes' ? {} : { cookie }),
    ...(typeof key === 'string' ? { 'x-api-key': key } : {}),
  }
}

test.each(PLACES)('a secret goes where its scheme says: %s', async (needs, expected) => {
  const service = await startService((_, response) => sendJson(response, {}))
  const card = readCard('echo.view', needs, `cookies: { mine: "'yes'" }`)
  const pack = await echoPack(service.url, ALL, { 'echo.view': card })
  await using gateway = await startTestGateway({ settings: { capabilities: [pack] }, env: ENV })
  const { body } = await gateway.call('echo.view', { text: 'a?' })
  expect(body.ok).toBe(true)
  const [request] = service.received
  expect(request && seenBy(request)).toEqual({ url: '/echo.view?text=a%3F', ...expected })
})

test('a route can have other needs than its card', async () => {
  const service = await startService((_, response) => sendJson(response, {}))
  const card = readCard('echo.view', 'needs: login', 'needs: key')
  const pack = await echoPack(service.url, ALL, { 'echo.view': card })
  await using gateway = await startTestGateway({ settings: { capabilities: [pack] }, env: ENV })
  await gateway.call('echo.view', {})
  const [request] = service.received
  expect(request && seenBy(request)).toEqual({ url: '/echo.view', 'x-api-key': ENV.KEY })
})

test('a redirect within the origin keeps the key in the query, once', async () => {
  const service = await startService(({ url }, response) => {
    if (url.startsWith('/moved')) return sendJson(response, {})
    response.writeHead(302, { location: '/moved?a=1' }).end()
  })
  const card = readCard('echo.view', 'needs: query')
  const pack = await echoPack(service.url, ALL, { 'echo.view': card })
  await using gateway = await startTestGateway({ settings: { capabilities: [pack] }, env: ENV })
  expect((await gateway.call('echo.view', {})).body.ok).toBe(true)
  expect(service.lines()).toEqual([
    'GET /echo.view?api_key=key-secret%2F1%2B2%3D3',
    'GET /moved?a=1&api_key=key-secret%2F1%2B2%3D3',
  ])
})

test('a call can choose another identity, which has quotas and shared reads of its own', async () => {
  const service = await startService((_, response) => {
    response.setHeader('x-ratelimit-remaining', '5')
    response.setHeader('x-ratelimit-limit', '10')
    sendJson(response, {})
  })
  const pack = await echoPack(service.url, `${ALL}\npools: { core: {} }`, {
    'echo.view': readCard('echo.view', 'pool: { rest: core }'),
  })
  await using gateway = await startTestGateway({ settings: { capabilities: [pack] }, env: ENV })
  const call = { capability: 'echo.view', input: {}, caller: { name: 'test', operator: true } }
  const answers = await Promise.all([
    execute(gateway.engine, call),
    execute(gateway.engine, { ...call, credential: 'other' }),
    execute(gateway.engine, { ...call, credential: 'unknown' }),
  ])
  expect(answers.map(({ envelope }) => envelope.error?.code ?? null)).toEqual([null, null, 'AUTH'])
  expect(service.received.map(({ headers }) => `${headers.authorization}`).toSorted()).toEqual([
    `Bearer ${ENV.KEY}`,
    `Bearer ${ENV.SECOND}`,
  ])
  const owners = gateway.engine.state.pools.all().map(({ credential }) => credential)
  expect(owners.toSorted()).toEqual(['echo:default', 'echo:other'])
})

/** The environment, and what the answer says about what is missing. */
const LACKING = [
  ['needs: user', {}, /user of default/, /set NOT_SET or KEY where the gateway runs/],
  ['needs: [key, login]', { KEY: 'x', USER: 'u' }, /login of default/, /set WORD where/],
  ['needs: [key, login]', {}, /key and login of/, /set KEY.*set USER.*set WORD/],
] as const

test.each(LACKING)('%s with %o names what is missing', async (needs, env, message, fix) => {
  const service = await startService((_, response) => sendJson(response, {}))
  const pack = await echoPack(service.url, ALL, { 'echo.view': readCard('echo.view', needs) })
  await using gateway = await startTestGateway({ settings: { capabilities: [pack] }, env })
  const { body } = await gateway.call('echo.view', {})
  expect(body.error).toMatchObject({ code: 'AUTH', details: { reason: 'NO_CREDENTIAL' } })
  expect(body.error.message).toMatch(message)
  expect(body.error.details.fix).toMatch(fix)
  expect(service.received).toEqual([])
})

test('callers send the secret of the scheme that allows it', async () => {
  const service = await startService((_, response) => sendJson(response, {}))
  const credentials = ALL.replace('name: X-Api-Key }', 'name: X-Api-Key, passthrough: true }')
  const pack = await echoPack(service.url, credentials, {
    'echo.view': readCard('echo.view', 'needs: { any: [user, key] }'),
    'echo.list': readCard('echo.list'),
  })
  await using gateway = await startTestGateway({ settings: { capabilities: [pack] }, env: ENV })
  const headers = { 'x-upstream-authorization': 'Bearer given-by-caller' }
  await gateway.call('echo.view', {}, { headers })
  const [request] = service.received
  expect(request && seenBy(request)).toEqual({ url: '/echo.view', 'x-api-key': 'given-by-caller' })
  // The caller's secret is none for another scheme, and the gateway's own is not added to it.
  const { body } = await gateway.call('echo.list', {}, { headers })
  expect(body.error.code).toBe('AUTH')
  expect(service.received).toHaveLength(1)
})

test('a program gets the secrets by its variables, and only those that the call needs', async () => {
  const service = await startService((_, response) => sendJson(response, {}))
  const card = readCard('echo.view', 'needs: [key, login]')
    .replace('prefer: [rest]', 'prefer: [cli]')
    .replace(
      /routes:[\s\S]*/,
      'routes:\n  cli: { command: [], parse: text, result: "{said: body}" }\n',
    )
  const cli = `
cli:
  command: env
  env:
    KEY: "\${credential.key}"
    PAIR: "\${credential.login.username} \${credential.login.password}"
    OTHER: "\${credential.user}"
    ONLY: "\${credential}"
`
  const pack = await echoPack(service.url, ALL + cli, { 'echo.view': card })
  await using gateway = await startTestGateway({ settings: { capabilities: [pack] }, env: ENV })
  const { body } = await gateway.call('echo.view', {})
  const lines = String(body.data?.said).split('\n')
  // The gateway hides what a program echoes, and only if it is the secret itself.
  expect(lines).toContain('KEY=[redacted]')
  expect(lines).toContain('PAIR=ann [redacted]')
  expect(lines.filter(line => /^(OTHER|ONLY)=/.test(line))).toEqual([])
})
