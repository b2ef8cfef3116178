import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { firstSentence, shorten } from '../../src/lib/text.ts'
import { compactMessage } from '../../src/render/profiles/compact.ts'

describe('the first sentence', () => {
  test.each([
    ['Module not found. Please check the spelling.', 'Module not found.'],
    ['Did you mean x? Try y.', 'Did you mean x?'],
    ['Stop! There is more.', 'Stop!'],
    [
      'Give a name, e.g. hello-world, and try again. Or not.',
      'Give a name, e.g. hello-world, and try again.',
    ],
    ['Version 1.2.3 is too old. Update it.', 'Version 1.2.3 is too old.'],
    ['No end at all', 'No end at all'],
    ['Really?! Yes.', 'Really?!'],
    ['  Spaces around.  ', 'Spaces around.'],
  ])('of %j is %j', (text, sentence) => {
    expect(firstSentence(text)).toBe(sentence)
  })
})

describe('the compact message', () => {
  test('is the first sentence when that is short', () => {
    expect(compactMessage('Module not found. Please check the list of modules.')).toBe(
      'Module not found.',
    )
  })

  test('is at most 100 characters with an ellipsis otherwise', () => {
    const message = compactMessage('x'.repeat(101))
    expect(message.length).toBeLessThanOrEqual(100)
    expect(message.endsWith('…')).toBe(true)
    expect(compactMessage('x'.repeat(99))).toBe('x'.repeat(99))
  })

  test('of 60 emoji ends with a whole one', () => {
    const message = compactMessage('🚂'.repeat(60))
    expect(message.isWellFormed()).toBe(true)
    expect(message).toMatch(/^(🚂)+…$/u)
  })
})

test('shortening never breaks a code point and never exceeds the limit', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary' }), fc.nat(50), (text, max) => {
      const short = shorten(text, max)
      expect(short.isWellFormed()).toBe(true)
      expect(short.length).toBeLessThanOrEqual(max)
    }),
  )
})
