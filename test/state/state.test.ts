import { describe, expect, test } from 'vitest'
import { Eventual } from '../../src/lib/eventual.ts'
import type { Signal } from '../../src/lib/signal.ts'
import { Breakers } from '../../src/state/breakers.ts'
import { InFlight } from '../../src/state/in-flight.ts'
import { exhaustedUntil, Pools } from '../../src/state/pools.ts'
import { RetryBudget } from '../../src/state/retry-budget.ts'

describe('breakers', () => {
  const options = { threshold: 3, firstWaitMs: 1_000, mostWaitMs: 3_000, leaseMs: 10_000 }
  const opened = () => {
    const breakers = new Breakers(options)
    for (let count = 0; count < 3; count++) breakers.report('github:rest', 'SERVER', 0)
    return breakers
  }

  test('open only after consecutive failures', () => {
    const breakers = new Breakers(options)
    breakers.report('a', 'SERVER', 0)
    breakers.report('a', 'TIMEOUT', 0)
    breakers.report('a', null, 0)
    breakers.report('a', 'NETWORK', 0)
    expect(breakers.openUntil('a', 0)).toBeNull()
    expect(opened().openUntil('github:rest', 0)).toBe(1_000)
  })

  test.each(['VALIDATION', 'NOT_FOUND', 'AUTH', 'RATE_LIMIT', 'CANCELLED'] as const)(
    '%s does not count as a failure',
    code => {
      const breakers = new Breakers(options)
      for (let count = 0; count < 9; count++) breakers.report('a', code, 0)
      expect(breakers.openUntil('a', 0)).toBeNull()
    },
  )

  test('allow one probe at a time: its success closes, and its failure doubles the wait', () => {
    const breakers = opened()
    expect(breakers.openUntil('github:rest', 1_000)).toBeNull()
    breakers.begin('github:rest', 1_000)
    expect(breakers.openUntil('github:rest', 1_001)).toBe(11_000)
    breakers.report('github:rest', 'SERVER', 1_100)
    expect(breakers.openUntil('github:rest', 1_100)).toBe(3_100)
    breakers.begin('github:rest', 3_100)
    breakers.report('github:rest', null, 3_200)
    expect(breakers.openUntil('github:rest', 3_200)).toBeNull()
  })

  test('end the lease of a probe that never reports', () => {
    const breakers = opened()
    breakers.begin('github:rest', 1_000)
    expect(breakers.openUntil('github:rest', 11_000)).toBeNull()
  })

  test('allow another probe after one that failed because of the caller', () => {
    const breakers = opened()
    breakers.begin('github:rest', 1_000)
    breakers.report('github:rest', 'NOT_FOUND', 1_100)
    expect(breakers.openUntil('github:rest', 1_100)).toBeNull()
  })

  test('report opening, probing and closing, but not a failure that is only counted', () => {
    const breakers = new Breakers(options)
    const reported: (string | undefined)[] = []
    breakers.onChange = key => reported.push(breakers.stateOf(key)?.kind)
    breakers.report('a', 'SERVER', 0)
    breakers.report('a', null, 0)
    expect(reported).toEqual([])
    for (let count = 0; count < 4; count++) breakers.report('a', 'SERVER', 0)
    breakers.begin('a', 1_000)
    breakers.report('a', null, 1_100)
    expect(reported).toEqual(['open', 'probing', undefined])
  })

  test('let the first of several requests probe', async () => {
    const breakers = opened()
    const taken = [1, 2, 3].map(() => breakers.takeLease('github:rest', 1_000))
    expect(await Promise.all(taken)).toEqual([true, false, false])
  })

  test('do not probe while another gateway has the lease', async () => {
    const breakers = opened()
    breakers.lease = { take: async () => false, release: () => {} }
    expect(breakers.needsLease('github:rest', 999)).toBe(false)
    expect(breakers.needsLease('github:rest', 1_000)).toBe(true)
    expect(await breakers.takeLease('github:rest', 1_000)).toBe(false)
  })
})

describe('pools', () => {
  const reading = (remaining: number, resetAt: number | null) => ({
    pool: null,
    limit: 10,
    remaining,
    resetAt,
  })

  test('an exhausted pool is closed until its reset, for that credential only', () => {
    const pools = new Pools()
    pools.observe('github:core', 'me', reading(0, 5_000), 1_000)
    expect(exhaustedUntil(pools.stateOf('github:core', 'me'), 1_000)).toBe(5_000)
    expect(exhaustedUntil(pools.stateOf('github:core', 'you'), 1_000)).toBeNull()
    expect(exhaustedUntil(pools.stateOf('github:graphql', 'me'), 1_000)).toBeNull()
    expect(exhaustedUntil(pools.stateOf('github:core', 'me'), 5_000)).toBeNull()
  })

  test('an answer that arrives late does not reopen a pool', () => {
    const pools = new Pools()
    pools.observe('p', 'me', reading(0, 5_000), 1_000)
    pools.observe('p', 'me', reading(1, 5_000), 1_001)
    expect(exhaustedUntil(pools.stateOf('p', 'me'), 1_001)).toBe(5_000)
    pools.observe('p', 'me', reading(10, 9_000), 1_002)
    expect(exhaustedUntil(pools.stateOf('p', 'me'), 1_002)).toBeNull()
  })

  test('resets that differ slightly are of one window', () => {
    const pools = new Pools()
    pools.observe('p', 'me', reading(7, 60_000), 1_000)
    pools.observe('p', 'me', reading(9, 60_740), 1_001)
    expect(pools.stateOf('p', 'me')).toMatchObject({ remaining: 7, resetAt: 60_000 })
    pools.observe('p', 'me', reading(6, 60_400), 1_002)
    expect(pools.stateOf('p', 'me')).toMatchObject({ remaining: 6, resetAt: 60_000 })
  })

  test.each([
    ['more, where nothing was left', 0, reading(4, 60_000), 4],
    ['a little more, from before the last answer', 3, reading(4, 60_000), 3],
    ['less', 3, reading(2, 60_000), 2],
    ['another window', 3, reading(9, 90_000), 9],
    ['another window, while the service refuses', 0, reading(9, 90_000), 0],
  ])('a report that shows %s', (_what, known, reported, left) => {
    const pools = new Pools()
    pools.observe('p', 'me', reading(known, 60_000), 1_000)
    pools.observeReport('p', 'me', reported, 1_001)
    expect(pools.stateOf('p', 'me')?.remaining).toBe(left)
  })

  test('a report that shows more is newer than what other gateways know', () => {
    const [one, other] = [new Pools(), new Pools()]
    one.observe('p', 'me', reading(0, 60_000), 1_000)
    const stale = one.stateOf('p', 'me')
    one.observeReport('p', 'me', reading(5, 60_000), 1_001)
    const raised = one.stateOf('p', 'me')
    if (!stale || !raised) throw new Error('the pool is not known')
    other.adopt(stale, 1_002)
    other.adopt(raised, 1_003)
    other.adopt(stale, 1_004)
    expect(other.stateOf('p', 'me')?.remaining).toBe(5)
    other.observe('p', 'me', reading(4, 60_000), 1_005)
    expect(other.stateOf('p', 'me')?.remaining).toBe(4)
  })

  test('a window that has ended does not affect the next, even if both are short', () => {
    const pools = new Pools()
    pools.observe('p', 'me', reading(0, 2_000), 1_000)
    pools.observe('p', 'me', reading(5, 3_000), 2_001)
    expect(pools.stateOf('p', 'me')).toMatchObject({ remaining: 5, resetAt: 3_000 })
  })

  test('a pool adopts the state of another gateway unless it is older', () => {
    const pools = new Pools()
    const state = (remaining: number, resetAt: number) => ({
      pool: 'p',
      credential: 'me',
      limit: 10,
      remaining,
      resetAt,
      resetTime: new Date(resetAt).toISOString(),
    })
    const remaining = () => pools.stateOf('p', 'me')?.remaining
    pools.adopt(state(5, 9_000), 1_000)
    expect(remaining()).toBe(5)
    pools.adopt(state(7, 9_000), 1_000)
    expect(remaining()).toBe(5)
    pools.adopt(state(0, 5_000), 1_000)
    expect(remaining()).toBe(5)
    pools.adopt(state(2, 9_000), 1_000)
    expect(remaining()).toBe(2)
    pools.adopt(state(10, 20_000), 1_000)
    expect(remaining()).toBe(10)
  })

  test('an exhausted pool without a reset time stays closed for a minute', () => {
    const pools = new Pools()
    pools.observe('p', 'me', reading(0, null), 1_000)
    expect(exhaustedUntil(pools.stateOf('p', 'me'), 1_000)).toBe(61_000)
  })
})

test('retries are limited to a fifth of the calls, after an initial few', () => {
  const budget = new RetryBudget()
  let retries = 0
  for (let call = 0; call < 1_000; call++) {
    budget.earn('github')
    if (!budget.has('github')) continue
    budget.spend('github')
    retries++
  }
  expect(retries).toBeGreaterThanOrEqual(200)
  expect(retries).toBeLessThanOrEqual(211)
})

describe('identical reads in flight', () => {
  const begin = () => {
    const inFlight = new InFlight<string>()
    const { promise, resolve } = Promise.withResolvers<string>()
    const signals: Signal[] = []
    const work = (signal: Signal) => {
      signals.push(signal)
      signal.addEventListener('abort', () => resolve('aborted'))
      return promise
    }
    const take = (value: string, joined: boolean) => ({ value, joined })
    return { inFlight, resolve, signals, work: { work, take } }
  }

  test('share one run', async () => {
    const { inFlight, resolve, signals, work } = begin()
    const both = Promise.all([inFlight.run('a', null, work), inFlight.run('a', null, work)])
    resolve('done')
    expect(await both).toEqual([
      { value: 'done', joined: false },
      { value: 'done', joined: true },
    ])
    expect(signals).toHaveLength(1)
  })

  test('go on for the others when one caller leaves', async () => {
    const { inFlight, resolve, signals, work } = begin()
    const leaver = new AbortController()
    const first = inFlight.run('a', leaver.signal, work)
    const second = inFlight.run('a', null, work)
    leaver.abort(new Error('left'))
    await expect(first).rejects.toThrow('left')
    expect(signals[0]?.aborted).toBe(false)
    resolve('done')
    expect((await second).value).toBe('done')
  })

  test('abort the work when the last caller leaves, who gets its result', async () => {
    const { inFlight, signals, work } = begin()
    const leaver = new AbortController()
    const only = inFlight.run('a', leaver.signal, work)
    leaver.abort(new Error('left'))
    expect((await only).value).toBe('aborted')
    expect(signals[0]?.aborted).toBe(true)
  })

  test('give the first caller a result that is there at once', async () => {
    const { inFlight, work } = begin()
    const now = new Eventual<string>()
    now.settle('at once')
    const first = await inFlight.run('a', null, { ...work, work: () => now })
    expect(first).toEqual({ value: 'at once', joined: false })
  })

  test('are over when the work cannot begin', async () => {
    const { inFlight, resolve, work } = begin()
    const broken = () => {
      throw new Error('a bug')
    }
    await expect(inFlight.run('a', null, { ...work, work: broken })).rejects.toThrow('a bug')
    resolve('done')
    expect(await inFlight.run('a', null, work)).toEqual({ value: 'done', joined: false })
  })

  test('are not joined once they are aborted', async () => {
    const { inFlight, signals, work } = begin()
    const leaver = new AbortController()
    const only = inFlight.run('a', leaver.signal, work)
    leaver.abort(new Error('left'))
    await inFlight.run('a', null, work)
    await only
    expect(signals).toHaveLength(2)
  })
})
