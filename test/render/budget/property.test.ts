import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { checkEnvelope } from '../../../client/envelope.ts'
import { dropSkipped, resumePage } from '../../../src/call/resume.ts'
import type { Card } from '../../../src/model/card.ts'
import { encodeCursor } from '../../../src/model/cursor.ts'
import { PROFILE_NAMES, type ProfileName } from '../../../src/model/profile-name.ts'
import { createWarning } from '../../../src/model/warnings.ts'
import type { Drop } from '../../../src/render/budget/drop.ts'
import { leastBudgetOf } from '../../../src/render/profiles/index.ts'
import { type Presentation, renderAnswer } from '../../../src/render/render.ts'
import { answerOf, fakeCard, knowing, listed, ranked } from '../../support/cards.ts'

const text = fc.oneof(
  { weight: 4, arbitrary: fc.string({ maxLength: 30 }) },
  { weight: 1, arbitrary: fc.string({ unit: 'grapheme', maxLength: 60 }) },
  { weight: 1, arbitrary: fc.nat(900).map(length => 'long text 🚂 '.repeat(length / 12)) },
)
const item = fc.record({ id: fc.nat(), title: text, score: fc.integer({ min: 0, max: 9 }) })
const data = fc.record({ items: fc.array(item, { maxLength: 12 }), note: text, count: fc.nat() })
const budget = fc.oneof(fc.integer({ min: 0, max: 400 }), fc.integer({ min: 100, max: 2000 }))
const warnings = fc.array(
  text.map(message => createWarning('PARTIAL_RESULTS', message)),
  { maxLength: 2 },
)
const cards: readonly Card[] = [
  fakeCard(listed('items')),
  fakeCard(ranked('items', 'score')),
  fakeCard({ effect: 'write' }),
]

const how = (profile: ProfileName, tokenBudget: number | null): Presentation => ({
  profile,
  tokenBudget,
  host: 'a-client/1.0',
})
const clamp = (profile: ProfileName, tokens: number) =>
  Math.min(10_000, Math.max(leastBudgetOf(profile), tokens))

describe('for any result', () => {
  test('every dialect sends a valid body within the budget and reports every cut', () => {
    fc.assert(
      fc.property(
        fc.constantFrom(...PROFILE_NAMES),
        fc.constantFrom(...cards),
        data,
        budget,
        warnings,
        (profile, card, value, tokens, warned) => {
          const before = JSON.stringify(value)
          const answer = answerOf(card, deepFreeze(value), { warnings: warned })
          const rendered = renderAnswer(knowing(card), answer, how(profile, tokens))
          expect(Buffer.byteLength(rendered.body) / 4).toBeLessThanOrEqual(clamp(profile, tokens))
          const sent: unknown = JSON.parse(rendered.body)
          expect(checkEnvelope(profile, sent)).toEqual([])
          expect(textsOf(sent).filter(part => !part.isWellFormed())).toEqual([])
          expect(JSON.stringify(value)).toBe(before)
          if (profile !== 'budgeted') return
          expectHonest(sent as Sent, value, warned, rendered.dropped)
        },
      ),
      { numRuns: 10_000 },
    )
  }, 60_000)
})

interface Sent {
  readonly ok: boolean
  readonly data?: { readonly items: readonly { readonly id: number }[] }
  readonly truncated: boolean
  readonly warnings: readonly string[]
}

/** `truncated` is true if and only if something is missing, and `dropped` counts it. */
function expectHonest(
  { ok, data: sent, truncated, warnings: received }: Sent,
  value: { readonly items: readonly unknown[] },
  warned: readonly { readonly message: string }[],
  dropped: readonly Drop[],
): void {
  if (!ok) {
    expect(truncated).toBe(true)
    return
  }
  const messages = warned.map(({ message }) => message)
  const whole =
    JSON.stringify(sent) === JSON.stringify(value) &&
    JSON.stringify(received.slice(0, messages.length)) === JSON.stringify(messages)
  expect(truncated).toBe(!whole)
  expect(dropped.length > 0).toBe(truncated)
  const left = dropped.find(({ path }) => path === 'items')?.count ?? 0
  expect((sent?.items.length ?? 0) + left).toBe(value.items.length)
}

describe('following cursors', () => {
  const paged = fakeCard({
    ...listed('items'),
    page: { cursor: 'after', size: 'first' },
    input: { type: 'object', properties: { first: { type: 'integer', maximum: 20 } } },
  })

  test('gives every item exactly once and in order, with any budgets and page sizes', () => {
    fc.assert(
      fc.property(
        fc.array(item, { maxLength: 40 }),
        fc.array(fc.tuple(fc.integer({ min: 1, max: 20 }), fc.integer({ min: 260, max: 900 })), {
          minLength: 1,
          maxLength: 5,
        }),
        (items, steps) => {
          expect(walk(paged, items, steps)).toEqual(items.map(({ id }) => id))
        },
      ),
      { numRuns: 400 },
    )
  }, 60_000)
})

/** Reads a list to its end. Each step has its own page size and budget. */
function walk(
  card: Card,
  items: readonly { readonly id: number }[],
  steps: readonly (readonly [number, number])[],
): number[] {
  const seen: number[] = []
  let after: string | null = null
  for (let step = 0; step < 500; step++) {
    const [first, tokens] = steps[step % steps.length] as readonly [number, number]
    const asked = { first, ...(after === null ? {} : { after }) }
    const { input, page } = resumePage(card, asked)
    const outcome = dropSkipped(card, page, upstreamPage(items, input))
    const answer = answerOf(card, outcome.data, { page, input: asked })
    const { body } = renderAnswer(knowing(card), answer, how('budgeted', tokens))
    const sent = JSON.parse(body) as { data: UpstreamData }
    seen.push(...sent.data.items.map(({ id }) => id))
    after = sent.data.pageInfo.endCursor
    if (after === null) return seen
  }
  throw new Error('the list has no end')
}

interface UpstreamData {
  readonly items: readonly { readonly id: number }[]
  readonly pageInfo: { readonly hasNextPage: boolean; readonly endCursor: string | null }
}

function upstreamPage(
  items: readonly { readonly id: number }[],
  input: Readonly<Record<string, unknown>>,
) {
  const start = Number(input.after ?? 0)
  const end = start + Number(input.first)
  const hasNextPage = end < items.length
  const endCursor = hasNextPage
    ? encodeCursor({ route: 'rest', value: String(end), skip: 0 })
    : null
  const page: UpstreamData = {
    items: items.slice(start, end),
    pageInfo: { hasNextPage, endCursor },
  }
  return { ok: true, data: page as UpstreamData, route: 'rest', reason: 'CARD_PREFERRED' } as const
}

function textsOf(value: unknown): readonly string[] {
  if (typeof value === 'string') return [value]
  if (value === null || typeof value !== 'object') return []
  return Object.values(value).flatMap(textsOf)
}

function deepFreeze<T>(value: T): T {
  if (value !== null && typeof value === 'object') {
    for (const member of Object.values(value)) deepFreeze(member)
    Object.freeze(value)
  }
  return value
}
