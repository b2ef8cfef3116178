import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { Eventual, isEventual } from '../../src/lib/eventual.ts'

describe('a value that comes later', () => {
  test('continues in the call that settles it', () => {
    const seen: number[] = []
    const eventual = new Eventual<number>()
    void eventual.then(value => value + 1).then(value => seen.push(value))
    eventual.settle(1)
    expect(seen).toEqual([2])
  })

  test('continues at once when it is there already', () => {
    const eventual = new Eventual<number>()
    eventual.settle(1)
    const seen: number[] = []
    void eventual.then(value => seen.push(value))
    expect(seen).toEqual([1])
  })

  test('comes to all who wait for it, in order', () => {
    const eventual = new Eventual<string>()
    const seen: string[] = []
    for (const name of ['a', 'b', 'c']) void eventual.then(value => seen.push(name + value))
    eventual.settle('!')
    expect(seen).toEqual(['a!', 'b!', 'c!'])
  })

  test('comes only once', async () => {
    const eventual = new Eventual<number>()
    eventual.settle(1)
    eventual.settle(2)
    eventual.fail(new Error('late'))
    expect(await eventual).toBe(1)
  })

  test('reports an error that nobody handles, as a promise does', async () => {
    const others = process.listeners('unhandledRejection')
    process.removeAllListeners('unhandledRejection')
    const { promise, resolve } = Promise.withResolvers<unknown>()
    process.once('unhandledRejection', resolve)
    try {
      const eventual = new Eventual<number>()
      void eventual.then(() => {})
      eventual.fail(new Error('nobody listens'))
      expect(await promise).toEqual(new Error('nobody listens'))
    } finally {
      for (const listener of others) process.on('unhandledRejection', listener)
    }
  })
})

/** Use that one step of a chain makes of the value before it. */
type Step =
  | { readonly does: 'add' | 'throw' | 'rescue' | 'rescueAndThrow'; readonly n: number }
  | { readonly does: 'promise' | 'rejection' | 'eventual' | 'failing'; readonly n: number }

const step: fc.Arbitrary<Step> = fc.record({
  does: fc.constantFrom(
    ...(['add', 'throw', 'rescue', 'rescueAndThrow', 'promise', 'rejection'] as const),
    ...(['eventual', 'failing'] as const),
  ),
  n: fc.integer({ min: -9, max: 9 }),
})

function follow(chain: PromiseLike<number>, { does, n }: Step): PromiseLike<number> {
  switch (does) {
    case 'add':
      return chain.then(value => value + n)
    case 'throw':
      return chain.then(value => {
        throw new Error(`${value} ${n}`)
      })
    case 'rescue':
      return chain.then(undefined, () => n)
    case 'rescueAndThrow':
      return chain.then(
        value => value - n,
        (error: unknown) => {
          throw new Error(`${n}`, { cause: error })
        },
      )
    case 'promise':
      return chain.then(async value => value * n)
    case 'rejection':
      return chain.then(value => Promise.reject(new Error(`${value} ${n}`)))
    default:
      return chain.then(value => later(value + n, does === 'failing'))
  }
}

function later(value: number, fails: boolean): Eventual<number> {
  const eventual = new Eventual<number>()
  queueMicrotask(() => {
    if (fails) eventual.fail(new Error(`${value}`))
    else eventual.settle(value)
  })
  return eventual
}

async function endOf(chain: PromiseLike<number>): Promise<unknown> {
  return await chain.then(
    value => ({ value }),
    (error: Error) => ({ error: error.message }),
  )
}

test('a chain of any steps ends as the same chain of promises', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(step, { maxLength: 12 }),
      fc.boolean(),
      fc.boolean(),
      async (steps, fails, isEarly) => {
        const begun = new Eventual<number>()
        const end = () => (fails ? begun.fail(new Error('first')) : begun.settle(1))
        if (isEarly) end()
        const own = endOf(steps.reduce(follow, begun))
        if (!isEarly) end()
        const first = fails ? Promise.reject(new Error('first')) : Promise.resolve(1)
        expect(await own).toEqual(await endOf(steps.reduce(follow, first)))
      },
    ),
  )
})

test('a promise and its like are still to come, a value is not', () => {
  expect([new Eventual(), Promise.resolve(), {}, null, 1].map(isEventual)).toEqual([
    true,
    true,
    false,
    false,
    false,
  ])
})
