import { request } from 'node:http'
import { expect, test } from 'vitest'
import type { Fault, LogRow } from '../../sandbox/index.ts'
import { type Client, HELLO, startSandbox } from './support.ts'

const ISSUES = `${HELLO}/issues`

async function startWith(...faults: Fault[]): Promise<Client> {
  const client = await startSandbox()
  client.sandbox.faults.set(faults)
  return client
}

function lastRow({ sandbox }: Client): LogRow | undefined {
  return sandbox.log.rows().at(-1)
}

function titled({ sandbox }: Client, title: string): number {
  const items = sandbox.store.repositories.find('octo-org', 'hello-world')?.items.values() ?? []
  return [...items].filter(item => item.title === title).length
}

/** Returns what a plain client receives: the part that arrived, and the error that ended it. */
function post(url: string, body: unknown): Promise<{ received: string; error: string | null }> {
  return new Promise(resolve => {
    let received = ''
    const end = (error: NodeJS.ErrnoException | null) =>
      resolve({ received, error: error ? (error.code ?? error.message) : null })
    const sent = request(url, {
      method: 'POST',
      headers: { authorization: 'token sandbox-token' },
    })
    sent.on('error', end)
    sent.on('response', response => {
      response.setEncoding('utf8')
      response.on('data', chunk => (received += chunk))
      response.on('error', end)
      response.on('end', () => end(null))
    })
    sent.end(JSON.stringify(body))
  })
}

test('a status fault replaces the answer, with its own headers and body', async () => {
  const client = await startWith({
    on: { route: 'rest' },
    do: { status: 502, headers: { 'content-type': 'text/html', 'x-edge': 'yes' }, body: '<html>' },
  })
  const { status, text, headers } = await client.rest('POST', ISSUES, { title: 'Lost' })
  expect([status, text]).toEqual([502, '<html>'])
  expect(headers.get('x-edge')).toBe('yes')
  expect(headers.has('x-github-request-id')).toBe(false)
  expect(titled(client, 'Lost')).toBe(0)
  expect(lastRow(client)).toMatchObject({ status: 502, applied: false, fault: { status: 502 } })
})

test('a status fault without a body gets the standard HTTP reason as message', async () => {
  const client = await startWith({ do: { status: 503 } })
  expect((await client.rest('GET', HELLO)).json).toEqual({ message: 'Service Unavailable' })
})

test('reset before: nothing is applied, and no answer is sent', async () => {
  const client = await startWith({ do: { reset: 'before' } })
  expect(await post(client.sandbox.url + ISSUES, { title: 'Lost' })).toEqual({
    received: '',
    error: 'ECONNRESET',
  })
  expect(titled(client, 'Lost')).toBe(0)
  expect(lastRow(client)).toMatchObject({ status: null, applied: false })
})

test('reset after: the write is applied, and the caller gets no answer', async () => {
  const client = await startWith({ do: { reset: 'after' } })
  expect(await post(client.sandbox.url + ISSUES, { title: 'Made' })).toEqual({
    received: '',
    error: 'ECONNRESET',
  })
  expect(titled(client, 'Made')).toBe(1)
  expect(lastRow(client)).toMatchObject({ status: null, applied: true, fault: { reset: 'after' } })
})

test('reset midbody: the write is applied, and half of the answer arrives', async () => {
  const client = await startWith({ do: { reset: 'midbody' } })
  const { received, error } = await post(client.sandbox.url + ISSUES, { title: 'Half' })
  expect(error).toBe('ECONNRESET')
  expect(received.length).toBeGreaterThan(100)
  expect(() => JSON.parse(received)).toThrow(SyntaxError)
  expect(titled(client, 'Half')).toBe(1)
  expect(lastRow(client)).toMatchObject({ status: null, applied: true })
})

test('truncate: the answer is valid HTTP but broken JSON', async () => {
  const client = await startWith({ do: { truncate: 20 } })
  const { status, text, headers } = await client.rest('GET', HELLO)
  expect([status, text.length, headers.get('content-length')]).toEqual([200, 20, '20'])
  expect(() => JSON.parse(text)).toThrow(SyntaxError)
})

test('a delay holds the answer back, and applies the write even if the caller has left', async () => {
  const client = await startWith({ do: { delay_ms: 150 } }, { do: { delay_ms: 600 } })
  const began = performance.now()
  expect((await client.rest('GET', HELLO)).status).toBe(200)
  expect(performance.now() - began).toBeGreaterThan(140)

  const leaving = new AbortController()
  const left = fetch(client.sandbox.url + ISSUES, {
    method: 'POST',
    headers: { authorization: 'token sandbox-token' },
    body: '{"title":"Late"}',
    signal: leaving.signal,
  })
  await expect.poll(() => lastRow(client)?.fault).toEqual({ delay_ms: 600 })
  leaving.abort()
  await expect(left).rejects.toThrow('aborted')
  expect(titled(client, 'Late')).toBe(0)
  await expect.poll(() => titled(client, 'Late')).toBe(1)
  expect(lastRow(client)).toMatchObject({ status: null, applied: true })
})

test('hang: the request is logged at once, and no answer is sent', async () => {
  const client = await startWith({ do: { hang: true } })
  const leaving = new AbortController()
  const hanging = fetch(client.sandbox.url + HELLO, { signal: leaving.signal })
  const row = { path: HELLO, status: null, fault: { hang: true } }
  await expect.poll(() => lastRow(client)).toMatchObject(row)
  leaving.abort()
  await expect(hanging).rejects.toThrow('aborted')
  expect(lastRow(client)).toMatchObject(row)
})

test('each API reports a primary rate limit in its own way', async () => {
  const client = await startWith({ do: { rate_limit: 'primary' }, times: 2 })
  const core = await client.rest('POST', ISSUES, { title: 'Lost' })
  expect(core.status).toBe(403)
  expect(core.json.message).toMatch(/^API rate limit exceeded for user ID \d+\.$/)
  expect(core.headers.get('x-ratelimit-remaining')).toBe('0')
  const query = await client.graphql('{ viewer { login } }')
  expect([query.status, query.json.errors?.[0]?.type]).toEqual([200, 'RATE_LIMITED'])
  expect(query.headers.get('x-ratelimit-remaining')).toBe('0')
  expect(titled(client, 'Lost')).toBe(0)

  const next = await client.rest('GET', HELLO)
  expect(next.headers.get('x-ratelimit-remaining')).toBe('4999')
})

test('a secondary rate limit asks the caller to wait, although the quota is not used up', async () => {
  const client = await startWith({ do: { rate_limit: 'secondary' } })
  const { status, json, headers } = await client.graphql('{ viewer { login } }')
  expect(status).toBe(403)
  expect(json.message).toContain('secondary rate limit')
  expect(headers.get('retry-after')).toBe('60')
  expect(headers.get('x-ratelimit-remaining')).toBe('5000')
})

test.each([
  ['route', { route: 'graphql' }, [200, 200, 500, 500]],
  ['connection', { via: 'tcp' }, [500, 500, 500, 500]],
  ['another connection', { via: 'socket' }, [200, 200, 200, 200]],
  ['method', { method: 'post' }, [200, 200, 500, 500]],
  ['path', { path: '^/user$' }, [500, 200, 200, 200]],
  ['operation', { operation: 'Second' }, [200, 200, 200, 500]],
] as const)('faults match on %s', async (_what, on, statuses) => {
  const { rest, graphql } = await startWith({ on, do: { status: 500 }, times: 9 })
  const seen = [
    await rest('GET', '/user'),
    await rest('GET', HELLO),
    await graphql('query First { viewer { login } }'),
    await graphql('query Second { viewer { login } }'),
  ]
  expect(seen.map(({ status }) => status)).toEqual(statuses)
})

test('faults apply in order, each as often as its `times` says', async () => {
  const { rest } = await startWith(
    { do: { status: 500 } },
    { do: { status: 502 }, times: 2 },
    { on: { path: '/nowhere' }, do: { status: 504 } },
  )
  const statuses: number[] = []
  for (let count = 0; count < 4; count += 1) statuses.push((await rest('GET', HELLO)).status)
  expect(statuses).toEqual([500, 502, 502, 200])
})
