import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { sendBatch } from '../support/batch.ts'
import { startTestGateway, type TestGateway } from '../support/gateway.ts'

const repo = { owner: 'octo-org', name: 'hello-world' }
const quick = { id: 'quick', capability: 'issue.view', input: { ...repo, issueNumber: 1 } }
/** It hangs, so that its wave ends only when the time is up or the caller leaves. */
const slow = { id: 'slow', capability: 'release.view', input: { ...repo, tagName: 'v0.8.0' } }

/** Calls that need only the quick one, which succeeds; and what they would send. */
const LATER = [
  ['a read', { capability: 'repo.view', input: repo }, /hello-world$|graphql/],
  ['a change', { capability: 'issue.create', input: { ...repo, title: 'Late' } }, /issues$/],
  [
    'a change for each item',
    {
      capability: 'issue.comments.create',
      for_each: { $from: 'quick', path: '[data, data]' },
      input: { ...repo, issueNumber: { $item: 'number' }, body: 'Late' },
    },
    /comments$/,
  ],
  [
    'an idempotent change',
    {
      capability: 'issue.close',
      input: { ...repo, issueNumber: { $from: 'quick', path: 'data.number' } },
    },
    /issues\/1$/,
  ],
] as const

let gateway: TestGateway
beforeAll(async () => {
  gateway = await startTestGateway()
  // The first call looks for programs.
  await sendBatch(gateway, { calls: [quick] })
})
beforeEach(() => {
  gateway.sandbox.reset()
  gateway.sandbox.faults.set([{ on: { path: 'releases' }, do: { hang: true }, times: 99 }])
})
afterAll(() => gateway[Symbol.asyncDispose]())

const callsWith = (later: object) => [
  quick,
  { ...slow, route: 'rest' },
  { needs: ['quick'], id: 'later', ...later },
]
const sent = () => gateway.sandbox.log.rows()

describe('between the waves of a batch', () => {
  test.each(LATER)(
    '%s is not sent once the deadline has passed, and says so',
    async (_what, later) => {
      const { results } = await sendBatch(
        gateway,
        { calls: callsWith(later) },
        { query: { timeout_ms: '2500' } },
      )
      const [first, hung, ...late] = results
      expect(first?.ok).toBe(true)
      expect(hung?.envelope.error.code).toBe('TIMEOUT')
      expect(late.length).toBeGreaterThan(0)
      const isRead = later.capability === 'repo.view'
      for (const { envelope } of late) {
        expect(envelope.error).toMatchObject({
          code: 'TIMEOUT',
          message: expect.stringContaining('before anything could be sent'),
          write_outcome: isRead ? null : 'not_applied',
        })
        const attempts = envelope.meta.attempts.filter(({ status }) => status !== 'skipped')
        expect(attempts).toEqual([])
      }
      expect(sent().filter(row => row.applied)).toEqual([])
    },
  )

  test.each(LATER)(
    '%s is not sent once the caller has left, and is recorded so',
    async (_what, later, path) => {
      const controller = new AbortController()
      const { signal } = controller
      const leaving = sendBatch(gateway, { calls: callsWith(later) }, { signal })
      const hangs = () => sent().some(row => row.path.includes('releases'))
      await expect.poll(hangs).toBe(true)
      // The quick one has ended too: its record is there.
      const rows = async () => (await gateway.get('/v1/requests?limit=10')).body.data.items
      const before = sent().length
      await expect.poll(async () => (await rows())[0]?.batch_step).toBe('quick')
      controller.abort()
      await expect(leaving).rejects.toThrow(/abort/i)

      const late = async () =>
        (await rows()).filter((row: { batch_step: string }) => row.batch_step === 'later')
      await expect.poll(async () => (await late()).length, { timeout: 10_000 }).toBeGreaterThan(0)
      const [row] = await late()
      const { body } = await gateway.get(`/v1/requests/${row.request_id}`)
      expect(body.data.error).toMatchObject({
        code: 'CANCELLED',
        message: 'Not sent: the caller left before this call began.',
      })
      expect(
        sent()
          .slice(before)
          .filter(one => path.test(one.path)),
      ).toEqual([])
      expect(sent().filter(one => one.applied)).toEqual([])
    },
  )
})
