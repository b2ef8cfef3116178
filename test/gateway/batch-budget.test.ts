import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client'
import { countTokens } from 'gpt-tokenizer/encoding/o200k_base'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { answerBatch } from '../../routes/support/batch-answer.ts'
import { readBatch } from '../../routes/support/batch-calls.ts'
import { ownMeta } from '../../routes/support/own-meta.ts'
import { executeBatch } from '../../src/call/execute-batch.ts'
import { NEVER } from '../../src/lib/signal.ts'
import type { Answer } from '../../src/model/envelope.ts'
import { PROFILE_NAMES } from '../../src/model/profile-name.ts'
import { toBudget } from '../../src/render/budget/budget.ts'
import { createFitting } from '../../src/render/fitting.ts'
import { PLAIN } from '../../src/render/render.ts'
import { sendBatch } from '../support/batch.ts'
import { startTestGateway, type TestGateway } from '../support/gateway.ts'

const repo = { owner: 'octo-org', name: 'hello-world' }
const issues = {
  id: 'issues',
  capability: 'issue.list',
  input: { ...repo, state: 'all', first: 25 },
}
const view = { id: 'view', capability: 'repo.view', input: repo }
const gone = { id: 'gone', capability: 'repo.view', input: { ...repo, name: 'nowhere' } }
const mixed = [issues, view, gone, { ...issues, id: 'more' }]
const create = { capability: 'issue.create', input: { ...repo, title: 'x'.repeat(200) } }

const PLAIN_META = ownMeta({ id: 'some', startedAt: 0 })

let gateway: TestGateway
beforeAll(async () => {
  gateway = await startTestGateway()
})
beforeEach(() => gateway.sandbox.reset())
afterAll(() => gateway[Symbol.asyncDispose]())

const send = (calls: unknown, token_budget: number, query = {}) =>
  sendBatch(gateway, { calls, token_budget }, { query })

/** The same answer of a call that took another time. */
function lasting({ envelope, ...rest }: Answer, ms: number): Answer {
  const attempts = envelope.meta.attempts.map(one => ({ ...one, started_ms: ms, duration_ms: ms }))
  return {
    ...rest,
    envelope: { ...envelope, meta: { ...envelope.meta, attempts, duration_ms: ms } },
  }
}

/** The tokens of an answer, by a real tokenizer; the gateway's estimate may be 5 % under. */
const sizeOf = (body: unknown) => countTokens(JSON.stringify(body)) / 1.05

describe('the token_budget of a batch', () => {
  test.each(PROFILE_NAMES)('holds for the whole answer, in the dialect %s', async profile => {
    for (const budget of [2500, 5000]) {
      const { status, body, results } = await send(mixed, budget, { profile })
      expect(status).toBe(200)
      expect(results.map(({ ok }) => ok)).toEqual([true, true, false, true])
      expect(sizeOf(body)).toBeLessThanOrEqual(budget)
    }
  })

  test('cuts the long answers alike, and leaves the short ones whole', async () => {
    const { results } = await send(mixed, 2500, { profile: 'brief' })
    const whole = await sendBatch(gateway, { calls: mixed }, { query: { profile: 'brief' } })
    expect(results[1]?.envelope).toEqual(whole.results[1]?.envelope)
    const lengths = [0, 3].map(at => results[at]?.envelope.data.items.length)
    expect(lengths[0]).toBeGreaterThan(0)
    expect(lengths[0]).toBeLessThan(25)
    expect(lengths[1]).toBe(lengths[0])
  })

  test('changes nothing of a batch that fits, and is clamped with a warning', async () => {
    const { body } = await send([view], 20_000)
    expect(body.data.results[0].envelope.meta.warnings).toEqual([])
    expect(body.meta.warnings).toMatchObject([{ code: 'BUDGET_CLAMPED' }])
  })

  test('that has no room for an envelope each is refused before anything is sent', async () => {
    const calls = Array.from({ length: 4 }, () => create)
    const { status, body } = await send(calls, 300)
    expect(status).toBe(400)
    expect(body.error).toMatchObject({ code: 'VALIDATION', next: { fields: ['token_budget'] } })
    expect(gateway.sandbox.log.rows()).toEqual([])
    const would = Number(/(\d+) would do/.exec(body.error.message)?.[1])
    const again = await send(calls, would)
    expect(again.status).toBe(200)
    expect(again.results.every(({ ok }) => ok)).toBe(true)
  })

  test('counts one call in the singular', async () => {
    const { body } = await send([view], 100)
    expect(body.error.message).toMatch(/is too small for 1 call: \d+ would do/)
  })

  describe('that turns out too small', () => {
    const each = (capability: string, more = {}) => [
      issues,
      {
        id: 'each',
        capability,
        for_each: { $from: 'issues', path: 'data.items[:10]' },
        input: { ...repo, issueNumber: { $item: 'number' }, ...more },
      },
    ]
    const presentation = { ...PLAIN, language: 'en' } as const
    /** Makes the calls, and answers within a budget that the gateway would have refused before. */
    const answer = async (calls: readonly unknown[], tokens: number, lasted?: number) => {
      const { engine } = gateway
      const caller = { name: 'tester', operator: true }
      const batched = readBatch({ caller }, calls, presentation).map(call => ({
        ...call,
        fitting: createFitting(engine, call.presentation),
      }))
      const batch = { batch: { id: 'some' }, calls: batched, signal: NEVER }
      const answers = (await executeBatch(engine, batch)).map(one => ({
        ...one,
        answer: lasted === undefined ? one.answer : lasting(one.answer, lasted),
      }))
      const write = ({ envelope }: Answer) => JSON.stringify(envelope)
      const meta = { ...PLAIN_META, duration_ms: lasted ?? PLAIN_META.duration_ms }
      const door = { meta, budget: toBudget(tokens), write }
      return answerBatch(engine, batched, answers, door).envelope
    }

    test('names one that does, also if the calls take longer then, and what was done', async () => {
      const { error } = await answer(each('issue.view'), 1500, 1)
      expect(error).toMatchObject({
        code: 'TOO_LARGE',
        next: { action: 'fix_input', fields: ['token_budget'] },
        details: { succeeded: 11, failed: 0 },
      })
      const needed = Number(/token_budget to (\d+)/.exec(error?.message ?? '')?.[1])
      expect((await answer(each('issue.view'), needed, 1)).ok).toBe(true)
      expect((await answer(each('issue.view'), needed, 98_765.4)).ok).toBe(true)
    })

    test('names the calls that failed', async () => {
      const calls = [...each('issue.view'), gone]
      const { error } = await answer(calls, 1500)
      expect(error?.details).toMatchObject({
        failed: 1,
        failures: [{ id: 'gone', request_id: expect.any(String) }],
      })
    })

    test('never advises a replay of changes that were made', async () => {
      const { error } = await answer(each('issue.comments.create', { body: 'Seen.' }), 1500)
      expect(error).toMatchObject({
        code: 'TOO_LARGE',
        retryable: false,
        write_outcome: 'applied',
        next: { action: 'ask_human' },
      })
      expect(gateway.sandbox.log.rows().filter(row => row.applied)).toHaveLength(10)
    })
  })

  test('holds over MCP', async () => {
    const client = new Client({ name: 'tester', version: '1.2.3' })
    await client.connect(new StreamableHTTPClientTransport(new URL(`${gateway.url}/mcp`)))
    const use = async (token_budget: number) => {
      const args = { calls: mixed, token_budget }
      const { content } = await client.callTool({ name: 'batch', arguments: args })
      return (content as { text: string }[])[0]?.text ?? ''
    }
    for (const budget of [1500, 2500]) {
      const text = await use(budget)
      const { results } = JSON.parse(text).data
      expect(results.map(({ ok }: { ok: boolean }) => ok)).toEqual([true, true, false, true])
      expect(countTokens(text) / 1.05).toBeLessThanOrEqual(budget)
    }
    const { error } = JSON.parse(await use(100))
    expect(error.message).toMatch(/is too small for 4 calls: \d+ would do/)
    await client.close()
  })
})

describe('calls that for_each makes without room for their answers', () => {
  const list = {
    id: 'list',
    capability: 'issue.list',
    input: { ...repo, state: 'all', first: 12 },
    fields: 'items.number',
  }
  const lock = {
    id: 'lock',
    capability: 'issue.lock',
    for_each: { $from: 'list', path: 'data.items' },
    input: { ...repo, issueNumber: { $item: 'number' } },
  }
  const applied = () => gateway.sandbox.log.rows().filter(row => row.applied).length

  test('are refused before the first of them, with the number that would do', async () => {
    const { status, body, results } = await send([list, lock], 1500)
    expect(status).toBe(200)
    expect(results.map(({ ok }) => ok)).toEqual([true, false])
    const { error } = results[1]?.envelope ?? {}
    expect(error).toMatchObject({
      code: 'VALIDATION',
      write_outcome: 'not_applied',
      next: { action: 'fix_input', fields: ['token_budget'] },
    })
    expect(error.message).toMatch(/too small for 13 calls: \d+ would do.*None of these calls/)
    expect(applied()).toBe(0)
    expect(sizeOf(body)).toBeLessThanOrEqual(1500)
  })

  test('are made with the number that would do', async () => {
    const refused = await send([list, lock], 1500)
    const needed = Number(/(\d+) would do/.exec(refused.results[1]?.envelope.error.message)?.[1])
    const { results } = await send([list, lock], needed)
    expect(results.filter(({ ok }) => !ok)).toEqual([])
    expect(applied()).toBeGreaterThan(5)
  })
})
