import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { LEAKED_SECRET, type SeenAnswer } from '../../sandbox/index.ts'
import { PROFILE_NAMES } from '../../src/model/profile-name.ts'
import type { Route } from '../../src/model/route.ts'
import { openPlace, type Place } from '../parity/place.ts'
import { startTestGateway, type TestGateway } from '../support/gateway.ts'
import { gh } from '../support/parts.ts'
import { DOOR_NAMES, DOORS } from './support/sandbox-doors.ts'

const repo = { owner: 'octo-org', name: 'hello-world' }
const calls = [
  ['repo.secret_scanning.alerts.list', repo],
  ['repo.secret_scanning.alert.view', { ...repo, alertNumber: 1 }],
  ['repo.secret_scanning.alert.resolve', { ...repo, alertNumber: 1, resolution: 'REVOKED' }],
  ['repo.secret_scanning.alert.reopen', { ...repo, alertNumber: 2 }],
] as const
const routes: readonly Route[] = gh.available ? ['rest', 'cli'] : ['rest']

const lines: string[] = []
let gateway: TestGateway
beforeAll(async () => {
  gateway = await startTestGateway({ onLog: line => lines.push(JSON.stringify(line)) })
})
afterAll(() => gateway[Symbol.asyncDispose]())
beforeEach(() => gateway.sandbox.reset())

const everythingKept = async () => {
  const rows = await gateway.get('/v1/requests')
  const { requests, items } = rows.body as unknown as Record<string, { request_id: string }[]>
  const ids = (requests ?? items ?? []).map(({ request_id }) => request_id)
  const whole = await Promise.all(ids.map(id => gateway.get(`/v1/requests/${id}`)))
  return JSON.stringify([rows.body, whole.map(({ body }) => body), lines])
}

describe.each(calls)('a secret that GitHub found does not leave the gateway by %s', (id, input) => {
  test.each(DOOR_NAMES)('%s', async door => {
    const envelope = await DOORS[door](gateway, id, input)
    expect(envelope.ok).toBe(true)
    expect(JSON.stringify(envelope)).not.toContain(LEAKED_SECRET)
  })

  test.each(PROFILE_NAMES)('in the dialect %s, on any route', async profile => {
    for (const route of routes) {
      const { body } = await gateway.call(id, input, { query: { route, profile } })
      expect(JSON.stringify(body)).not.toContain(LEAKED_SECRET)
    }
  })

  test.each(routes)('in an answer to %s that is not as expected', async route => {
    const body = { number: LEAKED_SECRET, state: LEAKED_SECRET, secret: LEAKED_SECRET }
    const answer = id.endsWith('.list') ? [body] : body
    gateway.sandbox.faults.set([{ do: { status: 200, body: answer }, times: 9 }])
    const answered = await gateway.call(id, input, { query: { route } })
    expect(answered.body.error).toMatchObject({ code: 'OUTPUT_INVALID' })
    expect(JSON.stringify(answered.body)).not.toContain(LEAKED_SECRET)
    gateway.sandbox.faults.clear()
  })
})

test('no journal and no log has it either', async () => {
  expect(await everythingKept()).toContain('repo.secret_scanning.alert.resolve')
  expect(await everythingKept()).not.toContain(LEAKED_SECRET)
})

describe('reads ask GitHub to hide the secret', () => {
  const seen: SeenAnswer[] = []
  let place: Place
  beforeAll(async () => {
    place = await openPlace(answer => seen.push(answer))
  })
  afterAll(() => place[Symbol.asyncDispose]())

  test.each(
    calls
      .filter(([id]) => /\.(?:list|view)$/.test(id))
      .flatMap(([id, input]) => routes.map(route => [id, route, input] as const)),
  )('%s by %s', async (id, route, input) => {
    place.begin()
    seen.length = 0
    await place.call(id, input, route)
    expect(seen.map(({ answer }) => answer.includes('secret_type'))).toEqual([true])
    expect(seen.map(({ answer }) => answer.includes(LEAKED_SECRET))).toEqual([false])
  })
})
