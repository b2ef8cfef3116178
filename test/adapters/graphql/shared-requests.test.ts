import type { ServerResponse } from 'node:http'
import { describe, expect, onTestFinished, test } from 'vitest'
import { createGraphqlAdapter } from '../../../adapters/graphql/index.ts'
import type { CallContext } from '../../../src/model/adapter.ts'
import { callContext, connect, testCompiler } from '../../contract/adapter.ts'
import { tokenCredential } from '../../support/credentials.ts'
import { type SeenRequest, sendJson, startServer } from '../http/echo-server.ts'

const card = { document: 'query ($id: ID!) { it(id: $id) { id } }', variables: { id: 'input.id' } }

interface Query {
  readonly query: string
  readonly variables: Readonly<Record<string, string>>
}

type Answer = (query: Query, response: ServerResponse) => void

async function start(answer: Answer, upstream: object = {}) {
  const read = ({ body }: SeenRequest) => JSON.parse(body) as Query
  const server = await startServer((request, response) => answer(read(request), response))
  const url = `${server.origin}/graphql`
  const connection = connect(createGraphqlAdapter(), { url, ...upstream })
  onTestFinished(async () => {
    await connection.close()
    await server[Symbol.asyncDispose]()
  })
  const call = connection.compile(card, testCompiler('read'))
  const batch = { id: 'b' }
  return {
    server,
    send: (id: string, context: Partial<CallContext> = {}) =>
      call.call({ input: { id } }, { ...callContext('read'), batch, ...context }),
  }
}

/** Answers every `it(id:)` field of the query under its alias. */
function dataFor({ query, variables }: Query): Record<string, unknown> {
  const fields = [...query.matchAll(/(?:(\w+):)?it\(id:\$(\w+)\)/g)]
  return Object.fromEntries(
    fields.map(([, alias = 'it', variable = '']) => [alias, { id: variables[variable] }]),
  )
}

const isMerged = ({ query }: Query) => query.includes('c1_it')

describe('reads of one batch', () => {
  test('share one request, and report that', async () => {
    const { send, server } = await start((query, response) =>
      sendJson(response, { data: dataFor(query) }),
    )
    const replies = await Promise.all(['a', 'b', 'c'].map(id => send(id)))
    expect(server.seen).toHaveLength(1)
    expect(replies.map(reply => reply.ok && reply.body)).toEqual(
      ['a', 'b', 'c'].map(id => ({ it: { id } })),
    )
    expect(replies.map(({ exchange }) => exchange.shared)).toEqual([
      { calls: 3, isFirst: true },
      { calls: 3, isFirst: false },
      { calls: 3, isFirst: false },
    ])
  })

  test('with the same query and variables are sent as one query', async () => {
    const { send, server } = await start((query, response) =>
      sendJson(response, { data: dataFor(query) }),
    )
    const replies = await Promise.all([send('a'), send('a')])
    expect(replies.every(({ ok }) => ok)).toBe(true)
    expect(server.seen).toHaveLength(1)
    expect(server.seen[0]?.body).not.toContain('c0_')
  })

  test('are sent separately for each credential and each batch, and outside of a batch', async () => {
    const { send, server } = await start((query, response) =>
      sendJson(response, { data: dataFor(query) }),
    )
    const other = tokenCredential('other', 'other')
    const { batch: _, ...single } = callContext('read') as CallContext
    await Promise.all([
      send('a'),
      send('b', { credential: other }),
      send('c', { batch: { id: 'another' } }),
      send('d', { ...single, effect: 'idempotent' }),
    ])
    expect(server.seen).toHaveLength(4)
  })

  test.each<[string, Answer, object?]>([
    [
      'a query that the server rejects',
      (_, response) => sendJson(response, { errors: [{ message: "Field 'x' doesn't exist" }] }),
    ],
    [
      'a status that rejects the request',
      (_, response) => sendJson(response, { message: 'no' }, 400),
    ],
    ['a query that is too long', (_, response) => sendJson(response, { message: 'no' }, 413)],
    [
      'data nulled by one of the queries',
      (_, response) =>
        sendJson(response, {
          data: null,
          errors: [{ message: 'no', type: 'FORBIDDEN', path: ['c0_it'] }],
        }),
    ],
    [
      'an answer that is too large',
      (_, response) => sendJson(response, { data: 'x'.repeat(5000) }),
      { max_response_bytes: 4096 },
    ],
  ])('are sent one by one after %s', async (_name, refuse, upstream) => {
    const { send, server } = await start((query, response) => {
      if (isMerged(query)) refuse(query, response)
      else sendJson(response, { data: dataFor(query) })
    }, upstream)
    const replies = await Promise.all(['a', 'b'].map(id => send(id)))
    expect(replies.map(reply => reply.ok && reply.body)).toEqual([
      { it: { id: 'a' } },
      { it: { id: 'b' } },
    ])
    expect(server.seen).toHaveLength(3)
    expect(replies.map(({ exchange }) => exchange.upstreamRequests)).toEqual([2, 2])
  })

  test.each<[string, string, Answer]>([
    [
      'an exhausted quota',
      'RATE_LIMIT',
      (_, response) =>
        sendJson(response, { errors: [{ type: 'RATE_LIMITED', message: 'API rate limit' }] }),
    ],
    ['an upstream that is down', 'SERVER', (_, response) => sendJson(response, {}, 502)],
    ['a rejected credential', 'AUTH', (_, response) => sendJson(response, {}, 401)],
    ['a connection that breaks', 'NETWORK', (_, response) => void response.destroy()],
  ])('all fail with one request for %s', async (_name, code, answer) => {
    const { send, server } = await start(answer)
    const replies = await Promise.all(['a', 'b'].map(id => send(id)))
    expect(replies).toMatchObject([
      { ok: false, failure: { code } },
      { ok: false, failure: { code } },
    ])
    expect(server.seen).toHaveLength(1)
  })

  test('get the errors of their own fields and those without a path', async () => {
    const { send } = await start((query, response) =>
      sendJson(response, {
        data: { ...dataFor(query), c1_it: null },
        errors: [
          { message: 'gone', type: 'NOT_FOUND', path: ['c1_it'] },
          { message: 'beware', type: 'WARNING' },
        ],
      }),
    )
    const [first, second] = await Promise.all(['a', 'b'].map(id => send(id)))
    expect(first).toMatchObject({ ok: true, warnings: [{ message: 'beware' }] })
    expect(second).toMatchObject({ ok: false, failure: { code: 'NOT_FOUND' } })
  })

  test('go on when one of them is aborted', async () => {
    const pending: (() => void)[] = []
    const { send, server } = await start((query, response) => {
      pending.push(() => sendJson(response, { data: dataFor(query) }))
    })
    const controller = new AbortController()
    const leaving = send('a', { signal: controller.signal })
    const staying = send('b')
    await expect.poll(() => server.seen.length).toBe(1)
    controller.abort()
    expect(await leaving).toMatchObject({ ok: false, failure: { code: 'CANCELLED' } })
    pending[0]?.()
    expect(await staying).toMatchObject({ ok: true, body: { it: { id: 'b' } } })
  })

  test('are aborted upstream when all calls are aborted', async () => {
    const { send, server } = await start(() => {})
    const controller = new AbortController()
    const { signal } = controller
    const calls = ['a', 'b'].map(id => send(id, { signal }))
    await expect.poll(() => server.seen.length).toBe(1)
    controller.abort()
    await Promise.all(calls)
    await expect.poll(() => server.sockets()).toBe(0)
  })
})
