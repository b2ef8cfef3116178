import { afterAll, describe, expect, test } from 'vitest'
import type { FollowUp } from '../../src/model/card.ts'
import {
  after,
  answers,
  BEGAN,
  fails,
  openLoop,
  type Scripted,
  SETTLES_MS,
} from '../support/plan-loop.ts'

const loop = await openLoop()
afterAll(() => loop[Symbol.asyncDispose]())

const write = { card: { effect: 'write' } } as const
const lost = fails('SERVER', { writeOutcome: 'unknown' })
const made = { id: 5, created_at: new Date(BEGAN).toISOString() }
const nothing = answers({ items: [] })
const list = (...items: readonly unknown[]): Scripted => answers({ items })

describe('a write', () => {
  test('that surely did nothing goes to the next route', async () => {
    const { outcome, trail } = await loop.run(
      { rest: [fails('SERVER', { writeOutcome: 'not_applied' })], graphql: [answers()] },
      write,
    )
    expect(outcome).toMatchObject({ ok: true, route: 'graphql', reason: 'CARD_FALLBACK' })
    expect(trail).toEqual(['rest SERVER → next_route', 'graphql success'])
  })

  test('that may have been applied is not sent again when the card cannot verify it', async () => {
    const { outcome, trail, attempts } = await loop.run({ rest: [lost], graphql: [] }, write)
    expect(outcome).toMatchObject({
      ok: false,
      failure: { code: 'SERVER', writeOutcome: 'unknown' },
      route: 'rest',
      reason: 'WRITE_OUTCOME_UNKNOWN',
    })
    expect(trail).toEqual(['rest SERVER → give_up'])
    expect(attempts[0]).toMatchObject({ write_outcome: 'unknown' })
  })

  test('that was applied, but whose answer cannot be used, is not looked for', async () => {
    const { outcome, trail } = await loop.run(
      { rest: [answers({})], graphql: [] },
      {
        card: { effect: 'write', checkOutput: () => [{ path: 'id', message: 'is missing' }] },
        reads: [],
      },
    )
    expect(outcome).toMatchObject({
      ok: false,
      failure: { code: 'OUTPUT_INVALID', writeOutcome: 'applied' },
      reason: 'OUTPUT_VALIDATION',
    })
    expect(trail).toEqual(['rest OUTPUT_INVALID → give_up'])
  })

  test('that is idempotent is repeated even when its outcome is unknown', async () => {
    const { outcome, trail } = await loop.run(
      { rest: [lost, answers()] },
      { card: { effect: 'idempotent' } },
    )
    expect(outcome).toMatchObject({ ok: true })
    expect(trail).toEqual(['rest SERVER → retry_same', 'rest (retry 1) success'])
  })

  test('keeps a third of its time for finding out what it did', async () => {
    const { sent } = await loop.run(
      { rest: [answers()] },
      { ...write, reads: [], timeoutMs: 6_020 },
    )
    expect(sent.map(({ context }) => context.timeoutMs)).toEqual([4_000])
  })
})

describe('a write of unknown outcome that the card can verify', () => {
  test('is recovered when the read finds what it made', async () => {
    const { outcome, trail, attempts, verdicts, sleeps } = await loop.run(
      { rest: [lost], graphql: [] },
      { ...write, reads: [list({ ...made, more: 'than the write gives' })] },
    )
    expect(outcome).toEqual({ ok: true, data: { id: 5 }, route: 'rest', reason: 'RECOVERED' })
    expect(trail).toEqual(['rest SERVER → verify', 'verify by rest success'])
    expect(attempts[1]).toMatchObject({ purpose: 'verify', capability_id: 'thing.list' })
    expect(verdicts).toEqual(['found'])
    expect(sleeps).toEqual([])
  })

  test('is recovered with a warning for each step that was to follow it', async () => {
    const step = { name: 'labels', purpose: 'set the labels', when: null } as FollowUp
    const { warnings } = await loop.run(
      { rest: [lost] },
      { ...write, reads: [list(made)], routes: { rest: { followUps: [step] } } },
    )
    expect(warnings).toMatchObject([{ code: 'STEP_NOT_DONE', details: { step: 'labels' } }])
  })

  test('goes to the next route when it is still absent after it had time to settle', async () => {
    const { outcome, trail, verdicts, sleeps } = await loop.run(
      { rest: [lost], graphql: [answers()] },
      { ...write, reads: [nothing, nothing] },
    )
    expect(outcome).toMatchObject({ ok: true, route: 'graphql', reason: 'CARD_FALLBACK' })
    expect(trail).toEqual([
      'rest SERVER → verify',
      'verify by rest success',
      'verify by rest success',
      'graphql success',
    ])
    expect(verdicts).toEqual(['absent'])
    expect(sleeps).toEqual([SETTLES_MS])
  })

  test('is found when it shows up while it settles', async () => {
    const { outcome, sleeps } = await loop.run(
      { rest: [lost] },
      { ...write, reads: [nothing, list(made)] },
    )
    expect(outcome).toMatchObject({ ok: true, reason: 'RECOVERED' })
    expect(sleeps).toEqual([SETTLES_MS])
  })

  test('is sent again by the last route when it is absent', async () => {
    const { outcome, trail, sleeps } = await loop.run(
      { rest: [lost, answers()] },
      { ...write, reads: [nothing, nothing] },
    )
    expect(outcome).toMatchObject({ ok: true, route: 'rest' })
    expect(trail.at(-1)).toBe('rest (retry 1) success')
    expect(sleeps).toEqual([SETTLES_MS, 50])
  })

  test('is reported as not applied when it is absent and cannot be sent again', async () => {
    const { outcome } = await loop.run(
      { rest: [fails('SERVER', { writeOutcome: 'unknown', retryable: false })] },
      { ...write, reads: [nothing, nothing] },
    )
    expect(outcome).toMatchObject({
      ok: false,
      failure: { writeOutcome: 'not_applied' },
      reason: 'ROUTE_FAILED',
    })
  })

  test('stays unknown when the read fails', async () => {
    const { outcome, trail, verdicts } = await loop.run(
      { rest: [lost], graphql: [] },
      { ...write, reads: [fails('NOT_FOUND')] },
    )
    expect(outcome).toMatchObject({
      ok: false,
      failure: { code: 'SERVER', writeOutcome: 'unknown' },
      route: 'rest',
      reason: 'WRITE_OUTCOME_UNKNOWN',
    })
    expect(trail).toEqual(['rest SERVER → verify', 'verify by rest NOT_FOUND → give_up'])
    expect(verdicts).toEqual(['unknown'])
  })

  test('stays unknown when the read leaves something out', async () => {
    const inPart: Scripted = moment => {
      const reply = nothing(moment)
      const warning = { code: 'PARTIAL_RESULTS', message: 'One is left out.' } as const
      return reply.ok ? { ...reply, warnings: [warning] } : reply
    }
    const { outcome, verdicts } = await loop.run(
      { rest: [lost], graphql: [] },
      { ...write, reads: [inPart] },
    )
    expect(outcome).toMatchObject({ ok: false, reason: 'WRITE_OUTCOME_UNKNOWN' })
    expect(verdicts).toEqual(['unknown'])
  })

  test('stays unknown when two objects could be the one it made', async () => {
    const { outcome } = await loop.run(
      { rest: [lost], graphql: [] },
      { ...write, reads: [list(made, { ...made, id: 6 }), list(made, { ...made, id: 6 })] },
    )
    expect(outcome).toMatchObject({ ok: false, reason: 'WRITE_OUTCOME_UNKNOWN' })
  })

  test('stays unknown when the deadline leaves no time to settle', async () => {
    const { outcome, sleeps } = await loop.run(
      { rest: [after(600, lost)], graphql: [] },
      { ...write, reads: [nothing], timeoutMs: 2_000 },
    )
    expect(outcome).toMatchObject({ ok: false, reason: 'WRITE_OUTCOME_UNKNOWN' })
    expect(sleeps).toEqual([])
  })
})

describe('a caller who leaves', () => {
  const leaving =
    (reply: Scripted): Scripted =>
    moment => {
      moment.leave()
      return reply(moment)
    }

  test('ends a read at once', async () => {
    const { outcome, trail, sent } = await loop.run({
      rest: [leaving(fails('CANCELLED'))],
      graphql: [],
    })
    expect(outcome).toMatchObject({ ok: false, failure: { code: 'CANCELLED' } })
    expect(trail).toEqual(['rest CANCELLED → give_up'])
    expect(sent[0]?.context.signal.aborted).toBe(true)
  })

  test('during a backoff is not served any further', async () => {
    const { outcome, trail } = await loop.run(
      { rest: [fails('SERVER')] },
      { whileWaiting: ({ leave }) => leave() },
    )
    expect(outcome).toMatchObject({ ok: false, failure: { code: 'SERVER' } })
    expect(trail).toEqual(['rest SERVER → retry_same'])
  })

  test('does not cut off a write that is under way', async () => {
    const { outcome, sent } = await loop.run({ rest: [leaving(answers())] }, write)
    expect(outcome).toMatchObject({ ok: true })
    expect(sent[0]?.context.signal.aborted).toBe(false)
  })

  test('does not stop a write of unknown outcome from being looked for', async () => {
    const { outcome } = await loop.run(
      { rest: [leaving(lost)] },
      { ...write, reads: [nothing, list(made)] },
    )
    expect(outcome).toMatchObject({ ok: true, reason: 'RECOVERED' })
  })

  test('gets no further attempt at a write that did nothing', async () => {
    const { trail } = await loop.run({ rest: [leaving(fails('SERVER'))], graphql: [] }, write)
    expect(trail).toEqual(['rest SERVER → give_up'])
  })
})
