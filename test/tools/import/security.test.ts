import { describe, expect, test } from 'vitest'
import { readOpenApi } from '../../../src/tools/import/openapi.ts'

const securitySchemes = {
  bearer: { type: 'http', scheme: 'bearer' },
  basic: { type: 'http', scheme: 'Basic' },
  oauth: { type: 'oauth2', flows: {} },
  key: { type: 'apiKey', in: 'header', name: 'X-Key' },
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
    ['basic', { authorization: 'Basic ${credential}' }],
    ['key', { 'x-key': '${credential}' }],
    ['inQuery', undefined],
  ])('of the scheme %s gives the headers %j', (scheme, headers) => {
    expect(headersOf([{ [scheme]: [] }])).toEqual(headers)
  })

  test('is the subject of a note if the document names none', () => {
    const { notes } = service(undefined).upstream('SHOP', null)
    expect(notes.join('\n')).toMatch(/names no credential .* credential: \{env: \[SHOP_TOKEN\]\}/)
  })

  test('belongs to the scheme that most operations can use', () => {
    expect(
      headersOf([{ basic: [] }], [{ basic: [] }, { key: [] }], [{ key: [] }], [{ key: [] }]),
    ).toEqual({
      'x-key': '${credential}',
    })
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
    ['another scheme', [{ key: [] }], /needs the credential key, and the upstream sends bearer/],
    ['two at once', [{ key: [], bearer: [] }], /needs the credential key and bearer/],
  ])('with %s is not expressible', (_name, security, message) => {
    const [, , operation] = service([{ bearer: [] }], [{ bearer: [] }], security).operations
    expect(() => operation?.draft()).toThrow(message)
  })
})
