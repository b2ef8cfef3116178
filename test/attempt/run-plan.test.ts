import { afterAll, describe, expect, test } from 'vitest'
import { after, answers, BEGAN, fails, openLoop, POLICY } from '../support/plan-loop.ts'

const loop = await openLoop()
afterAll(() => loop[Symbol.asyncDispose]())

describe('success', () => {
  test('the first route answers, and nothing else is sent', async () => {
    const { outcome, attempts, sleeps } = await loop.run({
      rest: [after(120, answers({ id: 7 }))],
      graphql: [],
    })
    expect(outcome).toEqual({ ok: true, data: { id: 7 }, route: 'rest', reason: 'CARD_PREFERRED' })
    expect(attempts).toEqual([
      {
        route: 'rest',
        status: 'success',
        started_ms: 0,
        duration_ms: 120,
        retry: 0,
        upstream_status: 200,
      },
    ])
    expect(sleeps).toEqual([])
  })

  test('a pinned route is the only one to be tried', async () => {
    const { outcome, trail } = await loop.run(
      { rest: [answers()], graphql: [fails('NOT_FOUND')] },
      { pin: 'graphql' },
    )
    expect(outcome).toMatchObject({ ok: false, route: 'graphql', reason: 'ROUTE_FAILED' })
    expect(trail).toEqual(['graphql NOT_FOUND → give_up'])
  })

  test('an answer of 304 counts as revalidated', async () => {
    const { outcome } = await loop.run({ rest: [answers({ id: 1 }, 304)] })
    expect(outcome).toMatchObject({ ok: true, reason: 'REVALIDATED' })
  })
})

describe('fallback', () => {
  test('the next route is tried at once after a failure that it may not share', async () => {
    const { outcome, trail, sleeps } = await loop.run({
      rest: [fails('SERVER')],
      graphql: [answers({ id: 2 })],
    })
    expect(outcome).toEqual({
      ok: true,
      data: { id: 2 },
      route: 'graphql',
      reason: 'CARD_FALLBACK',
    })
    expect(trail).toEqual(['rest SERVER → next_route', 'graphql success'])
    expect(sleeps).toEqual([])
  })

  test('an answer of 304 by the second route is still a fallback', async () => {
    const { outcome } = await loop.run({
      rest: [fails('SERVER')],
      graphql: [answers({ id: 1 }, 304)],
    })
    expect(outcome).toMatchObject({ ok: true, reason: 'CARD_FALLBACK' })
  })

  test('a failure that no other route can change ends the run', async () => {
    const { outcome, trail } = await loop.run({
      rest: [fails('FORBIDDEN', { fallback: false })],
      graphql: [],
    })
    expect(outcome).toMatchObject({
      ok: false,
      failure: { code: 'FORBIDDEN' },
      route: 'rest',
      reason: 'ROUTE_FAILED',
    })
    expect(trail).toEqual(['rest FORBIDDEN → give_up'])
  })

  test('the failure that explains the most is reported, with the route it came from', async () => {
    const { outcome } = await loop.run({
      rest: [fails('NOT_FOUND')],
      graphql: [fails('ADAPTER_UNSUPPORTED')],
    })
    expect(outcome).toMatchObject({ failure: { code: 'NOT_FOUND' }, route: 'rest' })
  })

  test('a later failure does not undo what an earlier attempt may have changed', async () => {
    const { outcome } = await loop.run(
      {
        rest: [fails('SERVER', { writeOutcome: 'unknown' })],
        graphql: [fails('VALIDATION', { writeOutcome: 'not_applied' })],
      },
      { card: { effect: 'idempotent' } },
    )
    expect(outcome).toMatchObject({
      failure: { code: 'VALIDATION', writeOutcome: 'unknown' },
      route: 'graphql',
    })
  })

  test('an answer that breaks the output schema falls back, and is named when it is the last', async () => {
    const checkOutput = (data: unknown) =>
      (data as { id?: number }).id === undefined ? [{ path: 'id', message: 'is missing' }] : []
    const script = { rest: [answers({})], graphql: [answers({ id: 1 })] }
    const saved = await loop.run(script, { card: { checkOutput } })
    expect(saved.outcome).toMatchObject({ ok: true, reason: 'CARD_FALLBACK' })
    expect(saved.trail).toEqual(['rest OUTPUT_INVALID → next_route', 'graphql success'])
    const lost = await loop.run({ rest: [answers({})] }, { card: { checkOutput } })
    expect(lost.outcome).toMatchObject({ ok: false, reason: 'OUTPUT_VALIDATION' })
    expect(lost.trail).toEqual(['rest OUTPUT_INVALID → give_up'])
  })
})

describe('retries', () => {
  test('the last route is retried after a growing backoff', async () => {
    const { outcome, trail, sleeps, attempts } = await loop.run({
      rest: [fails('SERVER'), fails('SERVER'), answers()],
    })
    expect(outcome).toMatchObject({ ok: true, route: 'rest', reason: 'CARD_PREFERRED' })
    expect(trail).toEqual([
      'rest SERVER → retry_same',
      'rest (retry 1) SERVER → retry_same',
      'rest (retry 2) success',
    ])
    expect(sleeps).toEqual([50, 100])
    expect(attempts.map(attempt => attempt.started_ms)).toEqual([0, 50, 150])
  })

  test('a route is given up after the retries that the policy allows', async () => {
    const { outcome, trail } = await loop.run({ rest: Array(3).fill(fails('SERVER')) })
    expect(outcome).toMatchObject({ ok: false, reason: 'ROUTE_FAILED' })
    expect(trail.at(-1)).toBe('rest (retry 2) SERVER → give_up')
  })

  test('a Retry-After of the upstream replaces the backoff', async () => {
    const { outcome, trail, sleeps } = await loop.run({
      rest: [fails('RATE_LIMIT', { retryAfterMs: 4_000 }), answers()],
    })
    expect(outcome).toMatchObject({ ok: true })
    expect(trail).toEqual(['rest RATE_LIMIT → retry_same', 'rest (retry 1) success'])
    expect(sleeps).toEqual([4_000])
  })

  test('a Retry-After that the deadline does not allow is passed on to the caller', async () => {
    const { outcome, trail, sleeps } = await loop.run(
      { rest: [fails('RATE_LIMIT', { retryAfterMs: 4_000 })] },
      { timeoutMs: 4_020 },
    )
    expect(outcome).toMatchObject({ ok: false, failure: { retryAfterMs: 4_000 } })
    expect(trail).toEqual(['rest RATE_LIMIT → give_up'])
    expect(sleeps).toEqual([])
  })

  test('a failure that a retry cannot change is not retried', async () => {
    const { trail } = await loop.run({ rest: [fails('NOT_FOUND')] })
    expect(trail).toEqual(['rest NOT_FOUND → give_up'])
  })

  test('an upstream that keeps failing uses up its budget of retries', async () => {
    // NOT_READY, because it does not count towards opening the circuit.
    const scene = loop.begin({ rest: Array(20).fill(fails('NOT_READY')) })
    const attempts: number[] = []
    while (attempts.at(-1) !== 1) attempts.push((await scene.run()).trail.length)
    expect(attempts).toEqual([3, 3, 3, 3, 3, 2, 1])
  })
})

describe('the deadline', () => {
  test('a route for which no time is left is skipped', async () => {
    const { outcome, trail } = await loop.run(
      { rest: [after(990, fails('TIMEOUT'))], graphql: [] },
      { timeoutMs: 1_000 },
    )
    expect(outcome).toMatchObject({
      ok: false,
      failure: { code: 'TIMEOUT', message: 'TIMEOUT by script' },
      route: 'rest',
      reason: 'ROUTE_FAILED',
    })
    expect(trail).toEqual(['rest TIMEOUT → next_route', 'graphql skipped: DEADLINE after TIMEOUT'])
  })

  test('nothing is sent when the time is up before the first attempt', async () => {
    const { outcome, trail, sent } = await loop.run(
      { rest: [], graphql: [] },
      { timeoutMs: POLICY.reserveMs },
    )
    expect(outcome).toMatchObject({ ok: false, failure: { code: 'TIMEOUT' }, route: null })
    expect(trail).toEqual([
      'rest skipped: DEADLINE after TIMEOUT',
      'graphql skipped: DEADLINE after TIMEOUT',
    ])
    expect(sent).toEqual([])
  })

  test('no retry begins when the backoff has used up the time', async () => {
    const { outcome, trail, sleeps } = await loop.run(
      { rest: [after(900, fails('SERVER'))] },
      { timeoutMs: 1_000, random: 1 },
    )
    expect(outcome).toMatchObject({ ok: false, failure: { code: 'SERVER' } })
    expect(trail).toEqual(['rest SERVER → retry_same'])
    expect(sleeps).toEqual([100])
  })

  test('an attempt gets a share of the time while another route is left, and the last gets the rest', async () => {
    const { sent } = await loop.run({
      rest: [after(10_000, fails('TIMEOUT'))],
      graphql: [answers()],
    })
    expect(sent.map(({ context }) => context.timeoutMs)).toEqual([
      POLICY.attemptTimeoutMs,
      POLICY.timeoutMs - 10_000 - POLICY.reserveMs,
    ])
  })
})

describe('shared fate', () => {
  const core = { pool: 'shop:core' }

  test('an exhausted pool rules out the routes that draw on it, and no other', async () => {
    const { outcome, trail } = await loop.run(
      { rest: [fails('RATE_LIMIT', { sharedFate: 'pool' })], graphql: [], cli: [answers()] },
      { routes: { rest: core, graphql: core } },
    )
    expect(outcome).toMatchObject({ ok: true, route: 'cli', reason: 'CARD_FALLBACK' })
    expect(trail).toEqual([
      'rest RATE_LIMIT → next_route',
      'graphql skipped: SHARED_FATE after RATE_LIMIT',
      'cli success',
    ])
  })

  test('an exhausted pool is left out of the next plan', async () => {
    const scene = loop.begin(
      { rest: [fails('RATE_LIMIT', { sharedFate: 'pool' })], graphql: [answers(), answers()] },
      { routes: { rest: core } },
    )
    await scene.run()
    const { outcome, trail } = await scene.run()
    expect(outcome).toMatchObject({ ok: true, reason: 'CARD_FALLBACK' })
    expect(trail).toEqual(['graphql success'])
  })

  test.each(['host', 'credential'] as const)(
    'a failure of the %s is that of every route',
    async sharedFate => {
      const { outcome, trail } = await loop.run({
        rest: [fails('AUTH', { sharedFate })],
        graphql: [],
        cli: [],
      })
      expect(outcome).toMatchObject({ ok: false, failure: { code: 'AUTH' }, route: 'rest' })
      expect(trail).toEqual([
        'rest AUTH → give_up',
        'graphql skipped: SHARED_FATE after AUTH',
        'cli skipped: SHARED_FATE after AUTH',
      ])
    },
  )

  test('a route is retried when every other shares its fate', async () => {
    const { trail, sleeps } = await loop.run({
      rest: [fails('NETWORK', { sharedFate: 'host' }), answers()],
      graphql: [],
    })
    expect(trail).toEqual(['rest NETWORK → retry_same', 'rest (retry 1) success'])
    expect(sleeps).toEqual([50])
  })
})

describe('an open circuit', () => {
  const isDue = { kind: 'open', until: 0, waitMs: 1 } as const

  test('is left to the gateway that holds its lease, while another route is left', async () => {
    const { outcome, trail } = await loop.run(
      { rest: [], graphql: [answers()] },
      {
        before: ({ breakers }) => {
          breakers.adopt('shop:rest', isDue)
          breakers.lease = { take: async () => false, release: () => {} }
        },
      },
    )
    expect(outcome).toMatchObject({ ok: true, route: 'graphql' })
    expect(trail).toEqual(['rest skipped: CIRCUIT_OPEN after SERVER', 'graphql success'])
  })

  test('is left to another request that began to probe it after the plan was made', async () => {
    const { trail } = await loop.run(
      { rest: [], graphql: [answers()] },
      {
        before: ({ breakers }) => breakers.adopt('shop:rest', isDue),
        meanwhile: ({ breakers }, clock) => breakers.begin('shop:rest', clock.now()),
      },
    )
    expect(trail).toEqual(['rest skipped: CIRCUIT_OPEN after SERVER', 'graphql success'])
  })

  test('is tried regardless when no other route is left', async () => {
    const { trail } = await loop.run(
      { rest: [answers()] },
      {
        before: ({ breakers }) => {
          breakers.adopt('shop:rest', isDue)
          breakers.lease = { take: async () => false, release: () => {} }
        },
      },
    )
    expect(trail).toEqual(['rest success'])
  })

  test('is closed by the probe that succeeds', async () => {
    const scene = loop.begin(
      { rest: [answers()], graphql: [] },
      { before: ({ breakers }) => breakers.adopt('shop:rest', isDue) },
    )
    const { trail } = await scene.run()
    expect(trail).toEqual(['rest success'])
    expect(scene.state.breakers.kindOf('shop:rest', scene.clock.now())).toBe('closed')
  })

  test('opens for twice as long when the probe fails', async () => {
    const scene = loop.begin(
      { rest: [fails('SERVER', { retryable: false })] },
      { before: ({ breakers }) => breakers.adopt('shop:rest', { ...isDue, waitMs: 5_000 }) },
    )
    await scene.run()
    const { breakers } = scene.state
    expect(breakers.openUntil('shop:rest', scene.clock.now())).toBe(BEGAN + 10_000)
  })
})
