import { once } from 'node:events'
import { createServer } from 'node:net'
import { expect, onTestFinished, test } from 'vitest'
import { freePort } from '../support/free-port.ts'
import { startTestGateway } from '../support/gateway.ts'
import { sendJson, startService } from '../support/service.ts'
import {
  type AuthorizationServer,
  CLIENT,
  startAuthorizationServer,
} from './authorization-server.ts'
import { echoPack, READ_AND_WRITE } from './service-pack.ts'

const oauth2 = (tokenUrl: string, more = '') => `
schemes: { user: { type: bearer } }
credentials:
  default:
    user:
      oauth2:
        token_url: ${tokenUrl}
        client_id: { env: CLIENT_ID }
        client_secret: { env: CLIENT_SECRET }
        ${more}
`

/** A service that asks the authorization server about each token, and a gateway in front of it. */
async function start(
  tokenUrl: string,
  isValid: AuthorizationServer['isValid'],
  more = '',
  env = {},
) {
  const service = await startService(async ({ headers }, response) => {
    const token = headers.authorization?.replace('Bearer ', '') ?? ''
    const valid = await isValid(token)
    sendJson(response, {}, valid ? 200 : 401)
  })
  const pack = await echoPack(service.url, oauth2(tokenUrl, more), READ_AND_WRITE)
  const gateway = await startTestGateway({
    settings: { capabilities: [pack] },
    env: { CLIENT_ID: CLIENT.id, CLIENT_SECRET: CLIENT.secret, ...env },
  })
  onTestFinished(() => gateway[Symbol.asyncDispose]())
  const tokens = () =>
    service.received.map(({ headers }) => headers.authorization?.replace('Bearer ', '') ?? '')
  return { gateway, service, tokens }
}

test('client credentials: one token for many calls that wait, and for those that follow', async () => {
  const server = await startAuthorizationServer(600)
  const { gateway, tokens } = await start(server.tokenUrl, server.isValid, 'scope: parts.read')
  const calls = Array.from({ length: 30 }, (_, text) =>
    gateway.call('echo.view', { text: `${text}` }),
  )
  const answers = await Promise.all(calls)
  expect(answers.filter(({ body }) => !body.ok)).toEqual([])
  expect((await gateway.call('echo.make', {})).body.ok).toBe(true)
  expect(new Set(tokens()).size).toBe(1)
  expect(server.issued()).toBe(1)
})

test('a token that ends soon is renewed in time: no call is refused', async () => {
  const server = await startAuthorizationServer(2)
  const { gateway, service, tokens } = await start(server.tokenUrl, server.isValid)
  const refused: unknown[] = []
  while (server.issued() < 3) {
    const { body } = await gateway.call('echo.make', {})
    if (!body.ok) refused.push(body.error)
  }
  expect(refused).toEqual([])
  expect(new Set(tokens()).size).toBeGreaterThanOrEqual(2)
  expect(service.received.length).toBeGreaterThan(2)
})

test('a token that is revoked: calls refused at once share one renewal', async () => {
  const server = await startAuthorizationServer(600)
  const { gateway, tokens } = await start(server.tokenUrl, server.isValid)
  await gateway.call('echo.view', {})
  const [first = ''] = tokens()
  await server.revoke(first)
  const calls = Array.from({ length: 10 }, (_, text) =>
    gateway.call('echo.view', { text: `${text}` }),
  )
  const answers = await Promise.all(calls)
  expect(answers.filter(({ body }) => !body.ok)).toEqual([])
  expect((await gateway.call('echo.make', {})).body.ok).toBe(true)
  expect(server.issued()).toBe(2)
  expect(new Set(tokens()).size).toBe(2)
})

test('a refresh token that the server replaces with each use goes on working', async () => {
  const server = await startAuthorizationServer(600)
  const refreshToken = await server.createRefreshToken()
  const more = 'grant: refresh_token\n        refresh_token: { env: REFRESH }'
  const env = { REFRESH: refreshToken }
  const { gateway, tokens } = await start(server.tokenUrl, server.isValid, more, env)
  for (let round = 1; round <= 3; round++) {
    const { body } = await gateway.call('echo.view', { text: `${round}` })
    expect(body.error).toBeNull()
    await server.revoke(tokens().at(-1) ?? '')
  }
  expect(server.issued()).toBe(3)
  expect(new Set(tokens()).size).toBe(3)
})

test('a wrong secret of the client is AUTH with the code of the server, and nothing is sent', async () => {
  const server = await startAuthorizationServer(600)
  const env = { CLIENT_SECRET: 'wrong-client-secret' }
  const { gateway, service } = await start(server.tokenUrl, server.isValid, '', env)
  const { body } = await gateway.call('echo.make', {})
  expect(body.error).toMatchObject({ code: 'AUTH', write_outcome: 'not_applied' })
  expect(body.error.message).toMatch(/answered 401 invalid_client/)
  expect(JSON.stringify(body)).not.toContain('wrong-client-secret')
  expect(service.received).toEqual([])
})

/** Token endpoints that fail, and what the call says. */
const FAILING = [
  ['nobody listens', async () => `http://127.0.0.1:${await freePort()}/token`, 'NETWORK', true],
  ['it answers 503', async () => await answering(503), 'SERVER', true],
  ['it answers 429', async () => await answering(429), 'RATE_LIMIT', true],
  ['it answers HTML', async () => await answering(200), 'AUTH', false],
  ['it answers nothing', async () => await silent(), 'TIMEOUT', true],
] as const

async function answering(status: number): Promise<string> {
  const page = '<html>client-secret-0123456789</html>'
  const server = await startService((_, response) => {
    response.writeHead(status, { 'retry-after': '7', 'content-type': 'text/html' }).end(page)
  })
  return `${server.url}/token`
}

async function silent(): Promise<string> {
  const server = createServer(() => {})
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  onTestFinished(() => void server.close())
  const address = server.address()
  return `http://127.0.0.1:${typeof address === 'object' ? address?.port : 0}/token`
}

test.each(FAILING)('the token endpoint: %s', async (_, url, code, retryable) => {
  const { gateway, service } = await start(await url(), async () => true, 'timeout_ms: 300')
  const { body } = await gateway.call('echo.make', {}, { query: { timeout_ms: '3000' } })
  expect(body.error).toMatchObject({ code, retryable, write_outcome: 'not_applied' })
  expect(JSON.stringify(body)).not.toContain(CLIENT.secret)
  expect(service.received).toEqual([])
  expect(gateway.engine.state.breakers.failuresOf('echo:rest')).toBe(0)
})
