import { connect } from 'node:net'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { startTestGateway, type TestGateway } from '../support/gateway.ts'

const repo = { owner: 'octo-org', name: 'hello-world' }
const json = { 'content-type': 'application/json' }

describe('every answer is an envelope', () => {
  let gateway: TestGateway
  beforeAll(async () => {
    gateway = await startTestGateway()
  })
  afterAll(() => gateway[Symbol.asyncDispose]())

  const run = '/v1/capabilities/repo.view'
  const cases: readonly [string, string, RequestInit, number, string][] = [
    ['an unknown path', '/nowhere', {}, 404, 'NOT_FOUND'],
    ['a wrong method', run, { method: 'DELETE' }, 404, 'NOT_FOUND'],
    [
      'an unknown capability',
      '/v1/capabilities/no.such',
      { method: 'POST', headers: json, body: '{}' },
      404,
      'NOT_FOUND',
    ],
    ['malformed JSON', run, { method: 'POST', headers: json, body: '{' }, 400, 'VALIDATION'],
    ['an empty body', run, { method: 'POST', headers: json, body: '' }, 400, 'VALIDATION'],
    [
      'JSON that is not an object',
      run,
      { method: 'POST', headers: json, body: '[]' },
      400,
      'VALIDATION',
    ],
    [
      'another media type',
      run,
      { method: 'POST', headers: { 'content-type': 'text/xml' }, body: '<a/>' },
      415,
      'VALIDATION',
    ],
    [
      'a body over the limit',
      run,
      { method: 'POST', headers: json, body: `"${'x'.repeat(9 << 20)}"` },
      413,
      'TOO_LARGE',
    ],
    [
      'an unknown route',
      `${run}?route=carrier-pigeon`,
      { method: 'POST', headers: json, body: '{}' },
      400,
      'VALIDATION',
    ],
    [
      'an unknown query key',
      `${run}?nope=1`,
      { method: 'POST', headers: json, body: '{}' },
      400,
      'VALIDATION',
    ],
    ['a malformed path', '/v1/capabilities/%E0%A4%A', {}, 400, 'VALIDATION'],
    ['a faulty filter', '/v1/requests?since=yesterday', {}, 400, 'VALIDATION'],
    ['an unknown request', '/v1/requests/01ARZ3NDEKTSV4RRFFQ69G5FAV', {}, 404, 'NOT_FOUND'],
  ]

  test.each(cases)('%s', async (_name, path, init, status, code) => {
    const response = await fetch(`${gateway.url}${path}`, init)
    const body = (await response.json()) as Record<string, unknown>
    expect(Object.keys(body)).toEqual(['ok', 'data', 'error', 'meta'])
    expect(body).toMatchObject({ ok: false, data: null, error: { code } })
    expect(response.status).toBe(status)
    expect(response.headers.get('x-request-id')).toBe(
      (body.meta as { request_id: string }).request_id,
    )
  })

  test('the keys of successes and failures are in the order of the contract', async () => {
    const good = await gateway.call('repo.view', repo)
    expect(Object.keys(good.body)).toEqual(['ok', 'data', 'error', 'meta'])
    expect(Object.keys(good.body.meta)).toEqual([
      'capability_id',
      'request_id',
      'route_used',
      'reason',
      'attempts',
      'duration_ms',
      'warnings',
      'untrusted',
      'next',
    ])
    const bad = await gateway.call('repo.view', { ...repo, name: 'nothing-here' })
    expect(Object.keys(bad.body.error)).toEqual([
      'code',
      'message',
      'retryable',
      'retry_after_ms',
      'source',
      'write_outcome',
      'hint_id',
      'next',
      'details',
    ])
  })

  test('an unknown input member is refused by name, and nothing is sent', async () => {
    gateway.sandbox.log.clear()
    const { body, status } = await gateway.call('repo.view', { ...repo, onwer: 'x' })
    expect(status).toBe(400)
    expect(body.error).toMatchObject({
      code: 'VALIDATION',
      source: 'caller',
      details: { fields: [{ path: 'onwer' }] },
      next: { action: 'fix_input', fields: ['onwer'] },
    })
    expect(gateway.sandbox.log.rows()).toEqual([])
  })

  test('nothing is coerced: "1" is not a number', async () => {
    const { body } = await gateway.call('issue.view', { ...repo, issueNumber: '1' })
    expect(body.error).toMatchObject({
      code: 'VALIDATION',
      details: { fields: [{ path: 'issueNumber' }] },
    })
  })

  test('a caller that leaves cancels its read, which is recorded', async () => {
    gateway.sandbox.faults.set([{ on: { route: 'rest' }, do: { hang: true }, times: 1 }])
    const id = 'left-before-the-answer'
    const { port } = new URL(gateway.url)
    const body = JSON.stringify(repo)
    const socket = connect(Number(port), '127.0.0.1')
    socket.write(
      `POST ${run}?route=rest HTTP/1.1\r\nhost: 127.0.0.1\r\nx-request-id: ${id}\r\n` +
        `content-type: application/json\r\ncontent-length: ${body.length}\r\n\r\n${body}`,
    )
    await expect.poll(() => gateway.sandbox.log.rows().length).toBeGreaterThan(0)
    socket.destroy()
    const codesOf = async () =>
      (await gateway.get(`/v1/requests?correlation_id=${id}`)).body.data.items.map(
        ({ code }: { code: string }) => code,
      )
    await expect.poll(codesOf).toEqual(['CANCELLED'])
  })
})
