/** Bugs found by chaos runs, each as a test. */
import { afterEach, beforeEach, expect, test } from 'vitest'
import { startTestGateway, type TestGateway } from '../support/gateway.ts'

const repo = { owner: 'octo-org', name: 'hello-world' }

let gateway: TestGateway
beforeEach(async () => {
  gateway = await startTestGateway({ env: { PATH: '' }, settings: { attempt_timeout_ms: 200 } })
})
afterEach(() => gateway[Symbol.asyncDispose]())

const countOf = (title: string) =>
  [
    ...(gateway.sandbox.store.repositories.find(repo.owner, repo.name)?.items.values() ?? []),
  ].filter(item => item.title === title).length

test('an unknown write is reported as unknown, even if another route failed on its quota', async () => {
  gateway.sandbox.faults.set([
    { on: { route: 'rest' }, do: { rate_limit: 'primary' } },
    { on: { operation: 'PrClose' }, do: { reset: 'after' } },
    { on: { operation: 'PrView' }, do: { status: 502 }, times: 99 },
  ])
  const { body } = await gateway.call('pr.close', { ...repo, prNumber: 4 })
  expect(body.error).toMatchObject({ code: 'NETWORK', write_outcome: 'unknown' })
})

test('a change whose answer is cut short stays applied, and no other route is asked', async () => {
  gateway.sandbox.faults.set([
    { on: { method: 'PATCH' }, do: { truncate: 1 } },
    { on: { operation: 'IssueUpdate' }, do: { status: 403 } },
  ])
  const { body } = await gateway.call('issue.update', { ...repo, issueNumber: 1, title: 'New' })
  expect(body.error).toMatchObject({ code: 'OUTPUT_INVALID', write_outcome: 'applied' })
  const sent = body.meta.attempts.filter(({ status }) => status !== 'skipped')
  expect(sent.map(({ route }) => route)).toEqual(['rest'])
})

test('the gateway waits for a write that is applied late, and does not repeat it', async () => {
  gateway.sandbox.faults.set([{ on: { method: 'POST', route: 'rest' }, do: { delay_ms: 500 } }])
  const { body } = await gateway.call('issue.create', { ...repo, title: 'Late' })
  expect(body).toMatchObject({ ok: true, meta: { reason: 'RECOVERED' } })
  expect(countOf('Late')).toBe(1)
})

test('two equal writes at once each report their own result', async () => {
  gateway.sandbox.faults.set([{ on: { method: 'POST', route: 'rest' }, do: { reset: 'before' } }])
  const input = { ...repo, title: 'Twins' }
  const answers = await Promise.all([1, 2].map(() => gateway.call('issue.create', input)))
  const numbers = answers.map(({ body }) => body.data?.number)
  expect(new Set(numbers).size).toBe(2)
  expect(countOf('Twins')).toBe(2)
})
