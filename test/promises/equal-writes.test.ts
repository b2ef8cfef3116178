/** Two equal writes at once: no object is claimed by both, and none of the two is left in doubt without need. */
import { describe, expect, test } from 'vitest'
import { startTestGateway, type TestGateway } from '../support/gateway.ts'
import { type LostWrite, lostWrites } from './support/lost-writes.ts'

const hello = { owner: 'octo-org', name: 'hello-world' }
const POST = { method: 'POST', route: 'rest' } as const
type Input = Readonly<Record<string, unknown>>

/** Inputs whose answers show more than the verifying read. */
const issueWithAll: LostWrite = {
  given: () => {},
  input: () => ({ ...hello, title: 'Made once', labels: ['bug'], assignees: ['octocat'] }),
  shows: () => true,
}
const CASES: readonly (readonly [id: string, lost: LostWrite])[] = [
  ...Object.entries(lostWrites),
  ['issue.create', issueWithAll],
]

/** The second of two such changes finds the first one's state, and makes it again. */
const REPEATABLE = ['pr.close']
/** Without a commit to start from in the input, a branch or tag that exists may be older. */
const UNPROVEN = ['repo.branch.create', 'repo.tag.create']

/** A gateway for each case, because cases run at the same time: verifying takes seconds. */
const startGateway = () => startTestGateway({ env: { PATH: '' }, settings: { retries: 1 } })

/** Makes a write as often as asked, at once, and loses one request, or the answer to one. */
async function make(
  gateway: TestGateway,
  [id, lost]: (typeof CASES)[number],
  reset: 'before' | 'after',
  count: number,
) {
  const { faults, store } = gateway.sandbox
  lost.given(store)
  faults.set([{ on: lost.on ?? POST, do: { reset } }])
  const input = lost.input(store)
  const answers = await Promise.all(Array.from({ length: count }, () => gateway.call(id, input)))
  return answers.map(({ body }) => body)
}

function identify(gateway: TestGateway, id: string, data: Input): string {
  const names = gateway.engine.catalog.get(id)?.verify?.identity ?? []
  return JSON.stringify(names.map(name => data[name]))
}

describe.concurrent.each(['before', 'after'] as const)('a connection that breaks %s', reset => {
  test.each(CASES)(
    'two equal %s each say what became of them',
    async (...given) => {
      await using gateway = await startGateway()
      const [id] = given
      const bodies = await make(gateway, given, reset, 2)
      const made = bodies.filter(({ ok }) => ok).map(({ data }) => identify(gateway, id, data))
      expect(made.length - new Set(made).size).toBe(REPEATABLE.includes(id) ? 1 : 0)
      const doubts = bodies.filter(({ error }) => error?.write_outcome === 'unknown')
      expect(doubts.length).toBe(reset === 'after' && UNPROVEN.includes(id) ? 1 : 0)
    },
    60_000,
  )
})

describe.concurrent('a write whose answer is lost', () => {
  const found = CASES.filter(([id]) => !UNPROVEN.includes(id))
  test.each(found)(
    '%s is found, in the form of its output',
    async (...given) => {
      await using gateway = await startGateway()
      const [body] = await make(gateway, given, 'after', 1)
      expect(body).toMatchObject({ ok: true, meta: { reason: 'RECOVERED' } })
      expect(gateway.engine.catalog.get(given[0])?.checkOutput(body?.data)).toEqual([])
    },
    60_000,
  )
})

test('an object that was changed since is still known as the other write’s', async () => {
  await using gateway = await startGateway()
  gateway.sandbox.faults.set([{ on: POST, do: { reset: 'before' } }])
  const create = () => gateway.call('issue.create', { ...hello, title: 'Twins' })
  const answers = [create(), create()]
  const { body } = await Promise.race(answers)
  await gateway.call('issue.close', { ...hello, issueNumber: body.data.number })
  const both = await Promise.all(answers)
  const numbers = new Set(both.map(answer => answer.body.data?.number))
  expect(both.map(answer => answer.body.ok)).toEqual([true, true])
  expect(numbers.size).toBe(2)
})
