/** Requests that cannot be read: faults × endpoints. Advice names the part to change, and every dialect has the time. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { startTestGateway, type TestGateway } from '../support/gateway.ts'

let gateway: TestGateway
beforeAll(async () => {
  gateway = await startTestGateway({ env: { PATH: '' } })
})
afterAll(() => gateway[Symbol.asyncDispose]())

const JSON_TYPE = { 'content-type': 'application/json' }

const FAULTS: readonly (readonly [string, string, Record<string, string>, string])[] = [
  ['no JSON', '{bad', JSON_TYPE, 'body'],
  ['nothing', '', JSON_TYPE, 'body'],
  ['half a text', '{"a":"b', JSON_TYPE, 'body'],
  ['another media type', '{}', { 'content-type': 'text/csv' }, 'content-type'],
  ['an unknown encoding', '{}', { ...JSON_TYPE, 'content-encoding': 'x' }, 'content-encoding'],
]

async function post(path: string, body: string, headers: Record<string, string>) {
  const response = await fetch(`${gateway.url}${path}`, { method: 'POST', body, headers })
  // oxlint-disable-next-line typescript/no-explicit-any -- tests look into answers of every dialect
  return (await response.json()) as any
}

describe.each([
  '/v1/capabilities/repo.view',
  '/v1/capabilities/issue.create',
  '/v1/capabilities/repo.view/explain',
  '/v1/batch',
  '/v1/batch/explain',
])('POST %s', path => {
  test.each(FAULTS)('with %s says what to change', async (_what, body, headers, part) => {
    const { error } = await post(path, body, headers)
    expect(error).toMatchObject({
      code: 'VALIDATION',
      next: { action: 'fix_input', fields: [part] },
    })
  })
})

test.each([null, ['repo.view'], 'repo.view', 7])('a call %j of a batch is named', async call => {
  const { data } = await post('/v1/batch', JSON.stringify({ calls: [call] }), JSON_TYPE)
  expect(data.results[0].envelope.error).toMatchObject({
    code: 'VALIDATION',
    next: { action: 'fix_input', fields: ['calls[0]'] },
  })
})

test.each([
  ['codegraph', '/v1/capabilities/repo.view'],
  ['codegraph', '/v1/batch'],
  ['codegraph', '/v1/nowhere'],
  ['dotbot', '/v1/capabilities/repo.view'],
  ['dotbot', '/v1/nowhere'],
])('%s says the time of an unreadable request to %s', async (profile, path) => {
  const before = Date.now()
  const answer = await post(`${path}?profile=${profile}`, '{bad', JSON_TYPE)
  const text = answer.data?.generatedAt ?? answer.audit?.timestamp
  expect(Date.parse(text)).toBeGreaterThanOrEqual(before)
})
