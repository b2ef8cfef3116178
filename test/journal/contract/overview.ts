import { afterEach, describe, expect, test } from 'vitest'
import { type CircuitSample, minuteOf, type QuotaSample } from '../../../src/journal/history.ts'
import type { Journal, JournalFilter } from '../../../src/journal/journal.ts'
import type { StatsTotal } from '../../../src/journal/row-schemas.ts'
import type { Attempt } from '../../../src/model/envelope.ts'
import { REQUEST_OUTCOMES } from '../../../src/model/request-outcome.ts'
import { FALLBACKS } from '../fallbacks.ts'
import {
  FAILED,
  GRAPHQL,
  type RecordOptions,
  recordOf,
  SKIPPED,
  SUCCESS,
  VERIFYING,
} from '../records.ts'

const MINUTE = 60_000
const DAY = 24 * 60 * MINUTE
/** Yesterday, because housekeeping deletes old counters. */
const BASE = Math.floor(Date.now() / DAY - 1) * DAY
const FILTER = { since: BASE, until: BASE + DAY, bucketMs: 15 * MINUTE }

const RETRIED = [{ ...FAILED, next: 'retry_same' }, FAILED, GRAPHQL] as const satisfies Attempt[]
const QUOTA = { route: 'rest', status: 'skipped', reason: 'QUOTA_EXHAUSTED' } as const

const SHARED = { how: 'coalesced', request_id: 'other', borrowed: true } as const

/** Every way in which a request can end, with the outcome that counts it. */
const KINDS: readonly [name: string, outcome: string, record: RecordOptions][] = [
  ['a success', 'first_try', {}],
  ['an answer from memory', 'first_try', { attempts: [], reason: 'CACHE_HIT' }],
  ['a retry', 'later_try', { attempts: [FAILED, SUCCESS] }],
  ['a fallback after a retry', 'later_try', { attempts: RETRIED, reason: 'CARD_FALLBACK' }],
  ['a skipped route', 'later_try', { attempts: [QUOTA, GRAPHQL], reason: 'CARD_FALLBACK' }],
  [
    'a shared fallback',
    'later_try',
    { attempts: RETRIED, answerFrom: SHARED, reason: 'COALESCED' },
  ],
  ['a verified write', 'later_try', { attempts: [FAILED, VERIFYING], reason: 'RECOVERED' }],
  ['a failure', 'failed', { attempts: [FAILED, FAILED], error: {}, reason: 'ROUTE_FAILED' }],
  ['no route', 'failed', { attempts: [QUOTA, SKIPPED], error: {}, reason: 'ROUTE_FAILED' }],
  [
    'a refusal',
    'refused',
    { attempts: [], error: { code: 'VALIDATION' }, reason: 'INPUT_VALIDATION' },
  ],
]

/** The numbers of the overview, in any database. `open` returns an empty journal. */
export function describeOverview(name: string, open: () => Promise<Journal>): void {
  const opened: Journal[] = []
  afterEach(async () => {
    for (const journal of opened.splice(0)) await journal.close()
  })
  const openWith = async (records: readonly RecordOptions[]) => {
    const journal = await open()
    opened.push(journal)
    for (const record of records) await journal.append(recordOf({ time: BASE, ...record }))
    return journal
  }
  const listed = async (journal: Journal, filter: JournalFilter) =>
    (await journal.requests(filter, { limit: 100 })).items.length

  describe(`the overview in ${name}`, () => {
    test.each(KINDS)(
      'counts %s as %s, and the list finds it so',
      async (_name, outcome, record) => {
        const journal = await openWith([record])
        const { totals, timeline } = await journal.stats(FILTER)

        const expected = REQUEST_OUTCOMES.map(one => [one, Number(one === outcome)])
        expect(Object.entries(ofRequests(totals)?.outcomes ?? {})).toEqual(expected)
        expect(timeline).toEqual([
          { time: new Date(BASE).toISOString(), ...Object.fromEntries(expected) },
        ])
        const found = REQUEST_OUTCOMES.map(async one => [
          one,
          await listed(journal, { outcome: one }),
        ])
        expect(await Promise.all(found)).toEqual(expected)
      },
    )

    test('counts on each route as many requests as the list finds', async () => {
      const journal = await openWith(KINDS.map(([, , record]) => record))
      const { totals } = await journal.stats(FILTER)

      const counted = Object.fromEntries(
        totals.filter(row => row.route && !row.purpose).map(row => [row.route, row.requests]),
      )
      expect(counted).toEqual({
        rest: { tried: 5, failed: 4, skipped: 2 },
        graphql: { tried: 2, failed: 0, skipped: 0 },
        cli: { tried: 0, failed: 0, skipped: 1 },
      })
      for (const route of ['rest', 'graphql', 'cli'] as const) {
        expect({
          tried: await listed(journal, { tried: route }),
          failed: await listed(journal, { failed_on: route }),
          skipped: await listed(journal, { skipped_on: route }),
        }).toEqual(counted[route])
      }
    })

    test('counts as many fallbacks of a route as the list of attempts finds', async () => {
      const journal = await openWith(
        FALLBACKS.map(([caller, attempts]) => ({
          caller,
          attempts,
          capability_id: 'issue.create',
        })),
      )
      for (const [caller, attempts, fallbacks] of FALLBACKS) {
        const { totals } = await journal.stats({ ...FILTER, caller })
        const counted = totals.find(({ route, purpose }) => route === 'rest' && !purpose)
        const found = await journal.attempts({ caller, moved_on: true }, { limit: 100 })
        const others = await journal.attempts({ caller, moved_on: false }, { limit: 100 })
        expect({
          caller,
          counted: counted?.fallbacks,
          found: found.items.map(({ index }) => index),
          others: others.items.length,
        }).toEqual({
          caller,
          counted: fallbacks,
          found: fallbacks === 0 ? [] : [0],
          others: attempts.length - fallbacks,
        })
      }
    })

    test('counts the reasons of requests and of skipped routes, each once a request', async () => {
      const journal = await openWith(KINDS.map(([, , record]) => record))

      expect(ofRequests((await journal.stats(FILTER)).totals)).toMatchObject({
        count: 10,
        success: 7,
        codes: { SERVER: 2, VALIDATION: 1 },
        reasons: {
          CACHE_HIT: 1,
          CARD_FALLBACK: 2,
          CLI_NOT_AVAILABLE: 1,
          COALESCED: 1,
          INPUT_VALIDATION: 1,
          QUOTA_EXHAUSTED: 2,
          RECOVERED: 1,
          ROUTE_FAILED: 2,
        },
      })
    })

    test('adds up capabilities in its timeline, and leaves out series that nobody asked for', async () => {
      const journal = await openWith([
        {},
        { capability_id: 'pr.list', time: BASE + MINUTE },
        { capability_id: 'pr.list', time: BASE + 20 * MINUTE, attempts: [FAILED], error: {} },
        { caller: 'ci', time: BASE + 20 * MINUTE, attempts: [], error: {} },
      ])
      const numbers = async (filter: object) => {
        const { timeline, totals, buckets } = await journal.stats({
          ...FILTER,
          totalsOnly: true,
          ...filter,
        })
        const bars = timeline.map(row => REQUEST_OUTCOMES.map(name => row[name]).join(' '))
        return { bars, requests: totals.map(({ count }) => count), buckets }
      }

      expect(await numbers({})).toEqual({
        bars: ['2 0 0 0', '0 0 1 1'],
        requests: [2, 2, 2, 1],
        buckets: [],
      })
      expect(await numbers({ caller: 'ci' })).toMatchObject({ bars: ['0 0 0 1'] })
      expect(await numbers({ capabilities: ['pr.list', 'none'] })).toMatchObject({
        bars: ['1 0 0 0', '0 0 1 0'],
        requests: [2, 2],
      })
      expect(await numbers({ capabilities: [] })).toMatchObject({ bars: [], requests: [] })
      expect(await numbers({ until: BASE + 15 * MINUTE })).toMatchObject({ bars: ['2 0 0 0'] })
    })

    test('merges what several gateways know of an upstream, in any order', async () => {
      const journal = await openWith([])
      const both = [
        { quotas: [quota(3, 40)], circuits: [circuit(0, 2)] },
        { quotas: [quota(1, 90), quota(61, 20)], circuits: [circuit(0, 1), circuit(60, 1)] },
      ]
      for (const rows of [...both, ...both]) await journal.noteUpstreams(rows)
      const filter = { upstream: 'github', since: BASE, until: BASE + DAY, bucketMs: MINUTE }

      const at = (seconds: number) => new Date(BASE + seconds * 1000).toISOString()
      const report = { limit: 100, reset_at: at(600) }
      expect(await journal.upstreamHistory(filter)).toEqual({
        since: at(0),
        until: new Date(BASE + DAY).toISOString(),
        bucket_ms: MINUTE,
        quotas: [
          {
            pool: 'github:core',
            credential: 'github:default',
            points: [
              { time: at(0), remaining: 40, ...report },
              { time: at(60), remaining: 20, ...report },
            ],
          },
        ],
        circuits: [
          {
            route: 'rest',
            points: [
              { time: at(0), state: 'open', minutes: 1 },
              { time: at(60), state: 'half_open', minutes: 1 },
            ],
          },
        ],
      })
      const wide = await journal.upstreamHistory({ ...filter, bucketMs: 15 * MINUTE })
      expect(wide.quotas[0]?.points).toMatchObject([{ time: at(0), remaining: 20 }])
      expect(wide.circuits[0]?.points).toEqual([{ time: at(0), state: 'open', minutes: 2 }])
      for (const nothing of [{ upstream: 'npm' }, { since: BASE + 10 * MINUTE }]) {
        const found = await journal.upstreamHistory({ ...filter, ...nothing })
        expect(found).toMatchObject({ quotas: [], circuits: [] })
      }
    })
  })
}

/** Known some seconds after the beginning. */
function quota(seconds: number, remaining: number): QuotaSample {
  const at = BASE + seconds * 1000
  return {
    upstream: 'github',
    bucket: minuteOf(at),
    pool: 'github:core',
    credential: 'github:default',
    at,
    remaining,
    quota_limit: 100,
    reset_at: BASE + 10 * MINUTE,
  }
}

function circuit(seconds: number, state: number): CircuitSample {
  return { upstream: 'github', bucket: minuteOf(BASE + seconds * 1000), route: 'rest', state }
}

function ofRequests(totals: readonly StatsTotal[]): StatsTotal | undefined {
  return totals.find(({ route }) => route === null)
}
