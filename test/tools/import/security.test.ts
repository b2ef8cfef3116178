import { describe, expect, test } from 'vitest'
import { readOpenApi } from '../../../src/tools/import/openapi.ts'

const securitySchemes = {
  bearer: { type: 'http', scheme: 'bearer' },
  basic: { type: 'http', scheme: 'Basic' },
  oauth: { type: 'oauth2', flows: {} },
  key: { type: 'apiKey', in: 'header', name: 'X-Key' },
  mutual: { type: 'mutualTLS' },
  inQuery: { type: 'apiKey', in: 'query', name: 'key' },
}

function service(...security: unknown[]) {
  const paths = Object.fromEntries(
    security.map((own, n) => [`/part-${n}`, { get: { responses: {}, security: own } }]),
  )
  return readOpenApi({ openapi: '3.1.0', info: {}, paths, components: { securitySchemes } })
}

const headersOf = (...security: unknown[]) =>
  service(...security).upstream('X', 'http://127.0.0.1').section.headers

describe('the credential', () => {
  test.each([
    ['bearer', { authorization: 'Bearer ${credential}' }],
    ['oauth', { authorization: 'Bearer ${credential}' }],
    ['key', { 'x-key': '${credential}' }],
    ['inQuery', undefined],
  ])('of the scheme %s gives the headers %j', (scheme, headers) => {
    expect(headersOf([{ [scheme]: [] }])).toEqual(headers)
  })

  test('is the subject of a note if the document names none', () => {
    const { notes } = service(undefined).upstream('SHOP', null)
    expect(notes.join('\n')).toMatch(/names no credential .* credential: \{env: \[SHOP_TOKEN\]\}/)
  })
})

describe('the schemes', () => {
  const keysOf = (...security: unknown[]) => service(...security).upstream('X', null).security?.keys

  test('are not needed if one header serves all operations', () => {
    expect(keysOf([{ key: [] }, { basic: [] }], [{ key: [] }], [{}])).toBeUndefined()
  })

  test.each<[string, unknown[], object]>([
    [
      'a query',
      [{ inQuery: [] }],
      { schemes: { in_query: { type: 'query', name: 'key' } }, needs: ['in_query'] },
    ],
    [
      'a user and a password',
      [{ basic: [] }],
      {
        schemes: { basic: { type: 'basic' } },
        credentials: {
          default: {
            basic: { username: { env: 'X_BASIC_USERNAME' }, password: { env: 'X_BASIC_PASSWORD' } },
          },
        },
      },
    ],
    ['two together', [{ key: [], bearer: [] }], { needs: ['key', 'bearer'] }],
    ['one that is optional', [{}, { inQuery: [] }], { needs: { any: [['in_query'], []] } }],
  ])('declare %s', (_what, security, keys) => {
    expect(keysOf(security)).toMatchObject(keys)
  })

  test('belong to each operation that needs others than most', () => {
    const { operations } = service([{ key: [] }], [{ key: [] }], [{ basic: [] }], [])
    expect(operations.map(one => one.draft().more?.needs)).toEqual([
      undefined,
      undefined,
      ['basic'],
      [],
    ])
  })
})

describe('a required parameter that only its name shows to be a credential', () => {
  const keysOf = (operation: object, others: object = {}) => {
    const paths = { '/parts': { get: { responses: {}, ...operation } } }
    const read = readOpenApi({ openapi: '3.1.0', info: {}, paths, ...others })
    const { security, section, notes } = read.upstream('X', null)
    const draft = read.operations[0]?.draft()
    return { keys: security?.keys, headers: section.headers, notes: notes.join(' '), draft }
  }
  const required = (name: string, place: string, description = '') => ({
    parameters: [{ name, in: place, description, required: true, schema: { type: 'string' } }],
  })

  test.each<[string, object, object]>([
    ['a header', required('X-ListenAPI-Key', 'header'), { 'x-listenapi-key': '${credential}' }],
    [
      'Authorization',
      required('Authorization', 'header', 'Bearer and the token'),
      { authorization: 'Bearer ${credential}' },
    ],
    [
      'Authorization as a whole',
      required('Authorization', 'header'),
      { authorization: '${credential}' },
    ],
  ])('becomes the credential: %s', (_what, operation, expected) => {
    const { headers, notes, draft } = keysOf(operation)
    expect(headers).toEqual(expected)
    expect(draft?.input.properties).toEqual({})
    expect(draft?.needsCredential).toBe(true)
    expect(notes).toMatch(/^No security scheme of the document describes the header /)
  })

  test('becomes a scheme if it stands in a query', () => {
    expect(keysOf(required('api_key', 'query')).keys).toMatchObject({
      schemes: { api_key_in_query: { type: 'query', name: 'api_key' } },
    })
  })

  test('is needed beside the schemes of the operation', () => {
    const security = [{ inQuery: [] }]
    const own = { ...required('X-Token', 'header'), security }
    expect(keysOf(own, { components: { securitySchemes } }).keys).toMatchObject({
      needs: ['in_query', 'x_token_in_header'],
    })
  })

  test('is the token of the operation if that is named Authorization', () => {
    const own = { ...required('Authorization', 'header'), security: [{ oauth: [] }] }
    const { headers, notes } = keysOf(own, { components: { securitySchemes } })
    expect(headers).toEqual({ authorization: 'Bearer ${credential}' })
    expect(notes).toBe('')
  })
})

test('a secret that several schemes describe is sent once', () => {
  const twice = { ...securitySchemes, again: securitySchemes.inQuery }
  const paths = { '/a': { get: { responses: {}, security: [{ inQuery: [], again: [] }] } } }
  const read = readOpenApi({
    openapi: '3.1.0',
    info: {},
    paths,
    components: { securitySchemes: twice },
  })
  expect(read.upstream('X', null).security?.keys.needs).toEqual(['in_query'])
  expect(read.operations[0]?.draft().needsCredential).toBe(true)
})

describe('an operation', () => {
  test.each([
    ['without security needs none', undefined, false],
    ['with an optional credential needs none', [{ bearer: [] }, {}], false],
    ['with the scheme needs it', [{ bearer: [] }], true],
    ['with a choice needs it', [{ key: [] }, { bearer: ['parts:read'] }], true],
  ])('%s', (_name, security, needed) => {
    const [, operation] = service([{ bearer: [] }], security).operations
    expect(operation?.draft().needsCredential).toBe(needed)
  })

  test.each([
    ['two secrets in one place', [{ basic: [], bearer: [] }]],
    ['an unknown kind', [{ mutual: [] }]],
  ])('with %s is not expressible', (_name, security) => {
    const [, operation] = service([{ inQuery: [] }], security).operations
    expect(() => operation?.draft()).toThrow(
      /^needs the credential .*, of a kind that no card can send$/,
    )
  })
})
