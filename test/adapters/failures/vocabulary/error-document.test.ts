import { describe, expect, test } from 'vitest'
import { readErrorDocument } from '../../../../adapters/failures/vocabulary/error-document.ts'

describe('an error document is recognized by its shape', () => {
  test.each<[string, unknown, { status?: number; codes?: string[]; messages?: string[] }]>([
    ['a code', { error: 'seat_limit' }, { codes: ['seat_limit'] }],
    ['a sentence', { error: 'No seats left.' }, { messages: ['No seats left.'] }],
    [
      'an object',
      { error: { code: 'NO_SEATS', message: 'none' } },
      { codes: ['NO_SEATS'], messages: ['none'] },
    ],
    ['beside empty data', { data: null, error: { message: 'no' } }, { messages: ['no'] }],
    ['a named status', { error: { code: 403, message: 'no' } }, { status: 403, messages: ['no'] }],
    ['success: false', { success: false, message: 'no' }, { messages: ['no'] }],
    ['ok: false', { ok: false, error: 'not_authed' }, { codes: ['not_authed'] }],
    [
      'JSend error',
      { status: 'error', message: 'no', code: 'locked' },
      { codes: ['error', 'locked'], messages: ['no'] },
    ],
    ['JSend fail', { status: 'fail', data: { title: 'A title is required' } }, {}],
    [
      'errcode',
      { errcode: 40001, errmsg: 'invalid credential' },
      { messages: ['invalid credential'] },
    ],
    ['a code and a message', { code: 1203, msg: 'busy', data: {} }, { messages: ['busy'] }],
    [
      'a text as code',
      { code: 'TOKEN_EXPIRED', message: 'old' },
      { codes: ['TOKEN_EXPIRED'], messages: ['old'] },
    ],
    ['an opaque code', { code: 'ERR-4291', message: 'no' }, { messages: ['no'] }],
    [
      'JSON-RPC',
      { jsonrpc: '2.0', id: 1, error: { code: -32601, message: 'no method' } },
      { codes: ['-32601'] },
    ],
    [
      'GraphQL',
      { data: null, errors: [{ message: 'no', extensions: { code: 'FORBIDDEN' } }] },
      { messages: ['no'] },
    ],
    ['errors as texts', { errors: ['no'], status_code: 429 }, { status: 429, messages: ['no'] }],
    ['a SOAP fault', { Fault: { faultcode: 'Client', faultstring: 'no' } }, { messages: ['no'] }],
    ['Lambda', { errorType: 'TypeError', errorMessage: 'no' }, { messages: ['no'] }],
    [
      'a problem',
      { type: 'about:blank', title: 'Gone', status: 410, code: 'gone' },
      { status: 410 },
    ],
  ])('%s', (_, body, expected) => {
    const found = readErrorDocument(body)
    expect(found).not.toBeNull()
    if (expected.status !== undefined) expect(found?.status).toBe(expected.status)
    expect(found?.codes).toEqual(expect.arrayContaining(expected.codes ?? []))
    expect(found?.messages).toEqual(expect.arrayContaining(expected.messages ?? []))
  })
})

describe('an answer is no error document', () => {
  test.each<[string, unknown]>([
    ['an empty error', { id: 7, error: '' }],
    ['no error', { id: 7, error: null }],
    ['data beside an error', { data: { id: 7 }, error: 'one field is missing' }],
    ['data beside errors', { data: { id: 7 }, errors: [{ message: 'partly' }] }],
    ['no errors', { errors: [] }],
    ['success', { success: true, message: 'created' }],
    ['code zero', { code: 0, msg: 'ok', data: { id: 7 } }],
    ['code 1 of success', { code: 1, msg: 'success' }],
    ['code 200', { code: 200, message: 'created' }],
    ['a failed run', { id: 7, status: 'failed', message: 'exit 1' }],
    ['a thing with an error state', { id: 7, status: 'error', message: 'pod crashed' }],
    ['a country', { code: 'US', description: 'United States' }],
    ['a licence', { code: 'MIT', title: 'MIT License', url: 'https://example.com' }],
    ['a list', [{ error: 'x' }]],
    ['a text', 'error'],
    ['nothing', null],
  ])('%s', (_, body) => {
    expect(readErrorDocument(body)).toBeNull()
  })

  test.each([
    [{ error: 'timeout of step 3' }, 'error'],
    [{ success: false }, 'success'],
    [{ ok: false, latency: 3 }, 'ok'],
    [{ status: 'error', message: 'no' }, 'status'],
    [{ code: 5, message: 'no' }, 'code'],
    [{ errors: ['row 3 is empty'] }, 'errors'],
  ])('%j, when the card asks for %s', (body, member) => {
    expect(readErrorDocument(body)).not.toBeNull()
    expect(readErrorDocument(body, new Set([member]))).toBeNull()
  })
})

describe('a single member is evidence enough', () => {
  test.each<[object]>([
    [{ error: 'no' }],
    [{ Error: 'no' }],
    [{ errors: ['no'] }],
    [{ status: 'error' }],
    [{ success: false }],
    [{ hasError: true }],
    [{ errno: 7, message: 'no' }],
    [{ fault: { faultstring: 'no' } }],
    [{ Fault: {} }],
    [{ faultstring: 'no' }],
    [{ errorMessage: 'no', errorType: 'Refused' }],
    [{ __type: 'RefusedException' }],
  ])('%j', body => {
    expect(readErrorDocument(body)).not.toBeNull()
  })
})
