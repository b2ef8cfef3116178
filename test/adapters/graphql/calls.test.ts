import { mkdtemp, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, onTestFinished, test } from 'vitest'
import { createGraphqlAdapter } from '../../../adapters/graphql/index.ts'
import type { CallContext } from '../../../src/model/adapter.ts'
import { callContext, connect, testCompiler } from '../../contract/adapter.ts'
import { type Answerer, sendJson, startServer } from '../http/echo-server.ts'

const SDL = `
  type Query { repo(name: String!): Repo }
  type Mutation { create(input: CreateInput!): Repo }
  input CreateInput { repoId: ID!, title: String, body: String }
  type Repo { id: ID!, name: String }
`

async function start(answer: Answerer, upstream: object = {}) {
  const server = await startServer(answer)
  const connection = connect(createGraphqlAdapter(), {
    url: `${server.origin}/graphql`,
    ...upstream,
  })
  onTestFinished(async () => {
    await connection.close()
    await server[Symbol.asyncDispose]()
  })
  const compile = (card: object, effect: CallContext['effect'] = 'write') =>
    connection.compile(card, testCompiler(effect))
  return { server, compile }
}

const create = {
  document: `
    # comments are not sent
    mutation ($input: CreateInput!) { create(input: $input) { id } }
  `,
  variables: { input: '{repoId: lookup.repo.id, title: input.title, body: input.body}' },
}

describe('a GraphQL call', () => {
  test('sends the document without comments and whitespace, and omits null variables', async () => {
    const { compile, server } = await start((_, response) => {
      sendJson(response, { data: { create: { id: 'I1' } } })
    })
    const scope = { input: { title: 't' }, lookup: { repo: { id: 'R1' } } }
    const reply = await compile(create).call(scope, callContext())
    expect(reply).toMatchObject({ ok: true, body: { create: { id: 'I1' } } })
    expect(JSON.parse(server.seen[0]?.body ?? '')).toEqual({
      query: 'mutation($input:CreateInput!){create(input:$input){id}}',
      variables: { input: { repoId: 'R1', title: 't' } },
    })
  })

  test('sends nulls if the card keeps them', async () => {
    const { compile, server } = await start((_, response) => sendJson(response, { data: { a: 1 } }))
    const card = { document: 'query ($a: Int) { a(a: $a) }', variables: { a: 'input.a' } }
    await compile({ ...card, keep_nulls: true }).call({ input: {} }, callContext('read'))
    expect(JSON.parse(server.seen[0]?.body ?? '').variables).toEqual({ a: null })
  })

  test('reports the quota that the document asks for', async () => {
    const rateLimit = { limit: 5000, remaining: 12, cost: 1, resetAt: '2023-11-14T23:13:20Z' }
    const { compile } = await start((_, response) => sendJson(response, { data: { rateLimit } }))
    const reply = await compile({ document: '{ rateLimit { limit remaining resetAt } }' }).call(
      { input: {} },
      callContext('read'),
    )
    expect(reply.exchange.quota).toEqual({
      pool: null,
      limit: 5000,
      remaining: 12,
      resetAt: 1_700_003_600_000,
    })
  })

  test('returns data that came with errors, together with the failure', async () => {
    const errors = [{ message: 'no', path: ['b'], type: 'FORBIDDEN' }]
    const { compile } = await start((_, response) =>
      sendJson(response, { data: { a: 1, b: null }, errors }),
    )
    const reply = await compile({ document: '{ a b }' }).call({ input: {} }, callContext('read'))
    expect(reply).toMatchObject({
      ok: true,
      body: { a: 1, b: null },
      warnings: [
        { code: 'PARTIAL_RESULTS', path: 'b', message: 'no', details: { code: 'FORBIDDEN' } },
      ],
      partialFailure: { code: 'FORBIDDEN', partial: true },
    })
  })
})

describe('a GraphQL document', () => {
  test.each([
    [{ document: '{ repo(' }, /Syntax Error/],
    [{ document: '{ repo(name: "a") { stars } }' }, /Cannot query field "stars"/],
    [{ document: '{ a } query B { b }' }, /one query or mutation/],
    [{ document: 'query ($name: String!) { repo(name: $name) { id } }' }, /needs \$name/],
    [{ document: '{ repo(name: "a") { id } }', variables: { x: 'input.x' } }, /x is not declared/],
  ])('%o is a fault of the card', async (card, message) => {
    const directory = await mkdtemp(join(tmpdir(), 'sdl-'))
    const sdl = join(directory, 'schema.graphql')
    await writeFile(sdl, SDL)
    const { compile } = await start(() => {}, { sdl })
    expect(() => compile(card)).toThrow(message)
  })

  test('that is a mutation is a fault in a card that reads', async () => {
    const { compile } = await start(() => {})
    expect(() => compile({ document: 'mutation { a }' }, 'read')).toThrow(/the card is a read/)
  })
})
