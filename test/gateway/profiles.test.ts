import { Ajv } from 'ajv'
import addFormats from 'ajv-formats'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { PROFILE_NAMES } from '../../src/model/profile-name.ts'
import { startTestGateway, type TestGateway } from '../support/gateway.ts'

const repo = { owner: 'octo-org', name: 'hello-world' }
const ALICE = 'alice-secret-0123456789'

// oxlint-disable-next-line typescript/no-explicit-any -- answers of every dialect
type Any = any

describe('the dialect of an answer', () => {
  let gateway: TestGateway
  beforeAll(async () => {
    gateway = await startTestGateway()
  })
  afterAll(() => gateway[Symbol.asyncDispose]())
  const call = async (
    query: Record<string, string>,
    headers: Record<string, string> = {},
    input: unknown = repo,
  ) => {
    const { body, ...rest } = await gateway.call('repo.view', input, { query, headers })
    return { ...rest, body: body as Any }
  }

  test('is chosen in the query, or else with Accept', async () => {
    expect((await call({ profile: 'codegraph' })).body.success).toBe(true)
    const accept = { accept: 'application/json; profile="dotbot"' }
    expect((await call({}, accept)).body.schema_id).toBe('dotbot-mcp-response@1')
    expect(Object.keys((await call({ profile: 'compact' }, accept)).body)).toEqual(['ok', 'data'])
    const foreign = { accept: 'application/ld+json; profile="http://www.w3.org/ns/json-ld"' }
    expect(Object.keys((await call({}, foreign)).body)).toContain('meta')
  })

  test.each([
    ['application/problem+json', 'problem'],
    ['application/problem+json, application/json;q=0.5', 'problem'],
    ['application/json, application/problem+json', 'default'],
    ['application/problem+json;q=0.3, */*', 'default'],
    ['application/json;q=0.1, application/json;profile=compact', 'compact'],
    ['application/json;profile=compact;q=0.2, application/json;profile="ghx";q=0.9', 'ghx'],
    ['application/json;profile=compact;q=0', 'default'],
    ['text/html;profile=compact, application/json', 'default'],
  ])('follows Accept: %s', async (accept, dialect) => {
    const { headers, body } = await call({}, { accept }, {})
    const type =
      dialect === 'problem'
        ? 'application/problem+json; charset=utf-8'
        : `application/json; charset=utf-8; profile="${dialect}"`
    expect(headers.get('content-type')).toBe(type)
    expect(JSON.stringify(body)).toContain('VALIDATION')
  })

  test('takes the budget by either of its names', async () => {
    for (const name of ['token_budget', 'tokenBudget']) {
      const { body } = await call({ profile: 'budgeted', [name]: '300' })
      expect(body.tokenBudget.requested).toBe(300)
    }
  })

  test.each([
    ['the query', { profile: 'esperanto' }, {}],
    ['Accept', {}, { accept: 'application/json; profile=esperanto' }],
  ])(
    'is refused before anything is sent when %s names an unknown one',
    async (_, query, headers) => {
      gateway.sandbox.log.clear()
      const { body, status } = await call(query as Record<string, string>, headers as never)
      expect(status).toBe(400)
      expect(body).toMatchObject({
        ok: false,
        error: { code: 'VALIDATION', next: { fields: ['profile'] } },
      })
      expect(gateway.sandbox.log.rows()).toEqual([])
    },
  )

  test('applies to failures, with their own media type', async () => {
    const { body, headers, status } = await call(
      { profile: 'problem' },
      {},
      { ...repo, name: 'no' },
    )
    expect(status).toBe(404)
    expect(headers.get('content-type')).toBe('application/problem+json; charset=utf-8')
    expect(body).toMatchObject({ status: 404, code: 'NOT_FOUND', retryable: false })
  })

  test.each([
    ['an unknown path', '/nowhere?profile=compact', undefined],
    ['malformed JSON', '/v1/capabilities/repo.view?profile=compact', '{'],
    ['a malformed path', '/v1/capabilities/%E0%A4%A?profile=compact', undefined],
    ['a faulty query', '/v1/capabilities/repo.view?profile=compact&nope=1', '{}'],
  ])('applies to %s', async (_name, path, body) => {
    const response = await fetch(`${gateway.url}${path}`, {
      method: body === undefined ? 'GET' : 'POST',
      headers: { 'content-type': 'application/json' },
      ...(body === undefined ? {} : { body }),
    })
    expect(await response.json()).toMatchObject({ err: { hintId: expect.any(String) } })
  })

  test('unknown fields are an error of the call, which is recorded once', async () => {
    await using own = await startTestGateway()
    const { body } = await own.call('repo.view', repo, { query: { fields: 'stars' } })
    expect(body.error).toMatchObject({ code: 'VALIDATION', next: { fields: ['fields'] } })
    expect(body.meta.capability_id).toBe('repo.view')
    const { body: list } = await own.get('/v1/requests')
    expect(list.data.items).toHaveLength(1)
  })

  test('an answer has only the chosen fields, and an unknown one is refused before anything is sent', async () => {
    expect((await call({ fields: 'name,stargazerCount' })).body.data).toEqual({
      name: 'hello-world',
      stargazerCount: 42,
    })
    const query = { fields: 'items.number,items.title', profile: 'problem' }
    const list = await gateway.call('issue.list', { ...repo, first: 1 }, { query })
    expect(list.body).toEqual({ items: [{ number: 38, title: 'Issue number 38' }] })
    gateway.sandbox.log.clear()
    const { body, status } = await call({ fields: 'name,stars' })
    expect(status).toBe(400)
    expect(body.error.message).toContain('"stars"')
    expect(gateway.sandbox.log.rows()).toEqual([])
  })

  test('suggestions can be called as they are, and return something new', async () => {
    const { body } = await gateway.call('issue.list', { ...repo, first: 2 })
    const next = (body.meta as Any).next as { capability: string; input: unknown }[]
    expect(next.map(({ capability }) => capability)).toEqual(['issue.list', 'issue.view'])
    for (const { capability, input } of next) {
      const followed = await gateway.call(capability, input)
      expect(followed.body.ok).toBe(true)
      expect(followed.body.data).not.toEqual(body.data)
    }
  })

  test('GET /v1/profiles publishes schemas that fit the answers of their dialects', async () => {
    const { body } = await gateway.get('/v1/profiles')
    const items = body.data.items as { name: string; schema: object }[]
    expect(items.map(({ name }) => name)).toEqual(PROFILE_NAMES)
    const ajv = new Ajv({ strict: false })
    addFormats.default(ajv)
    for (const { name, schema } of items) {
      const check = ajv.compile(schema)
      expect(
        check((await call({ profile: name })).body),
        `${name}: ${JSON.stringify(check.errors)}`,
      ).toBe(true)
    }
  })

  test('OpenAPI documents the dialects of answers', async () => {
    const query = 'capabilities=repo.view&profile=budgeted'
    const response = await fetch(`${gateway.url}/openapi.json?${query}`)
    const { paths, components } = (await response.json()) as Any
    const { parameters, responses } = paths['/v1/capabilities/repo.view'].post
    const references = parameters.map(({ $ref }: { $ref?: string }) => $ref?.split('/').at(-1))
    expect(references).toEqual(expect.arrayContaining(['profile', 'token_budget', 'fields']))
    const schema = { $ref: '#/components/schemas/Profile.budgeted' }
    expect(responses[200].content['application/json'].schema).toEqual(schema)
    expect(Object.keys(components.schemas)).toContain('Profile.budgeted')
  })
})

test("a gateway key can have its own dialect, and a stranger's refusal has the requested one", async () => {
  const keys = [{ name: 'alice', secret: ALICE, profile: 'compact' as const }]
  await using gateway = await startTestGateway({ settings: { keys } })
  const authorization = `Bearer ${ALICE}`
  const own = await gateway.call('repo.view', repo, { headers: { authorization } })
  expect(Object.keys(own.body)).toEqual(['ok', 'data'])
  const other = await gateway.call('repo.view', repo, {
    headers: { authorization },
    query: { profile: 'default' },
  })
  expect(Object.keys(other.body)).toContain('meta')
  const refused = await gateway.call('repo.view', repo, { query: { profile: 'problem' } })
  expect(refused).toMatchObject({ status: 401, body: { code: 'AUTH', status: 401 } })
})
