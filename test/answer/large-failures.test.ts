import { expect, test } from 'vitest'
import { relevantLines } from '../../adapters/cli/stderr-lines.ts'
import { faultyMembers } from '../../src/answer/faulty-members.ts'
import { createFailure } from '../../src/model/failure.ts'
import { fakeCard } from '../support/cards.ts'

const listOf = <T>(count: number, item: T): T[] => Array.from({ length: count }, () => item)

function cost(work: () => unknown): number {
  const start = process.threadCpuUsage().user
  work()
  return (process.threadCpuUsage().user - start) / 1000
}

test('the values of an input that a message may quote are the first fifty, however deep its lists are', () => {
  const card = fakeCard({ input: { type: 'object', properties: { it: {}, other: {} } } })
  const message = `The thing is not valid: ${'word '.repeat(380)} last`
  const failure = createFailure('VALIDATION', message)
  const it = listOf(50, listOf(50, listOf(50, ['one', 'two', 'three', 'four'])))
  expect(cost(() => faultyMembers(card, { it }, failure))).toBeLessThan(100)
  const nested = [['one'], ['two', ['last']]]
  expect(faultyMembers(card, { it: nested, other: 'five' }, failure)).toEqual(['it'])
})

test('of stderr with many short lines, the last thousand are read', () => {
  const stderr = `first\n${'E\n'.repeat(15_000)}last`
  expect(relevantLines(stderr)).toHaveLength(1000)
  expect(relevantLines(stderr).at(-1)).toBe('last')
})
