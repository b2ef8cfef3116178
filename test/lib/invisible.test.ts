import { readFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import { withoutInvisible } from '../../src/lib/invisible.ts'

interface Injected {
  readonly name: string
  readonly text: string
  readonly clean: string
}

const INJECTED = JSON.parse(
  readFileSync(new URL('../cases/injected.json', import.meta.url), 'utf8'),
) as readonly Injected[]

test.each(INJECTED)('$name has no invisible characters afterwards', ({ text, clean }) => {
  expect(withoutInvisible(text).text).toBe(clean)
})

describe('characters stay where they have a use', () => {
  test.each([
    ['a family', '\u{1f468}\u200d\u{1f469}\u200d\u{1f467}'],
    ['a rainbow flag', '\u{1f3f3}\ufe0f\u200d\u{1f308}'],
    ['a skin tone and a profession', '\u{1f469}\u{1f3fd}\u200d\u{1f4bb}'],
    ['the flag of Wales', `\u{1f3f4}${tags('gbwls')}\u{e007f}`],
    ['a keycap', '1\ufe0f\u20e3'],
    ['Persian', '\u0645\u06cc\u200c\u062e\u0648\u0627\u0647\u0645'],
    ['Hindi', '\u0915\u094d\u200d\u0937'],
    ['a variant of an ideograph', '\u845b\u{e0100}'],
    ['Mongolian', '\u182d\u180b'],
    ['a byte order mark at the beginning', '\ufeffa'],
    ['plain text of other scripts', 'Ünïcode, 日本語, русский, 😀'],
  ])('%s', (_, text) => {
    expect(withoutInvisible(text)).toEqual({ text, removed: 0 })
  })
})

test.each([
  ['one joiner after a letter', '\u0645\u200c\u200c\u200c\u0646', '\u0645\u200c\u0646', 2],
  ['one selector after an emoji', '\u2764\ufe0f\ufe0e\ufe0f', '\u2764\ufe0f', 2],
  ['no joiner between Latin letters', 'a\u200db', 'ab', 1],
  ['no byte order mark in the middle', 'a\ufeffb', 'ab', 1],
])('%s', (_, text, clean, removed) => {
  expect(withoutInvisible(text)).toEqual({ text: clean, removed })
})

test('a large text takes a time that grows with its length', () => {
  const bad = `${tags('x')}\u200b`.repeat(100_000)
  expect(withoutInvisible(bad)).toEqual({ text: '', removed: 200_000 })
})

function tags(word: string): string {
  return String.fromCodePoint(...Array.from(word, letter => 0xe0000 + letter.charCodeAt(0)))
}
