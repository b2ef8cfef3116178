import { describe, expect, test } from 'vitest'
import { compileInput, compileOutput } from '../../src/cards/validate.ts'
import { lateValidators } from '../../src/gateway/late-validators.ts'
import { GatewayError } from '../../src/model/errors.ts'

type Schema = Readonly<Record<string, unknown>>

const listOf = (items: Schema, more: Schema = {}) => ({
  type: 'object',
  properties: { it: { type: 'array', items, ...more } },
})

/** A choice between members, as `repo.commit.create` has it for each file. */
const FILE = {
  type: 'object',
  properties: { path: { type: 'string' }, content: {}, from: {} },
  required: ['path'],
  oneOf: [{ required: ['content'] }, { required: ['from'] }],
}
const EITHER = { anyOf: [{ type: 'string' }, { type: 'number' }] }
const WORDS = { oneOf: [{ type: 'array', items: { type: 'string' } }, { type: 'number' }] }

const numbered = (count: number) => Array.from({ length: count }, (_, a) => ({ a }))

/** The paths of the faults; empty if the input is taken. */
function faultsOf(schema: Schema, it: unknown): readonly string[] {
  try {
    compileInput('thing.make', schema)({ it })
    return []
  } catch (error) {
    if (!(error instanceof GatewayError)) throw error
    return (error.details.fields as { path: string }[]).map(({ path }) => path)
  }
}

/** Milliseconds of the processor, so that other work on the machine does not count. */
function cost(work: () => unknown): number {
  const start = process.threadCpuUsage()
  work()
  const { user, system } = process.threadCpuUsage(start)
  return (user + system) / 1000
}

describe('a large input costs no more than its size', () => {
  // Each took more than 5 s when the cost was the square of the size.
  test.each([
    ['a choice in each item', listOf(FILE, { maxItems: 100 }), Array(3000).fill({})],
    ['a choice of types in each item', listOf(EITHER), Array(3000).fill(true)],
    ['a choice with a long list', { properties: { it: WORDS } }, Array(100_000).fill(1)],
    ['objects that may not repeat', listOf({}, { uniqueItems: true }), numbered(20_000)],
    ['one of them repeats', listOf({}, { uniqueItems: true }), [{ a: 0 }, ...numbered(20_000)]],
  ])('%s', (_, schema, it) => {
    expect(cost(() => faultsOf(schema, it))).toBeLessThan(2000)
  })

  test('an answer whose objects may not repeat', () => {
    const check = compileOutput(listOf({}, { uniqueItems: true }))
    expect(cost(() => expect(check({ it: numbered(20_000) })).toEqual([]))).toBeLessThan(2000)
  })

  test('the body of an endpoint has one fault, and a small one has all', () => {
    const schema = listOf({ type: 'string' })
    const validate = lateValidators()({ schema, method: 'POST', url: '/' })
    const faults = [20_000, 20].map(count => {
      validate({ it: Array(count).fill(1) })
      return validate.errors?.length
    })
    expect(faults).toEqual([1, 20])
  })
})

describe('the faults of an input', () => {
  test.each([
    ['all of a small one', listOf({ type: 'string' }), ['a', 1, 2], ['it.1', 'it.2']],
    [
      'the first of a large one',
      listOf({ type: 'string' }),
      [...Array(10_000).fill('a'), 1, 2],
      ['it.10000'],
    ],
    // The path of the eleventh item begins like that of the second.
    [
      'those of each item',
      listOf(EITHER),
      [1, true, 2, 3, 4, 5, 6, 7, 8, 9, true],
      ['it.1', 'it.10'],
    ],
    [
      'an item that repeats in another order',
      listOf({}, { uniqueItems: true }),
      [{ a: 1, b: 2 }, 1, { b: 2, a: 1 }],
      ['it.2'],
    ],
    [
      'no repetition of another type',
      listOf({}, { uniqueItems: true }),
      [1, '1', true, 'true', null, [], {}],
      [],
    ],
    ['a list that may repeat', listOf({}, { uniqueItems: false }), [1, 1], []],
  ])('%s', (_, schema, it, paths) => {
    expect(faultsOf(schema, it)).toEqual(paths)
  })
})
