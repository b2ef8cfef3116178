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
