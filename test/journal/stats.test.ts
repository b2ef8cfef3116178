import { describe, expect, test } from 'vitest'
import { BINS, binOf, percentile } from '../../src/journal/stats/histogram.ts'
import { FAILED, recordOf, SUCCESS } from './records.ts'
import { openJournal } from './support.ts'

const MINUTE = 60_000
/** Yesterday, because housekeeping deletes old counters. */
const BASE = Math.floor(Date.now() / (24 * 60 * MINUTE) - 1) * 24 * 60 * MINUTE
const DAY = { since: BASE, until: BASE + 24 * 60 * MINUTE, bucketMs: 15 * MINUTE }

describe('a percentile read from the histogram', () => {
  test.each([0.5, 0.9, 0.95, 0.99])('is within a tenth of the exact one: %s', share => {
    const values = Array.from({ length: 5000 }, (_, n) => 0.8 * 1.0015 ** n)
    const exact = values[Math.ceil(share * values.length) - 1] ?? 0

    expect(Math.abs((percentile(durationsOf(values), share) ?? 0) / exact - 1)).toBeLessThan(0.1)
  })

  test('of equal durations is that duration', () => {
    expect(percentile(durationsOf([201, 201, 201]), 0.5)).toBe(201)
    expect(percentile(durationsOf([0.3]), 0.99)).toBe(0.3)
    expect(percentile(durationsOf([500_000]), 0.99)).toBe(500_000)
  })

  test('of no durations is null', () => {
    expect(percentile(durationsOf([]), 0.5)).toBeNull()
  })
})

describe('stats', () => {
  test('count requests by capability, and attempts by route', async () => {
    const { journal } = openJournal()
    const fallback = [FAILED, { ...SUCCESS, route: 'graphql', duration_ms: 40 } as const]
    await journal.append(recordOf({ time: BASE + 1000 }))
    await journal.append(
      recordOf({ time: BASE + 2000, attempts: fallback, reason: 'CARD_FALLBACK' }),
    )
    await journal.append(recordOf({ time: BASE + 3000, attempts: [FAILED], error: {} }))

    const { totals } = await journal.stats(DAY)

    const common = { time: new Date(BASE).toISOString(), capability_id: 'repo.view' }
    expect(totals).toEqual([
      {
        ...common,
        route: null,
        purpose: null,
        count: 3,
        success: 2,
        outcomes: { first_try: 1, later_try: 1, failed: 1, refused: 0 },
        success_rate: 0.6667,
        skipped: 0,
        fallbacks: 1,
        fallback_rate: 0.3333,
        codes: { SERVER: 1 },
        p50_ms: 13.1,
        p95_ms: 13.1,
        p99_ms: 13.1,
        reasons: { CARD_FALLBACK: 1 },
        requests: null,
      },
      expect.objectContaining({ route: 'graphql', count: 1, success: 1, p50_ms: 40 }),
      expect.objectContaining({
        ...common,
        route: 'rest',
        count: 3,
        success: 1,
        fallbacks: 1,
        codes: { SERVER: 2 },
      }),
    ])
  })

  test('come in buckets, without the empty ones', async () => {
    const { journal } = openJournal()
    for (const minute of [1, 16, 17, 200])
      await journal.append(recordOf({ time: BASE + minute * MINUTE }))

    const { buckets } = await journal.stats({ ...DAY, route: 'rest' })
    expect(buckets.map(({ time, count }) => [time.slice(11, 16), count])).toEqual([
      ['00:00', 1],
      ['00:15', 2],
      ['03:15', 1],
    ])
  })

  test.each([1, 5, 15, 60, 360, 1440])(
    'add up to the same in buckets of %i minutes',
    async minutes => {
      const { journal } = openJournal()
      for (let n = 0; n < 20; n++) await journal.append(recordOf({ time: BASE + n * 7 * MINUTE }))

      const { totals, buckets } = await journal.stats({ ...DAY, bucketMs: minutes * MINUTE })

      expect(totals.map(({ count }) => count)).toEqual([20, 20])
      expect(buckets.reduce((sum, { count }) => sum + count, 0)).toBe(40)
    },
  )

  test('count a skipped route apart from those that ran', async () => {
    const { journal } = openJournal()
    const skip = { route: 'cli', status: 'skipped', error_code: 'SERVER' } as const
    await journal.append(recordOf({ time: BASE, attempts: [skip, SUCCESS] }))

    const { totals } = await journal.stats({ ...DAY, route: 'cli' })
    expect(totals).toMatchObject([{ count: 0, success_rate: null, skipped: 1, codes: {} }])
  })

  test('count an attempt once, even if several requests shared it', async () => {
    const { journal } = openJournal()
    await journal.append(recordOf({ time: BASE }))
    await journal.append(
      recordOf({ time: BASE, answerFrom: { how: 'coalesced', request_id: 'one', borrowed: true } }),
    )

    const { totals } = await journal.stats(DAY)

    expect(totals.map(({ route, count }) => [route, count])).toEqual([
      [null, 2],
      ['rest', 1],
    ])
    expect((await journal.attempts({}, { limit: 10 })).items).toHaveLength(1)
  })

  test('of one caller leave out the others', async () => {
    const { journal } = openJournal()
    await journal.append(recordOf({ time: BASE, caller: 'alice' }))
    await journal.append(recordOf({ time: BASE, caller: 'bob' }))

    const { totals } = await journal.stats({ ...DAY, caller: 'alice' })
    expect(totals.map(({ count }) => count)).toEqual([1, 1])
  })

  test('survive a restart', async () => {
    const first = openJournal()
    await first.journal.append(recordOf({ time: BASE }))
    await first.journal.close()

    const { journal } = openJournal({ file: first.file })
    await journal.append(recordOf({ time: BASE }))

    expect((await journal.stats(DAY)).totals.map(({ count }) => count)).toEqual([2, 2])
  })
})

function durationsOf(values: readonly number[]) {
  const bins = Array.from({ length: BINS }, () => 0)
  for (const value of values) bins[binOf(value)] = (bins[binOf(value)] ?? 0) + 1
  return { bins, min: Math.min(...values), max: Math.max(...values) }
}
