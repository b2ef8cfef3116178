import { expect, test } from 'vitest'
import { readWindow, timeAround } from '../../inspector/web/model/time-window.js'

const MINUTE = 60_000
const NOW = Date.parse('2026-03-02T12:00:00Z')
const minutesAgo = (minutes: number) => new Date(NOW - minutes * MINUTE).toISOString()

test.each([
  ['a range of minutes', { since: minutesAgo(30), until: minutesAgo(10) }, '1h', true],
  ['a range of hours', { since: minutesAgo(240), until: minutesAgo(10) }, '6h', true],
  ['a range of days', { since: minutesAgo(4000), until: minutesAgo(10) }, '7d', true],
  [
    'a range that no span has room for',
    { since: minutesAgo(40_000), until: minutesAgo(0) },
    '1h',
    false,
  ],
  [
    'a span that is too short',
    { span: '1h', since: minutesAgo(240), until: minutesAgo(10) },
    '1h',
    false,
  ],
  ['no times', {}, '1h', false],
])('an address with %s is about the span that it needs', (_what, query, name, isSelected) => {
  const time = readWindow(new URLSearchParams(query as Record<string, string>), NOW)
  expect({ name: time.name, isSelected: time.selected !== null }).toEqual({ name, isSelected })
})

test.each([
  ['a moment', 0],
  ['half an hour', 30],
  ['two hours', 120],
  ['a month', 45_000],
])('a page that is opened for an event of %s ago shows it', (_when, minutes) => {
  const time = minutesAgo(minutes)
  const { window, selected, isWrong } = readWindow(timeAround(time, NOW), NOW)
  const { since, until } = selected ?? window
  expect(isWrong).toBe(false)
  expect(since <= Date.parse(time) && Date.parse(time) <= until).toBe(true)
})
