import { afterAll, beforeAll, expect, test } from 'vitest'
import { startTestGateway, type TestGateway } from '../support/gateway.ts'
import { gh } from '../support/parts.ts'

/** One gateway for each row: what is cut off stays cut off. */
let gateway: TestGateway
beforeAll(async () => {
  gateway = await startTestGateway()
})
afterAll(() => gateway[Symbol.asyncDispose]())

const repo = { owner: 'octo-org', name: 'hello-world' }
const ROUTES = ['rest', 'graphql', ...(gh.available ? ['cli'] : [])]

test('calls that a stopping gateway breaks off blame the gateway, on every route', async () => {
  gateway.sandbox.faults.set([{ on: {}, do: { delay_ms: 60_000 }, times: 100 }])
  const write = { ...repo, title: 'Never answered' }
  const calls = ROUTES.flatMap(route => [
    gateway.call('repo.view', { ...repo, name: `hello-${route}` }, { query: { route } }),
    gateway.call('issue.create', write, { query: { route } }),
  ])
  const arrived = () => gateway.sandbox.log.rows().length
  await expect.poll(arrived, { timeout: 20_000 }).toBeGreaterThanOrEqual(calls.length)
  gateway.engine.cut()
  const results = await Promise.all(calls)
  const seen = results.map(({ status, body: { error } }) => ({
    status,
    code: error.code,
    source: error.source,
    retryable: error.retryable,
    outcome: error.write_outcome,
  }))
  const blamed = { status: 503, code: 'SERVER', source: 'gateway' }
  expect(seen).toEqual(
    ROUTES.flatMap(route => [
      { ...blamed, retryable: true, outcome: null },
      // GraphQL was still asked for the id of the repository.
      route === 'graphql'
        ? { ...blamed, retryable: true, outcome: 'not_applied' }
        : { ...blamed, retryable: false, outcome: 'unknown' },
    ]),
  )
})
