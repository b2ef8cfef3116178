import { expect, test } from 'vitest'
import { renderAnswer } from '../../../src/render/render.ts'
import { answerOf, fakeCard, knowing } from '../../support/cards.ts'

const PLAIN = { profile: 'default', host: null } as const
const card = fakeCard()

function render(data: unknown, tokenBudget: number) {
  return renderAnswer(knowing(card), answerOf(card, data), { ...PLAIN, tokenBudget })
}

const texts = (count: number, length: number) =>
  Object.fromEntries(Array.from({ length: count }, (_, n) => [`m${n}`, 'x'.repeat(length)]))

test('a budget for an answer with far too many texts costs a few times the answer', () => {
  const data = { ...texts(60_000, 50), long: 'x'.repeat(4_000_000) }
  const start = process.threadCpuUsage().user
  const { envelope } = render(data, 2000)
  // Five times as much before, when each of thirty lengths was written.
  expect((process.threadCpuUsage().user - start) / 1000).toBeLessThan(2500)
  expect(envelope.error).toMatchObject({ code: 'TOO_LARGE' })
})

test.each([
  [
    'many that are a little too long, beside one that is much longer',
    { ...texts(100, 41), long: 'x'.repeat(20_000) },
  ],
  [
    'many that are null, beside one that is too long',
    {
      ...Object.fromEntries(Array.from({ length: 300 }, (_, n) => [`m${n}`, null])),
      long: 'x'.repeat(20_000),
    },
  ],
])('texts are cut as little as the budget needs: %s', (_name, data) => {
  const { envelope, body } = render(data, 2000)
  expect(envelope.ok).toBe(true)
  const { long } = envelope.data as { long: string }
  expect(long.length).toBeGreaterThan(1000)
  expect(body.length).toBeLessThanOrEqual(8000)
})
