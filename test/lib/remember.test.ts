import { expect, test } from 'vitest'
import { remember } from '../../src/lib/remember.ts'

test('a text is read once, also if nothing comes of it', () => {
  const read: string[] = []
  const firstOf = remember(text => {
    read.push(text)
    return text[0] ?? null
  })
  expect([firstOf('a'), firstOf(''), firstOf('a'), firstOf('')]).toEqual(['a', null, 'a', null])
  expect(read).toEqual(['a', ''])
})

test('long texts, and all but the last few hundred, are forgotten', () => {
  let reads = 0
  const lengthOf = remember(text => {
    reads++
    return text.length
  })
  lengthOf('x'.repeat(2000))
  lengthOf('x'.repeat(2000))
  expect(reads).toBe(2)
  for (let n = 0; n <= 500; n++) lengthOf(`text ${n}`)
  lengthOf('text 0')
  expect(reads).toBe(2 + 501 + 1)
})
