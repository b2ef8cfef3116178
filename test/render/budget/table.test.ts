import { describe, expect, test } from 'vitest'
import type { Card } from '../../../src/model/card.ts'
import { createWarning, type Warning } from '../../../src/model/warnings.ts'
import { type Presentation, renderAnswer } from '../../../src/render/render.ts'
import { answerOf, fakeCard, knowing, listed, ranked } from '../../support/cards.ts'

interface Budgeted {
  readonly ok: boolean
  // oxlint-disable-next-line typescript/no-explicit-any -- data of many shapes
  readonly data: any
  readonly error?: { readonly code: string }
  readonly tokenBudget: { readonly requested: number; readonly used: number; readonly max: number }
  readonly truncated: boolean
  readonly dropped?: { kind: string; count: number; note: string }
  readonly warnings: readonly string[]
}

function render(
  card: Card,
  data: unknown,
  tokenBudget: number,
  warnings: readonly Warning[] = [],
): Budgeted & { text: string } {
  const how: Presentation = { profile: 'budgeted', tokenBudget, host: null }
  const { body } = renderAnswer(knowing(card), answerOf(card, data, { warnings }), how)
  return { ...(JSON.parse(body) as Budgeted), text: body }
}

/** The data of the tests of the dialect's first implementation. */
function reference(index: number) {
  return {
    file: `src/mod${index % 7}.ts`,
    line: index + 1,
    col: 5,
    snippet: 's'.repeat(58 + 2 * String(index).length),
  }
}
const references = (count: number) => Array.from({ length: count }, (_, index) => reference(index))
const card = fakeCard(listed('references'))

describe('a token budget', () => {
  test('2000 tokens hold two references uncut', () => {
    const data = { references: references(2) }
    const answer = render(card, data, 2000)
    expect(answer).toMatchObject({ ok: true, truncated: false, data })
    expect(answer).not.toHaveProperty('dropped')
  })

  test('500 tokens hold a part of 200 references, and the answer counts the others', () => {
    const answer = render(card, { references: references(200) }, 500)
    const kept = answer.data.references.length
    expect(answer.truncated).toBe(true)
    expect(kept).toBeGreaterThan(0)
    expect(kept).toBeLessThan(200)
    expect(answer.dropped).toMatchObject({ kind: 'references', count: 200 - kept })
    expect(answer.tokenBudget.used).toBeLessThanOrEqual(500)
    expect(answer.tokenBudget.used).toBe(Math.ceil(answer.text.length / 4))
  })

  test('a cut keeps the item with the highest rank; without a cut the order stays', () => {
    const scored = fakeCard(ranked('items', 'score'))
    const pad = 'p'.repeat(200)
    const data = { items: [1, 9, 5].map(score => ({ score, pad })) }
    const cut = render(scored, data, 150)
    expect(cut.data.items.length).toBeGreaterThan(0)
    expect(cut.data.items.length).toBeLessThan(3)
    expect(cut.data.items[0].score).toBe(9)
    expect(render(scored, data, 2000).data).toEqual(data)
  })

  test('5 is clamped to 100 with a warning', () => {
    const answer = render(card, { v: 1 }, 5)
    expect(answer).toMatchObject({ ok: true, truncated: false, tokenBudget: { requested: 100 } })
    expect(answer.warnings).toHaveLength(1)
    expect(answer.warnings[0]).toContain('100')
    expect(render(card, { v: 1 }, 99_999).tokenBudget.requested).toBe(10_000)
  })

  test('a long text without a list is shortened', () => {
    const answer = render(card, { text: 't'.repeat(4000) }, 100)
    expect(answer.truncated).toBe(true)
    expect(answer.data.text).toMatch(/^t+…$/)
    expect(answer.dropped).toMatchObject({ kind: 'characters' })
    expect(answer.text.length).toBeLessThanOrEqual(400)
  })

  test("a cut leaves the caller's list unchanged", () => {
    const data = Object.freeze({ references: Object.freeze(references(50).map(Object.freeze)) })
    render(card, data, 200)
    expect(data.references).toHaveLength(50)
  })

  test('a nested list is cut', () => {
    const nested = fakeCard(listed('graph.nodes'))
    const answer = render(nested, { graph: { nodes: references(100), name: 'g' } }, 300)
    expect(answer.data.graph.nodes.length).toBeLessThan(100)
    expect(answer.data.graph.name).toBe('g')
  })

  test('data that does not fit and must not be cut becomes an error within the budget', () => {
    const output = { type: 'object', properties: { blob: { type: 'string', pattern: '^z*$' } } }
    const answer = render(fakeCard({ output }), { blob: 'z'.repeat(4000) }, 100)
    expect(answer).toMatchObject({ ok: false, error: { code: 'TOO_LARGE' } })
    expect(answer.text.length).toBeLessThanOrEqual(400)
  })

  test('a long warning is shortened', () => {
    const long = createWarning('PARTIAL_RESULTS', 'w'.repeat(800))
    const answer = render(card, { v: 1 }, 100, [long])
    expect(answer.ok).toBe(true)
    expect(answer.text.length).toBeLessThanOrEqual(400)
    expect(answer.truncated).toBe(true)
  })

  test('every budget holds, and a larger one keeps no fewer items', () => {
    const data = { references: references(200) }
    let before = 0
    for (let budget = 100; budget <= 10_000; budget += 37) {
      const answer = render(card, data, budget)
      expect(answer.tokenBudget.used).toBeLessThanOrEqual(budget)
      const kept = answer.data.references.length
      expect(kept).toBeGreaterThanOrEqual(before)
      before = kept
    }
    expect(before).toBe(200)
  })
})

describe('the answer to a write that does not fit its budget', () => {
  test('says that the write was applied, and does not advise to repeat it', () => {
    const output = { type: 'object', properties: { blob: { type: 'string', pattern: '^z*$' } } }
    const write = fakeCard({ effect: 'write', output })
    const how: Presentation = { profile: 'default', tokenBudget: 500, host: null }
    const answer = answerOf(write, { blob: 'z'.repeat(4000) })
    const { body, status } = renderAnswer(knowing(write), answer, how)
    expect(status).toBe(413)
    expect(JSON.parse(body)).toMatchObject({
      ok: false,
      error: { code: 'TOO_LARGE', write_outcome: 'applied', next: { action: 'ask_human' } },
    })
  })
})
