import { beforeAll, describe, expect, test } from 'vitest'
import {
  formatAxisTime,
  formatCounted,
  formatFullTime,
  formatLoaded,
  formatMinute,
  formatShortTime,
} from '../../inspector/web/lib/format.js'
import { toggleZone, zone, zoneName } from '../../inspector/web/lib/zone.js'

test.each([
  [0, '0 requests', '0+ requests'],
  [1, '1 request', '1+ requests'],
  [2, '2 requests', '2+ requests'],
  [1200, '1,200 requests', '1,200+ requests'],
])('%i requests are named in the right number', (count, all, begun) => {
  expect(formatCounted(count, 'request')).toBe(all)
  expect(formatLoaded(count, 'request', false)).toBe(all)
  expect(formatLoaded(count, 'request', true)).toBe(begun)
})

/** The first days of all months, and the ends of a day and of a year. */
const TIMES = [
  ...Array.from({ length: 12 }, (_, month) => new Date(Date.UTC(2026, month, 1, 9, 5, 7, 42))),
  new Date('2026-12-31T23:59:59.999Z'),
  new Date('2024-02-29T00:00:00.000Z'),
]

describe.each(['local', 'UTC'])('times in %s', wanted => {
  beforeAll(() => {
    if (zone.state.utc !== (wanted === 'UTC')) toggleZone()
  })
  const timeZone = wanted === 'UTC' ? { timeZone: 'UTC' } : {}
  const british = (at: Date, options: Intl.DateTimeFormatOptions) =>
    new Intl.DateTimeFormat('en-GB', { ...options, ...timeZone }).format(at)

  test.each(TIMES)('are written as in Britain: %o', at => {
    const date = british(at, { dateStyle: 'medium' })
    const day = british(at, { day: 'numeric', month: 'short' })
    const clock = british(at, { timeStyle: 'medium' })
    const minute = british(at, { timeStyle: 'short' })
    const time = at.toISOString()
    const ms = time.slice(20, 23)
    expect(formatFullTime(time)).toBe(`${date}, ${clock}.${ms} ${zoneName(at)}`)
    expect(formatShortTime(time)).toBe(`${day}, ${clock}`)
    expect(formatMinute(time)).toBe(`${date}, ${minute}`)
    expect([formatAxisTime(at.getTime(), 0), formatAxisTime(at.getTime(), 1e9)]).toEqual([
      minute,
      day,
    ])
  })

  test('have no date if they are of today', () => {
    const now = new Date()
    expect(formatShortTime(now.toISOString())).toBe(british(now, { timeStyle: 'medium' }))
  })

  test('name their zone', () => {
    const name = british(new Date(), { hour: 'numeric', timeZoneName: 'shortOffset' })
    expect(zoneName()).toBe(
      name
        .split(' ')
        .at(-1)
        ?.replace(/^GMT(?:\+0$)?/, 'UTC'),
    )
  })
})
