import zlib from 'node:zlib'
import { describe, expect, onTestFinished, test } from 'vitest'
import { createRestAdapter } from '../../../adapters/rest/index.ts'
import type { CallContext } from '../../../src/model/adapter.ts'
import { callContext, connect, testCompiler } from '../../contract/adapter.ts'
import { tokenCredential } from '../../support/credentials.ts'
import { type Answerer, sendJson, startServer } from '../http/echo-server.ts'

const credential = tokenCredential('secret-token-0123456789')

/** Starts a server, and returns a function that calls it with a card section. */
async function start(answer: Answerer, upstream: object = {}) {
  const server = await startServer(answer)
  const headers = { authorization: 'Bearer ${credential}' }
  const connection = connect(createRestAdapter(), { base_url: server.origin, headers, ...upstream })
  onTestFinished(async () => {
    await connection.close()
    await server[Symbol.asyncDispose]()
  })
  const call = (card: object, input: object = {}, context: Partial<CallContext> = {}) =>
    connection
      .compile({ method: 'GET', path: '/', ...card }, testCompiler())
      .call({ input }, { ...callContext('read'), ...context })
  return { call, server }
}

const ok: Answerer = (_, response) => sendJson(response, { fine: true })

describe('a REST request', () => {
  test('has query, headers and body from expressions, without nulls', async () => {
    const { call, server } = await start(ok)
    await call(
      {
        method: 'POST',
        path: '/items/{id}',
        query: { tag: 'input.tags', q: 'input.q', page: 2, none: 'input.absent' },
        headers: { 'X-Title': 'input.q', 'x-none': 'input.absent' },
        body: '{q: input.q, none: input.absent, deep: {none: input.absent}}',
      },
      { id: 7, tags: ['a', 'b c'], q: 'x&y' },
      { effect: 'write', traceparent: '00-1-2-01' },
    )
    expect(server.seen).toMatchObject([
      {
        method: 'POST',
        url: '/items/7?tag=a&tag=b%20c&q=x%26y&page=2',
        headers: { 'x-title': 'x&y', 'content-type': 'application/json', traceparent: '00-1-2-01' },
        body: '{"q":"x&y","deep":{"none":null}}',
      },
    ])
    expect(server.seen[0]?.headers).not.toHaveProperty('x-none')
    expect(server.seen[0]?.headers['user-agent']).toMatch(/^signalbox\//)
  })

  test('sends nulls if the card keeps them', async () => {
    const { call, server } = await start(ok)
    await call({ method: 'PATCH', body: { milestone: 'input.milestone' }, keep_nulls: true })
    expect(server.seen[0]?.body).toBe('{"milestone":null}')
  })

  test.each([
    [{ headers: { 'x-a': 'input.value' } }, 'a\r\nX: y', 'VALIDATION'],
    [{ headers: { 'x-a': 'input.value' } }, '駅', 'VALIDATION'],
    [{ query: { q: 'input.value' } }, { a: 1 }, 'VALIDATION'],
    [{ query: { q: 'input.value' } }, '\ud800', 'VALIDATION'],
    [{ query: { q: 'input.value' } }, 'x'.repeat(9000), 'TOO_LARGE'],
    [{ path: '/{value}' }, '..', 'VALIDATION'],
  ])('%o refuses a value that it cannot hold', async (card, value, code) => {
    const { call, server } = await start(ok)
    expect(await call(card, { value })).toMatchObject({
      ok: false,
      failure: { code, writeOutcome: 'not_applied' },
      exchange: { upstreamRequests: 0 },
    })
    expect(server.seen).toEqual([])
  })

  test.each([
    [{ headers: { Authorization: 'input.a' } }, /carries a credential.*upstream\.yaml/],
    [{ headers: { 'content-length': 'input.a' } }, /set by the HTTP client/],
    [{ headers: { 'a b': 'input.a' } }, /not a valid header name/],
    [{ body: 'input.a' }, /no meaning for GET/],
    [{ path: '/{' }, /path/],
  ])('%o is a fault of the card', async (card, message) => {
    const { call } = await start(ok)
    await expect(async () => call(card)).rejects.toThrow(message)
  })

  test('sends If-None-Match, and returns the 304', async () => {
    const { call, server } = await start((_, response) => void response.writeHead(304).end())
    const reply = await call({}, {}, { etag: '"1"' })
    expect(reply).toMatchObject({ ok: true, status: 304, body: null })
    expect(server.seen[0]?.headers['if-none-match']).toBe('"1"')
  })
})

describe('a redirect', () => {
  test('is followed within the origin, with the same method', async () => {
    const { call, server } = await start(({ url }, response) => {
      if (url === '/new') return sendJson(response, { at: 'new' })
      response.writeHead(307, { location: '/new' }).end()
    })
    const reply = await call(
      { method: 'POST', path: '/old', body: { a: 1 } },
      {},
      { effect: 'write' },
    )
    expect(reply).toMatchObject({
      ok: true,
      body: { at: 'new' },
      exchange: { upstreamRequests: 2 },
    })
    expect(server.seen.map(({ method, url, body }) => [method, url, body])).toEqual([
      ['POST', '/old', '{"a":1}'],
      ['POST', '/new', '{"a":1}'],
    ])
  })

  test('of a write is not followed if that would turn it into a read', async () => {
    const { call, server } = await start((_, response) => {
      response.writeHead(302, { location: '/new' }).end()
    })
    const reply = await call({ method: 'POST', path: '/old' }, {}, { effect: 'write' })
    expect(reply).toMatchObject({
      ok: false,
      failure: { code: 'OUTPUT_INVALID', writeOutcome: 'not_applied' },
    })
    expect(server.seen).toHaveLength(1)
  })

  test('is followed to another origin if the card allows it, without any headers', async () => {
    const other = await start((_, response) => response.end('kept elsewhere'))
    const { call } = await start((_, response) => {
      response.writeHead(302, { location: `${other.server.origin}/x?sig=1` }).end()
    })
    const headers = { 'x-title': "'mine'" }
    const reply = await call({ redirects: 'anywhere', parse: 'text', headers }, {}, { credential })
    expect(reply).toMatchObject({
      ok: true,
      body: 'kept elsewhere',
      exchange: { upstreamRequests: 2 },
    })
    const [seen] = other.server.seen
    expect(seen).toMatchObject({ method: 'GET', url: '/x?sig=1' })
    expect(Object.keys(seen?.headers ?? {}).sort()).toEqual(['connection', 'host', 'user-agent'])
  })

  test('of a write is not followed to another origin, even if the card allows it', async () => {
    const other = await start(ok)
    const { call } = await start((_, response) => {
      response.writeHead(307, { location: `${other.server.origin}/x` }).end()
    })
    const card = { method: 'POST', redirects: 'anywhere' }
    expect(await call(card, {}, { effect: 'write' })).toMatchObject({ ok: false })
    expect(other.server.seen).toEqual([])
  })

  test('never takes the credential to another origin', async () => {
    const other = await start(ok)
    const { call } = await start((_, response) => {
      response.writeHead(302, { location: `${other.server.origin}/x` }).end()
    })
    const reply = await call({}, {}, { credential })
    expect(reply).toMatchObject({ ok: false, failure: { code: 'FORBIDDEN', fallback: false } })
    expect(other.server.seen).toEqual([])
  })

  test('is not followed in circles', async () => {
    const { call, server } = await start((_, response) => {
      response.writeHead(302, { location: '/again' }).end()
    })
    expect(await call({})).toMatchObject({
      ok: false,
      failure: { code: 'NETWORK', retryable: false },
    })
    expect(server.seen).toHaveLength(4)
  })
})

describe('an answer', () => {
  test.each([
    ['gzip', zlib.gzipSync],
    ['br', zlib.brotliCompressSync],
    ['deflate', zlib.deflateSync],
    ['deflate', zlib.deflateRawSync],
    ['zstd', zlib.zstdCompressSync],
  ])('in %s is decoded, although the request did not ask for it', async (encoding, compress) => {
    const { call } = await start((_, response) => {
      response.writeHead(200, { 'content-encoding': encoding }).end(compress('{"a":1}'))
    })
    expect(await call({})).toMatchObject({ ok: true, body: { a: 1 } })
  })

  test('that unpacks to more than the limit is refused', async () => {
    const bomb = zlib.gzipSync(Buffer.alloc(5_000_000))
    const { call } = await start(
      (_, response) => void response.writeHead(200, { 'content-encoding': 'gzip' }).end(bomb),
      { max_response_bytes: 100_000 },
    )
    expect(await call({})).toMatchObject({ ok: false, failure: { code: 'TOO_LARGE' } })
  })

  test('reports the quota, the request id and repeated headers', async () => {
    const { call } = await start((_, response) => {
      response.setHeader('link', ['<a>; rel="next"', '<b>; rel="last"'])
      response.setHeader('X-GitHub-Request-Id', 'AB:1')
      response.setHeader('X-RateLimit-Limit', '5000')
      response.setHeader('X-RateLimit-Remaining', '4999')
      response.setHeader('X-RateLimit-Reset', String(Math.ceil(Date.now() / 1000) + 60))
      response.setHeader('X-RateLimit-Resource', 'core')
      sendJson(response, [])
    })
    const reply = await call({})
    expect(reply).toMatchObject({
      ok: true,
      headers: { link: '<a>; rel="next", <b>; rel="last"' },
      exchange: {
        upstreamStatus: 200,
        upstreamRequestId: 'AB:1',
        quota: { pool: 'core', limit: 5000, remaining: 4999 },
      },
    })
    const { resetAt } = reply.exchange.quota ?? {}
    expect(Math.abs((resetAt ?? 0) - Date.now() - 60_000)).toBeLessThan(3000)
  })

  test('with a status that the card accepts is a success', async () => {
    const { call } = await start((_, response) => sendJson(response, { message: 'Not Found' }, 404))
    expect(await call({ accept: [404] })).toMatchObject({ ok: true, status: 404 })
  })

  test('is text if the card says so', async () => {
    const { call } = await start((_, response) => void response.end('<diff>'))
    expect(await call({ parse: 'text' })).toMatchObject({ ok: true, body: '<diff>' })
  })

  test('reports the invalid fields of the input', async () => {
    const body = {
      message: 'Validation Failed',
      errors: [{ field: 'title', code: 'missing_field' }],
    }
    const { call } = await start((_, response) => sendJson(response, body, 422))
    expect(await call({ method: 'POST' })).toMatchObject({
      failure: {
        message: 'test answered 422: Validation Failed',
        details: { fields: [{ path: 'title', message: 'missing_field' }] },
      },
    })
  })

  test('of problem details has title and detail in one message', async () => {
    const body = { title: 'Your request is not valid.', detail: 'weight must be positive.' }
    const { call } = await start((_, response) => sendJson(response, body, 422))
    expect(await call({})).toMatchObject({
      failure: {
        message: 'test answered 422: Your request is not valid: weight must be positive.',
      },
    })
  })

  test('has its message shortened and redacted', async () => {
    const { call } = await start(({ headers }, response) => {
      sendJson(response, { message: `${headers.authorization} ${'long '.repeat(200)}` }, 400)
    })
    const reply = await call({}, {}, { credential })
    const message = reply.ok ? '' : reply.failure.message
    expect(message).not.toContain(credential.token)
    expect(message.length).toBeLessThanOrEqual(300)
  })
})
