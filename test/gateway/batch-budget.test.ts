import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client'
import { countTokens } from 'gpt-tokenizer/encoding/o200k_base'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { PROFILE_NAMES } from '../../src/model/profile-name.ts'
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

let gateway: TestGateway
beforeAll(async () => {
  gateway = await startTestGateway()
})
beforeEach(() => gateway.sandbox.reset())
afterAll(() => gateway[Symbol.asyncDispose]())

const send = (calls: unknown, token_budget: number, query = {}) =>
  sendBatch(gateway, { calls, token_budget }, { query })

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

  test('that turns out too small names one that does, and what was done', async () => {
    const calls = [
      issues,
      {
        capability: 'issue.view',
        for_each: { $from: 'issues', path: 'data.items[:10]' },
        input: { ...repo, issueNumber: { $item: 'number' } },
      },
    ]
    const { status, body } = await send(calls, 1500)
    expect(status).toBe(413)
    expect(body.error).toMatchObject({
      code: 'TOO_LARGE',
      next: { action: 'fix_input', fields: ['token_budget'] },
    })
    expect(sizeOf(body)).toBeLessThanOrEqual(1500)
    const needed = Number(/token_budget to (\d+)/.exec(body.error.message)?.[1])
    const again = await send(calls, needed)
    expect(again.status).toBe(200)
    expect(again.results.every(({ ok }) => ok)).toBe(true)
    expect(sizeOf(again.body)).toBeLessThanOrEqual(needed)
  })

  test('never advises a replay of changes that were made', async () => {
    const calls = [
      issues,
      {
        capability: 'issue.comments.create',
        for_each: { $from: 'issues', path: 'data.items[:10]' },
        input: { ...repo, issueNumber: { $item: 'number' }, body: 'Seen.' },
      },
    ]
    const { body } = await send(calls, 1500)
    expect(body.error).toMatchObject({
      code: 'TOO_LARGE',
      retryable: false,
      write_outcome: 'applied',
      next: { action: 'ask_human' },
    })
    expect(gateway.sandbox.log.rows().filter(row => row.applied)).toHaveLength(10)
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
