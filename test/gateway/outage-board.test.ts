import { expect, onTestFinished, test, vi } from 'vitest'
import { OutageBoard, outagesOf } from '../../src/gateway/outages.ts'
import type { WorkerLink } from '../../src/gateway/workers/link.ts'
import { Channel } from '../../src/lib/channel.ts'

const AWAY = 'the shared state cannot be reached'
const BACK = 'the shared state can be reached again'

/** A primary process that logs, and some of its workers. */
function startBoard(workers: number) {
  const lines: unknown[][] = []
  const logger = { warn: (...words: unknown[]) => void lines.push(words) }
  const board = new OutageBoard(logger)
  const members = Array.from({ length: workers }, () => {
    const primary = new Channel({ send: () => {} })
    const worker = new Channel({ send: message => primary.receive(message) })
    const end = board.serve(primary)
    return { end, outages: outagesOf(logger, { channel: worker } as WorkerLink) }
  })
  return { board, members, lines: () => lines }
}

test('an outage that several workers and their primary process meet is one line, and its end another', () => {
  const { board, members, lines } = startBoard(2)
  const [one, other] = members
  const meeting = [board.own, one?.outages, other?.outages].map(of => of?.('state'))
  for (const outage of meeting) outage?.onAway(new Error('no connection'))
  expect(lines()).toEqual([[{ reason: 'no connection' }, AWAY]])
  for (const outage of meeting) {
    expect(lines()).toHaveLength(1)
    outage?.onBack()
  }
  expect(lines()).toEqual([[{ reason: 'no connection' }, AWAY], [BACK]])
})

test('an outage that several parts of one process meet is one line, and ends with the last of them', () => {
  const { board, lines } = startBoard(0)
  const single = outagesOf({ warn: (...words: unknown[]) => void lines().push(words) }, null)
  for (const outages of [board.own, single]) {
    lines().length = 0
    const [writer, housekeeping] = [outages('state'), outages('state')]
    writer?.onAway(new Error('full'))
    housekeeping?.onAway(new Error('full'))
    writer?.onBack()
    expect(lines()).toEqual([[{ reason: 'full' }, AWAY]])
    housekeeping?.onBack()
    expect(lines().at(-1)).toEqual([BACK])
  }
})

test('each store has lines of its own, and all addresses of a host that fail have their reasons', () => {
  const { members, lines } = startBoard(1)
  const outages = members[0]?.outages
  outages?.('state').onAway(new Error('no connection'))
  outages?.('keys').onAway(new AggregateError([new Error('refused'), new Error('no route')]))
  expect(lines().map(([facts]) => facts)).toEqual([
    { reason: 'no connection' },
    { reason: 'refused; no route' },
  ])
})

test('a worker that ends in an outage does not hide the next one', () => {
  const { members, lines } = startBoard(2)
  const [one, other] = members
  one?.outages('state').onAway(new Error('no connection'))
  one?.end()
  other?.outages('state').onAway(new Error('again'))
  other?.outages('state').onBack()
  expect(lines().map(words => words.at(-1))).toEqual([AWAY, AWAY, BACK])
})

const STORES = ['journal', 'keys', 'approvals', 'audit', 'state', 'traces'] as const

test.each(STORES)(
  'an outage of %s that comes and goes for minutes is a few lines, and the last says how often it came',
  store => {
    vi.useFakeTimers()
    onTestFinished(() => void vi.useRealTimers())
    const { members, lines } = startBoard(1)
    const outage = members[0]?.outages(store)
    const perMinute: number[] = []
    for (let minute = 0; minute < 5; minute++) {
      const before = lines().length
      for (let second = 0; second < 60; second++) {
        outage?.onAway(new Error('full'))
        outage?.onBack()
        vi.advanceTimersByTime(1_000)
      }
      perMinute.push(lines().length - before)
    }
    expect(perMinute).toEqual([3, 0, 0, 0, 0])
    vi.advanceTimersByTime(60_000)
    expect(lines()).toHaveLength(4)
    expect(lines().at(-1)?.[0]).toEqual({ outages: 299 })

    // After a while without a failure, the end of an outage is logged at once.
    vi.advanceTimersByTime(60_000)
    outage?.onAway(new Error('full'))
    outage?.onBack()
    expect(lines()).toHaveLength(6)
  },
)

test.each([5, 16, 21, 35, 50])(
  'an outage every %d seconds is five lines in the first minute at most, and fewer later',
  seconds => {
    vi.useFakeTimers()
    onTestFinished(() => void vi.useRealTimers())
    const { members, lines } = startBoard(1)
    const outage = members[0]?.outages('journal')
    const run = (ms: number) => {
      const before = lines().length
      for (let left = ms; left > 0; left -= 1_000 * seconds) {
        outage?.onAway(new Error('full'))
        outage?.onBack()
        vi.advanceTimersByTime(1_000 * seconds)
      }
      return lines().length - before
    }
    expect(run(60_000)).toBeLessThanOrEqual(5)
    expect(run(600_000)).toBeLessThanOrEqual(20)
  },
)
