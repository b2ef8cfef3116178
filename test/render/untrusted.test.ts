import { expect, test } from 'vitest'
import type { Answer } from '../../src/model/envelope.ts'
import { fenceFor } from '../../src/render/untrusted.ts'

const answerWith = (data: unknown) =>
  ({
    envelope: { ok: true, data, error: null, meta: { untrusted: ['text'] } },
  }) as unknown as Answer

test('a text that holds every short number gets a longer one, which it does not hold', () => {
  const text = Array.from({ length: 9_000 }, (_, n) => n + 1_000).join(' ')
  for (let time = 0; time < 50; time++) {
    const mark = fenceFor(
      answerWith({ text }),
      { untrusted: 'fence' } as never,
      { kind: 'mcp' } as never,
    )
    expect(String(mark)).toHaveLength(5)
    expect(text).not.toContain(String(mark))
  }
})

test('a short text gets a number of one token', () => {
  const mark = fenceFor(
    answerWith({ text: 'Hello' }),
    { untrusted: 'fence' } as never,
    { kind: 'mcp' } as never,
  )
  expect(String(mark)).toHaveLength(3)
})
