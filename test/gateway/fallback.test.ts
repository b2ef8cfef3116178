import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { startTestGateway, type TestGateway } from '../support/gateway.ts'

const repo = { owner: 'octo-org', name: 'hello-world' }

describe('a broken route', () => {
  let gateway: TestGateway
  beforeAll(async () => {
    gateway = await startTestGateway()
  })
  afterAll(() => gateway[Symbol.asyncDispose]())

  test('shows in the envelope, the headers and the journal, and the next route answers', async () => {
    gateway.sandbox.faults.set([{ on: { route: 'rest' }, do: { status: 503 }, times: 9 }])
    const { status, headers, body } = await gateway.call('repo.view', repo)
    expect(status).toBe(200)
    expect(body).toMatchObject({ ok: true, data: { nameWithOwner: 'octo-org/hello-world' } })
    expect(body.meta).toMatchObject({ route_used: 'graphql', reason: 'CARD_FALLBACK' })
    expect(body.meta.attempts.filter(({ status: how }) => how !== 'skipped')).toMatchObject([
      {
        route: 'rest',
        status: 'error',
        error_code: 'SERVER',
        upstream_status: 503,
        next: 'next_route',
      },
      { route: 'graphql', status: 'success', upstream_status: 200 },
    ])
    for (const attempt of body.meta.attempts) {
      if (attempt.status !== 'skipped') expect(attempt.duration_ms).toBeGreaterThan(0)
    }
    expect(headers.get('signalbox-route')).toBe('graphql')
    expect(headers.get('signalbox-attempts')).toBe('2')
    expect(headers.get('server-timing')).toMatch(/^upstream;dur=[\d.]+, gateway;dur=[\d.]+$/)

    const kept = await gateway.get(`/v1/requests/${body.meta.request_id}`)
    expect(kept.body.data.meta.attempts).toEqual(body.meta.attempts)
    expect(kept.body.data).toMatchObject({ ok: true, route_used: 'graphql' })
  })
})
