import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { FAILURE_STATUSES } from '../../routes/document/failures.ts'
import { exampleOfCard } from '../../src/cards/card-example.ts'
import { CODES, ERROR_CODES } from '../../src/model/errors.ts'
import { startTestGateway, type TestGateway } from '../support/gateway.ts'

let gateway: TestGateway
beforeAll(async () => {
  gateway = await startTestGateway({
    settings: {
      keys: [
        { name: 'all', secret: 'a-key-of-16-characters', scopes: ['graphql'] },
        { name: 'reader', secret: 'another-key-of-16-characters', read_only: true },
        { name: 'compact', secret: 'a-third-key-of-16-characters', profile: 'compact' },
      ],
    },
  })
})
afterAll(() => gateway[Symbol.asyncDispose]())

const ALL = { authorization: 'Bearer a-key-of-16-characters' }
const READER = { authorization: 'Bearer another-key-of-16-characters' }
const COMPACT = { authorization: 'Bearer a-third-key-of-16-characters' }

// oxlint-disable-next-line typescript/no-explicit-any -- tests look into all of the document
const get = async (query: string, headers: Record<string, string> = ALL): Promise<any> =>
  (await gateway.get(`/openapi.json${query}`, headers)).body

const idsIn = ({ paths }: { readonly paths: object }) =>
  Object.keys(paths).flatMap(path => /^\/v1\/capabilities\/([^{/]+)$/.exec(path)?.[1] ?? [])

describe('a part of the document', () => {
  test.each([
    ['issue.create', ['issue.create']],
    ['repo.star, repo.unstar', ['repo.star', 'repo.unstar']],
    ['release.*.list', ['release.assets.list', 'release.drafts.list']],
    ['read:pr.merge*', ['pr.merge.status']],
    ['destructive:pr.merge*', ['pr.merge']],
  ])('has the operations of %s, and batches of them', async (patterns, ids) => {
    const document = await get(`?capabilities=${encodeURIComponent(patterns)}`)
    expect(idsIn(document)).toEqual(ids)
    expect(Object.keys(document.paths)).toHaveLength(ids.length + 1)
    const { properties } = document.components.schemas.BatchRequest
    expect(properties.calls.items.properties.capability.enum).toEqual(ids)
  })

  test('has all components that it refers to, and no others', async () => {
    const document = await get('?capabilities=issue.create')
    const text = JSON.stringify(document)
    const named = new Set(
      [...text.matchAll(/"#\/components\/(\w+)\/([^"/]+)/g)].map(([, a, b]) => `${a}/${b}`),
    )
    const had = Object.entries(document.components).flatMap(([section, parts]) =>
      Object.keys(parts as object).map(name => `${section}/${name}`),
    )
    expect(had.filter(name => !name.startsWith('securitySchemes')).toSorted()).toEqual(
      [...named].toSorted(),
    )
    expect(text.length).toBeLessThan(65_000)
  })

  test.each([
    ['pr.mrege', 'did you mean pr.merge, pr.merge.status'],
    ['repo.view,xyzzy', '"xyzzy" selects no capability that you may call'],
    ['repo.view,', '"" selects no capability'],
    ['Repo.View', '"Repo.View" selects no capability'],
    ['admin:repo.*', '"admin:repo.*" selects no capability'],
    ['nope.*,xyzzy', '"xyzzy"'],
  ])('is refused for %s, with what is wrong', async (patterns, message) => {
    const { status, body } = await gateway.get(`/openapi.json?capabilities=${patterns}`, ALL)
    expect([status, body.error.code, body.error.next.fields]).toEqual([
      400,
      'VALIDATION',
      ['capabilities'],
    ])
    expect(body.error.message).toContain(message)
  })

  test('has only what the key may call', async () => {
    expect(idsIn(await get('?capabilities=pr.merge*', READER))).toEqual(['pr.merge.status'])
    const { status, body } = await gateway.get('/openapi.json?capabilities=pr.merge', READER)
    expect([status, body.error.message.includes('pr.merge.status')]).toEqual([400, true])
    expect((await gateway.get('/openapi.json?capabilities=*')).status).toBe(400)
  })
})

describe('the dialect of the document', () => {
  const schemaOf = (document: { paths: Record<string, { post: object }> }) =>
    JSON.stringify(document.paths['/v1/capabilities/repo.view']?.post)

  test.each([
    ['', ALL, 'default', false],
    ['', COMPACT, 'compact', false],
    ['&profile=ghx', ALL, 'ghx', true],
    ['&profile=default', COMPACT, 'default', true],
  ] as const)('with %s is that of the answers', async (query, key, profile, required) => {
    const document = await get(`?capabilities=repo.view${query}`, key)
    const parameter = document.components.parameters.profile
    expect([parameter.schema.enum, parameter.required]).toEqual([[profile], required])
    const names = Object.keys(document.components.schemas).filter(name =>
      name.startsWith('Profile'),
    )
    expect(names).toEqual([`Profile.${profile}`])
    expect(schemaOf(document).includes(`Profile.${profile}`)).toBe(profile !== 'default')
  })

  test('is refused when there is none of that name', async () => {
    const { status, body } = await gateway.get('/openapi.json?profile=xml', ALL)
    expect([status, body.error.next.fields]).toEqual([400, ['profile']])
  })
})

test('every capability has an example of its input and output, which its schemas allow', () => {
  for (const card of gateway.engine.catalog.all()) {
    const { input, output } = exampleOfCard(card)
    expect([card.id, input === undefined, output === undefined]).toEqual([card.id, false, false])
    expect(() => card.parseInput(input)).not.toThrow()
    expect([card.id, card.checkOutput(output)]).toEqual([card.id, []])
  }
})

test('every operation has examples, and describes every failure', async () => {
  const { paths, components } = await get('')
  for (const id of idsIn({ paths })) {
    const { requestBody, responses } = paths[`/v1/capabilities/${id}`].post
    expect(requestBody.content['application/json'].example).toBeDefined()
    expect(responses[200].content['application/json'].example.meta.capability_id).toBe(id)
    expect(Object.keys(responses)).toEqual(['200', ...FAILURE_STATUSES.map(String), 'default'])
  }
  for (const status of FAILURE_STATUSES) {
    const { description, headers, content } = components.responses[`Failure${status}`]
    const { example } = content['application/json']
    if (example) expect(description.split(': ')[0].split(', ')).toContain(example.error.code)
    expect(Object.keys(headers)).toContain('X-Request-Id')
  }
  for (const code of ERROR_CODES) {
    expect(components.responses[`Failure${CODES[code].status}`].description).toContain(code)
  }
})
