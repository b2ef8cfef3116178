import { request as httpRequest, type OutgoingHttpHeaders } from 'node:http'
import { text } from 'node:stream/consumers'
import { exportSPKI } from 'jose'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { startTestGateway, type TestGateway } from '../support/gateway.ts'
import {
  AUDIENCE,
  createSigningKey,
  startTokenIssuer,
  type TokenIssuer,
} from '../support/token-issuer.ts'

const REPO = { owner: 'octo-org', name: 'hello-world' }
const KEY = { name: 'agent', secret: 'agent-secret-0123456789' }
const rpc = (name: string, input: object) => ({
  jsonrpc: '2.0',
  id: 1,
  method: 'tools/call',
  params: { name, arguments: input },
})

/** The doors of the gateway, each with a request that somebody who may read gets an answer to. */
const DOORS = {
  call: ['POST', '/v1/capabilities/repo.view', REPO],
  explain: ['POST', '/v1/capabilities/repo.view/explain', REPO],
  batch: ['POST', '/v1/batch', { calls: [{ capability: 'repo.view', input: REPO }] }],
  MCP: ['POST', '/mcp', rpc('call', { capability: 'repo.view', input: REPO })],
  list: ['GET', '/v1/capabilities', null],
  requests: ['GET', '/v1/requests', null],
  stream: ['GET', '/v1/requests/stream', null],
  upstreams: ['GET', '/v1/upstreams', null],
  profiles: ['GET', '/v1/profiles', null],
  hints: ['GET', '/v1/hints', null],
} as const satisfies Record<string, readonly [string, string, object | null]>
type Door = keyof typeof DOORS
const doors = Object.keys(DOORS) as Door[]

let idp: TokenIssuer
let other: TokenIssuer
let gateway: TestGateway
const lines: string[] = []

beforeAll(async () => {
  idp = await startTokenIssuer()
  other = await startTokenIssuer()
  const claims = { name: 'email', role: 'groups' }
  const roles = [
    { name: 'admins', operator: true, scopes: ['metrics' as const] },
    { name: 'staff', read_only: true },
    { name: 'slow', requests_per_minute: 1 },
  ]
  gateway = await startTestGateway({
    settings: {
      keys: [KEY],
      public_url: 'https://gateway.example.com',
      journal_payloads: 'redacted',
      oidc: [
        { issuer: idp.issuer, audience: AUDIENCE, prefix: '', claims, roles },
        {
          issuer: other.issuer,
          audience: AUDIENCE,
          prefix: 'other:',
          claims: { allow: 'permissions' },
          required_scopes: ['signalbox'],
        },
      ],
    },
    onLog: line => lines.push(JSON.stringify(line)),
  })
})
afterAll(async () => {
  await gateway[Symbol.asyncDispose]()
  await idp.close()
  await other.close()
})
beforeEach(() => {
  gateway.sandbox.log.clear()
})

interface Reply {
  readonly status: number
  readonly headers: Readonly<Record<string, string | string[] | undefined>>
  readonly body: string
}

/** @param authorization each in a header of its own */
async function enter(door: Door, authorization: readonly string[], query = ''): Promise<Reply> {
  const [method, path, input] = DOORS[door]
  const headers: Record<string, string | string[]> = {
    'content-type': 'application/json',
    accept: 'application/json, text/event-stream',
  }
  if (authorization.length > 0) headers.authorization = [...authorization]
  const request = httpRequest(`${gateway.url}${path}${query}`, {
    method,
    headers: headers as OutgoingHttpHeaders,
  })
  request.end(input === null ? undefined : JSON.stringify(input))
  return await new Promise((resolve, reject) => {
    request.once('error', reject)
    request.once('response', response => {
      const { statusCode: status = 0, headers: received } = response
      const answer = (body: string) => resolve({ status, headers: received, body })
      // The stream of requests never ends.
      if (door !== 'stream' || status !== 200) return void text(response).then(answer, reject)
      response.destroy()
      answer('')
    })
  })
}

const bearer = (token: string) => [`Bearer ${token}`]
const person = { email: 'ann@example.com', groups: ['staff'] }
const now = () => Math.floor(Date.now() / 1000)
const unsigned = (claims: object) =>
  [{ alg: 'none' }, claims]
    .map(part => Buffer.from(JSON.stringify(part)).toString('base64url'))
    .concat('')
    .join('.')

const BAD: Readonly<Record<string, () => Promise<string> | string>> = {
  expired: () => idp.sign({ ...person, exp: now() - 60 }),
  'for another audience': () => idp.sign({ ...person, aud: 'https://other.example.com' }),
  'of another issuer': () => idp.sign({ ...person, iss: 'https://evil.example.com' }),
  'of one issuer in the name of the other': () => other.sign({ ...person, iss: idp.issuer }),
  'signed by nobody': () =>
    unsigned({ iss: idp.issuer, aud: AUDIENCE, exp: now() + 60, ...person }),
  'signed with the public key as a secret': async () => {
    const key = idp.keys[0]?.publicKey as never
    return await idp.sign(person, { key: new TextEncoder().encode(await exportSPKI(key)) })
  },
  'with an unknown kid': () => idp.sign(person, { header: { kid: 'unknown' } }),
  'signed with a key that is not published': async () =>
    await idp.sign(person, { key: await createSigningKey('first') }),
  'a text': () => 'no-token-and-no-key-0123',
}

describe.each(doors)('at the door %s', door => {
  test('a good token passes, as a key does', async () => {
    expect((await enter(door, bearer(await idp.sign(person)))).status).toBe(200)
    expect((await enter(door, bearer(KEY.secret))).status).toBe(200)
  })

  test.each(Object.keys(BAD))('a token is refused that is %s', async fault => {
    const reply = await enter(door, bearer(await (BAD[fault] as () => Promise<string>)()))
    expect(reply.status).toBe(401)
    expect(JSON.parse(reply.body)).toMatchObject({
      ok: false,
      error: { code: 'AUTH', source: 'caller', next: { action: 'reauth' } },
    })
    const place = door === 'MCP' ? '/mcp' : ''
    const challenge = reply.headers['www-authenticate']
    expect(challenge).toMatch(/^Bearer realm="signalbox", error="invalid_token", error_desc/)
    expect(challenge).toContain(
      `resource_metadata="https://gateway.example.com/.well-known/oauth-protected-resource${place}"`,
    )
    expect(gateway.sandbox.log.rows()).toEqual([])
  })

  test('nothing at all is refused without the name of an error', async () => {
    const { status, headers } = await enter(door, [])
    expect(status).toBe(401)
    expect(headers['www-authenticate']).not.toContain('error')
    expect(headers['www-authenticate']).toContain('scope="signalbox", resource_metadata="')
  })

  test('a token in the address is refused', async () => {
    const token = await idp.sign(person)
    const { status, body } = await enter(door, [], `?access_token=${token}`)
    expect(status).toBe(401)
    expect(body).not.toContain(token)
  })

  test('two Authorization headers are refused, even if both are good', async () => {
    const good = bearer(await idp.sign(person))
    for (const second of [good, bearer(KEY.secret), ['Basic YTpi']]) {
      const { status, body, headers } = await enter(door, [...good, ...second])
      expect(status).toBe(400)
      expect(JSON.parse(body)).toMatchObject({ error: { code: 'VALIDATION' } })
      expect(headers['www-authenticate']).toContain('error="invalid_request"')
    }
  })

  test('a huge token is refused', async () => {
    const large = await idp.sign({ ...person, more: 'x'.repeat(30_000) })
    expect((await enter(door, bearer(large))).status).toBe(431)
  })

  test('a token without a scope that it needs is refused with the scope', async () => {
    const { status, body, headers } = await enter(door, bearer(await other.sign()))
    expect(status).toBe(403)
    expect(JSON.parse(body)).toMatchObject({ error: { code: 'FORBIDDEN' } })
    expect(headers['www-authenticate']).toMatch(/error="insufficient_scope".* scope="signalbox"/)
  })

  test('a token without a name is refused, and another token would not help', async () => {
    const { status, headers } = await enter(door, bearer(await idp.sign({ groups: ['staff'] })))
    expect([status, headers['www-authenticate']]).toEqual([403, undefined])
  })

  test('no token passes while the keys of its issuer cannot be fetched', async () => {
    const down = await startTokenIssuer()
    const token = await down.sign({ ...person, scope: 'signalbox' })
    const settings = {
      oidc: [{ issuer: down.issuer, audience: AUDIENCE, claims: { allow: "['*']" } }],
    }
    await down.close()
    await using lonely = await startTestGateway({ settings })
    const [method, path, input] = DOORS[door]
    const response = await fetch(`${lonely.url}${path}`, {
      method,
      headers: { 'content-type': 'application/json', authorization: `Bearer ${token}` },
      body: input === null ? null : JSON.stringify(input),
    })
    expect(response.status).toBe(503)
    expect(response.headers.get('retry-after')).toBe('2')
    expect(await response.json()).toMatchObject({
      ok: false,
      error: { code: 'SERVER', source: 'gateway', retryable: true, retry_after_ms: 2000 },
    })
  })
})

describe('a caller with a token', () => {
  const call = async (claims: object, id: string, input: object, from = idp) =>
    await gateway.call(id, input, {
      headers: { authorization: `Bearer ${await from.sign({ ...person, ...claims })}` },
    })

  test.each(doors.slice(0, 4))('may do at the door %s what its role says', async door => {
    const write = { ...REPO, title: 'not allowed' }
    const change = {
      call: ['POST', '/v1/capabilities/issue.create', write],
      explain: ['POST', '/v1/capabilities/issue.create/explain', write],
      batch: ['POST', '/v1/batch', { calls: [{ capability: 'issue.create', input: write }] }],
      MCP: ['POST', '/mcp', rpc('call', { capability: 'issue.create', input: write })],
    }[door as 'call']
    const [method, path, input] = change as [string, string, object]
    const reply = await fetch(`${gateway.url}${path}`, {
      method,
      headers: {
        'content-type': 'application/json',
        authorization: `Bearer ${await idp.sign(person)}`,
      },
      body: JSON.stringify(input),
    })
    const body = await reply.text()
    expect(body).toContain('FORBIDDEN')
    expect(body).toMatch(/The caller \\*"ann@example.com\\*" may not call issue.create/)
    expect(gateway.sandbox.log.rows()).toEqual([])
  })

  test('has its name in the journal and in the log', async () => {
    const { body } = await call({}, 'repo.view', REPO)
    const headers = { authorization: `Bearer ${await idp.sign({ ...person, groups: ['admins'] })}` }
    const recorded = await gateway.get(`/v1/requests/${body.meta.request_id}`, headers)
    expect(recorded.body.data).toMatchObject({ caller: 'ann@example.com' })
    await expect.poll(() => lines.join('\n')).toMatch(/"caller":"ann@example.com"/)
  })

  test('reads only its own requests, unless its role is an operator', async () => {
    const theirs = await call({ email: 'bob@example.com' }, 'repo.view', REPO)
    const path = `/v1/requests/${theirs.body.meta.request_id}`
    const as = async (claims: object) => {
      const authorization = `Bearer ${await idp.sign({ ...person, ...claims })}`
      return (await gateway.get(path, { authorization })).status
    }
    expect(await as({})).toBe(404)
    expect(await as({ email: 'bob@example.com' })).toBe(200)
    expect(await as({ groups: ['admins'] })).toBe(200)
  })

  test('has the limits of its role for itself', async () => {
    const slow = { groups: ['slow'] }
    expect((await call(slow, 'repo.view', REPO)).status).toBe(200)
    const { status, headers, body } = await call(slow, 'repo.view', REPO)
    expect([status, headers.get('ratelimit-policy')]).toEqual([
      429,
      '"requests_per_minute";q=1;w=60',
    ])
    expect(body.error.message).toMatch(/The caller "ann@example.com" may make 1 calls per minute/)
    expect((await call({ ...slow, email: 'bob@example.com' }, 'repo.view', REPO)).status).toBe(200)
  })

  test('of another issuer may do what its claims allow', async () => {
    const claims = { scope: 'signalbox', permissions: ['repo.*'] }
    expect((await call(claims, 'repo.view', REPO, other)).status).toBe(200)
    expect((await call(claims, 'issue.list', REPO, other)).status).toBe(403)
    expect(
      (await call({ scope: 'signalbox' }, 'repo.view', REPO, other)).body.error.message,
    ).toMatch(/"other:ann" may not call repo.view: claims.allow gives nothing for its token/)
  })

  test('sees nothing in /openapi.json that it may not call, and metrics with the scope', async () => {
    const as = async (path: string, groups: string[]) => {
      const authorization = `Bearer ${await idp.sign({ ...person, groups })}`
      const response = await fetch(`${gateway.url}${path}`, { headers: { authorization } })
      return { status: response.status, body: await response.text() }
    }
    const { body } = await as('/openapi.json', ['staff'])
    expect(body).toContain('/v1/capabilities/repo.view')
    expect(body).not.toContain('/v1/capabilities/issue.create')
    expect((await as('/openapi.json', [])).body).not.toContain('/v1/capabilities/repo.view')
    expect(JSON.parse(body)).toMatchObject({
      security: [{ gatewayKey: [] }, { identityProvider: [] }, { identityProvider2: [] }],
      components: {
        securitySchemes: {
          identityProvider: {
            type: 'openIdConnect',
            openIdConnectUrl: `${idp.issuer}/.well-known/openid-configuration`,
          },
          identityProvider2: { description: expect.stringMatching(/needs the scope signalbox/) },
        },
      },
    })
    expect((await as('/metrics', ['staff'])).status).toBe(403)
    expect((await as('/metrics', ['admins'])).status).toBe(200)
  })
})

test('the stream of requests ends with the token of its reader', async () => {
  const authorization = `Bearer ${await idp.sign({ ...person, exp: now() + 2 })}`
  const response = await fetch(`${gateway.url}/v1/requests/stream`, { headers: { authorization } })
  expect(response.status).toBe(200)
  const began = performance.now()
  await response.text()
  expect(performance.now() - began).toBeLessThan(10_000)
})

test('a token appears nowhere', async () => {
  const tokens: string[] = []
  const sign = async (claims: object) => {
    const token = await idp.sign({ ...person, ...claims })
    tokens.push(token)
    return token
  }
  const answers: string[] = []
  for (const door of doors) {
    answers.push((await enter(door, bearer(await sign({})))).body)
    answers.push((await enter(door, bearer(await sign({ exp: now() - 60 })))).body)
    answers.push((await enter(door, [], `?access_token=${await sign({})}`)).body)
  }
  const token = await sign({ groups: ['admins'] })
  const headers = { authorization: `Bearer ${token}`, 'x-request-id': token }
  const body = { ...REPO, title: token, body: `Here is ${token}` }
  const { body: made } = await gateway.call('issue.create', body, { headers })
  const recorded = await gateway.get(`/v1/requests/${made.meta.request_id}`, headers)
  answers.push(JSON.stringify([recorded.body, (await gateway.get('/v1/upstreams', headers)).body]))
  const metrics = await fetch(`${gateway.url}/metrics`, { headers })
  answers.push(await metrics.text())
  const sent = JSON.stringify(gateway.sandbox.log.rows())
  const everything = [...answers, ...lines, sent].join('\n')
  for (const secret of tokens) {
    expect(everything.includes(secret.split('.')[2] ?? secret)).toBe(false)
  }
})
