import { afterEach, describe, expect, test } from 'vitest'
import type { Journal, JournalFilter } from '../../../src/journal/journal.ts'
import type {
  AttemptRow,
  LiveRow,
  RequestRow,
  TrailStep,
} from '../../../src/journal/row-schemas.ts'
import type { Payloads } from '../../../src/journal/rows.ts'
import type { AnswerFrom } from '../../../src/model/answer-from.ts'
import {
  appendThree,
  FAILED,
  GRAPHQL,
  type RecordOptions,
  recordOf,
  SKIPPED,
  VERIFYING,
} from '../records.ts'

const MINUTE = 60_000
const DAY = 24 * 60 * MINUTE
/** Yesterday, because housekeeping deletes old counters. */
const BASE = Math.floor(Date.now() / DAY - 1) * DAY

/** The behaviour of a journal in any database. `open` returns an empty one. */
export function describeJournal(
  name: string,
  open: (options?: { payloads?: Payloads }) => Promise<Journal>,
): void {
  const opened: Journal[] = []
  const openEmpty = async (options?: { payloads?: Payloads }) => {
    const journal = await open(options)
    opened.push(journal)
    return journal
  }
  afterEach(async () => {
    for (const journal of opened.splice(0)) await journal.close()
  })

  describe(`a journal in ${name}`, () => {
    test('returns a request as it was answered', async () => {
      const journal = await openEmpty()
      const record = recordOf({ attempts: [FAILED], error: { write_outcome: 'not_applied' } })
      await journal.append(record)

      expect(await journal.request(record.request_id)).toMatchObject({
        request_id: record.request_id,
        time: new Date(record.time).toISOString(),
        ok: false,
        code: 'SERVER',
        duration_ms: 13.1,
        write_outcome: 'not_applied',
        error: record.envelope.error,
        meta: record.envelope.meta,
        input: null,
      })
      expect(await journal.request(record.request_id, 'somebody else')).toBeNull()
    })

    test.each([
      ['keeps', { timeout_ms: 500, route: 'rest' }, { timeout_ms: 500, route: 'rest' }],
      ['drops, of an older version,', { timeout_ms: 499.7, route: 'rest' }, { route: 'rest' }],
      ['drops alone', { timeout_ms: 499.7 }, null],
    ] as const)(
      '%s the time %j that a caller gave or could not give',
      async (_, options, shown) => {
        const journal = await openEmpty()
        await journal.append(recordOf({ request_id: 'one', options }))
        expect((await journal.request('one'))?.options).toEqual(shown)
      },
    )

    test.each(['\0', 'a\0b', '\ud800', "'", '%', '\\', '😀', 'a'.repeat(10_000)])(
      'finds nothing under the strange name %j',
      async name => {
        const journal = await openEmpty()
        await journal.append(recordOf({ attempts: [FAILED, SKIPPED] }))
        const page = { limit: 10 }
        for (const filter of [
          { capability: name },
          { caller: name },
          { correlation_id: name },
          { batch_id: name },
        ]) {
          expect((await journal.requests(filter, page)).items).toEqual([])
        }
        for (const filter of [{ capability: name }, { caller: name }]) {
          const position = '0-0'
          expect((await journal.attempts(filter, page)).items).toEqual([])
          expect(await journal.missed(filter, position, 10)).toEqual([])
          const { totals } = await journal.stats({
            since: 0,
            until: BASE,
            bucketMs: DAY,
            ...filter,
          })
          expect(totals).toEqual([])
        }
        expect(await journal.request(name)).toBe(null)
        expect(await journal.request(name, name)).toBe(null)
      },
    )

    test('summarises the attempts in its list, and for watchers', async () => {
      const journal = await openEmpty()
      const live: RequestRow[] = []
      const stop = journal.watch(({ row }) => live.push(row))
      const skipped = { route: 'cli', status: 'skipped', reason: 'CLI_NOT_AVAILABLE' } as const
      const borrowed = {
        answerFrom: SHARED,
        attempts: [FAILED, skipped, { ...GRAPHQL, purpose: 'verify' }],
      } as const
      await journal.append(recordOf({ request_id: 'two', time: 2, ...borrowed }))
      await journal.append(recordOf({ request_id: 'one', time: 1, attempts: [] }))
      stop()

      const { items } = await journal.requests({}, { limit: 10 })
      expect(live.toSorted((a, b) => b.time.localeCompare(a.time))).toEqual(items)
      expect(items.map(row => row.trail)).toEqual([
        [
          step('rest', 'error', { code: 'SERVER', duration_ms: 20.5 }),
          step('cli', 'skipped', { reason: 'CLI_NOT_AVAILABLE' }),
          step('graphql', 'success', { duration_ms: 12.4, purpose: 'verify' }),
        ],
        [],
      ])
    })

    test.each<[string, RecordOptions, AnswerFrom | null]>([
      ['as recorded', { answerFrom: SHARED }, SHARED],
      ['not, for an answer of its own', {}, null],
      [
        'as far as its reason tells, for a record of an older version',
        { reason: 'CACHE_HIT' },
        { how: 'memory', request_id: null, borrowed: false },
      ],
    ])('tells which request an answer comes from: %s', async (_case, options, told) => {
      const journal = await openEmpty()
      await journal.append(recordOf({ ...options, request_id: 'one' }))
      expect(await journal.request('one')).toMatchObject({ answer_from: told })
    })

    test('keeps payloads without secrets if configured to', async () => {
      const journal = await openEmpty({ payloads: 'redacted' })
      await journal.append(recordOf({ request_id: 'one', input: { token: 'hunter2', name: 'x' } }))

      expect(await journal.request('one')).toMatchObject({
        input: { token: '[redacted]', name: 'x' },
      })
    })

    test.each<[JournalFilter, string, string]>([
      [{}, 'c b a', 'c0 b1 b0 a0'],
      [{ capability: 'pr.list' }, 'c', 'c0'],
      [{ ok: true }, 'b a', 'b1 a0'],
      [{ ok: false }, 'c', 'b0'],
      [{ code: 'SERVER' }, 'c', 'b0'],
      [{ route: 'graphql' }, 'b', 'b1'],
      [{ caller: 'ci' }, 'b', 'b1 b0'],
      [{ since: 2000, until: 3000 }, 'b', 'b1 b0'],
      [{ caller: 'ci', ok: true, capability: 'repo.view' }, 'b', 'b1'],
      [{ caller: 'nobody' }, '', ''],
      [{ ok: true, code: 'SERVER' }, '', ''],
    ])('filters both lists by %j', async (filter, requests, attempts) => {
      const journal = await openEmpty()
      await appendThree(journal)

      const listed = await journal.requests(filter, { limit: 10 })
      expect(listed.items.map(row => row.request_id).join(' ')).toBe(requests)
      const tried = await journal.attempts(filter, { limit: 10 })
      expect(namesOf(tried).join(' ')).toBe(attempts)
    })

    test("finds requests by the caller's own id, also those in flight at a crash", async () => {
      const journal = await openEmpty()
      await journal.append(recordOf({ request_id: 'one', time: 1, correlationId: 'mine' }))
      await journal.append(recordOf({ request_id: 'two', time: 2, correlationId: 'mine' }))
      await journal.append(recordOf({ request_id: 'six', time: 6, correlationId: 'other' }))
      await journal.append(recordOf({ request_id: 'ten', time: 10 }))

      const find = async (filter: JournalFilter) =>
        (await journal.requests(filter, { limit: 10 })).items.map(row => row.request_id)
      expect(await find({ correlation_id: 'mine' })).toEqual(['two', 'one'])
      expect(await find({ correlation_id: 'mine', caller: 'nobody', ok: true })).toEqual([])
      expect(await find({ correlation_id: 'min' })).toEqual([])
      expect(await journal.request('six')).toMatchObject({ correlation_id: 'other' })
      expect(await journal.request('ten')).toMatchObject({ correlation_id: null })
    })

    test('finds the calls of a batch, each with its step and item', async () => {
      const journal = await openEmpty()
      const place = { batch_id: 'b', batch_step: 'reply', batch_item: 0 }
      await journal.append(recordOf({ request_id: 'one', time: 1, place }))
      await journal.append(recordOf({ request_id: 'two', time: 2, place: { batch_id: 'c' } }))
      await journal.append(recordOf({ request_id: 'six', time: 6 }))

      const { items } = await journal.requests({ batch_id: 'b' }, { limit: 10 })
      expect(items).toMatchObject([{ request_id: 'one', ...place }])
      const none = { batch_id: null, batch_step: null, batch_item: null }
      expect(await journal.request('six')).toMatchObject(none)
    })

    test('pages to the end and back to the beginning', async () => {
      const journal = await openEmpty()
      for (let n = 0; n < 5; n++) await journal.append(recordOf({ request_id: `${n}`, time: n }))
      const idsOf = ({ items }: { items: readonly { request_id: string }[] }) =>
        items.map(row => row.request_id).join('')

      const first = await journal.requests({}, { limit: 2 })
      const second = await journal.requests(
        {},
        { limit: 2, after: String(first.pageInfo.endCursor) },
      )
      const back = await journal.requests(
        {},
        { limit: 2, before: String(second.pageInfo.startCursor) },
      )

      expect([first, second, back].map(idsOf)).toEqual(['43', '21', '43'])
      expect(back.pageInfo).toEqual({ ...first.pageInfo, hasNextPage: true })
      const tried = await journal.attempts({}, { limit: 3 })
      const before = String(tried.pageInfo.endCursor)
      expect(idsOf(await journal.attempts({}, { limit: 9, before }))).toBe('43')
    })

    test('lists the one attempt of a plain success like any other', async () => {
      const journal = await openEmpty()
      await journal.append(recordOf({ request_id: 'a', time: 1000, caller: 'ci' }))

      const { items } = await journal.attempts({}, { limit: 10 })
      expect(items).toEqual([
        {
          request_id: 'a',
          index: 0,
          time: '1970-01-01T00:00:01.001Z',
          capability_id: 'repo.view',
          caller: 'ci',
          route: 'rest',
          status: 'success',
          code: null,
          reason: null,
          duration_ms: 12.4,
          upstream_status: 200,
          next: null,
          purpose: null,
        },
      ])
    })

    test.each([
      ['after the attempt of the write', [FAILED, VERIFYING]],
      ['alone, after a gateway died', [VERIFYING]],
    ])('tells a read that verified a write from calls, %s', async (_when, attempts) => {
      const journal = await openEmpty()
      const write = { capability_id: 'issue.create', effect: 'write' } as const
      await journal.append(recordOf({ ...write, time: BASE, attempts, reason: 'RECOVERED' }))
      await journal.append(recordOf({ capability_id: 'issue.list', time: BASE + 1 }))

      const list = async (capability: string) =>
        (await journal.attempts({ capability }, { limit: 10 })).items.map(({ purpose }) => purpose)
      expect(await list('issue.list')).toEqual([null, 'verify'])
      expect(await list('issue.create')).toEqual(attempts.slice(1).map(() => null))
      const filter = { since: BASE, until: BASE + DAY, bucketMs: 15 * MINUTE, route: 'rest' }
      const count = async (capability: string) =>
        (await journal.stats({ ...filter, capability })).totals.map(row => [
          row.route,
          row.purpose,
          row.count,
        ])
      expect(await count('issue.list')).toEqual([
        ['rest', null, 1],
        ['rest', 'verify', 1],
      ])
      expect(await count('issue.create')).toEqual(attempts.slice(1).map(() => ['rest', null, 1]))
    })

    test.each([1, 2, 3, 5, 8])('pages through attempts of all kinds, %i a page', async limit => {
      const journal = await openEmpty()
      await appendAllKinds(journal)
      const everything = '70 41 40 30 20 11 10 00'

      const forth: string[] = []
      let page = await journal.attempts({}, { limit })
      for (; ; page = await journal.attempts({}, { limit, after: page.pageInfo.endCursor ?? '' })) {
        forth.push(...namesOf(page))
        if (!page.pageInfo.hasNextPage) break
      }
      expect(forth.join(' ')).toBe(everything)

      const back = namesOf(page)
      while (page.pageInfo.hasPreviousPage) {
        page = await journal.attempts({}, { limit, before: page.pageInfo.startCursor ?? '' })
        back.unshift(...namesOf(page))
      }
      expect(back.join(' ')).toBe(everything)
    })

    test('keeps more requests of one millisecond than it has keys for', async () => {
      const journal = await openEmpty()
      const records = Array.from({ length: 1500 }, () => recordOf({ time: 5000 }))
      await Promise.all(records.map(record => journal.append(record)))

      const { items } = await journal.requests({}, { limit: 2000 })
      expect(new Set(items.map(row => row.request_id)).size).toBe(1500)
    })

    test('counts by capability, route and time', async () => {
      const journal = await openEmpty()
      await journal.append(recordOf({ time: BASE }))
      await journal.append(
        recordOf({
          time: BASE + 20 * MINUTE,
          attempts: [FAILED, GRAPHQL],
          reason: 'CARD_FALLBACK',
        }),
      )
      const filter = { since: BASE, until: BASE + DAY, bucketMs: 15 * MINUTE }
      await journal.stats(filter)
      await journal.append(
        recordOf({ time: BASE + 20 * MINUTE, caller: 'ci', attempts: [SKIPPED], error: {} }),
      )

      const { totals, buckets } = await journal.stats(filter)
      expect(totals).toMatchObject([
        { route: null, count: 3, success: 2, fallbacks: 1, codes: { SERVER: 1 }, p50_ms: 13.1 },
        { route: 'cli', count: 0, skipped: 1, p99_ms: null },
        { route: 'graphql', count: 1, success_rate: 1 },
        { route: 'rest', count: 2, success_rate: 0.5, fallback_rate: 0.5 },
      ])
      expect(buckets.map(({ time }) => time.slice(14, 16))).toEqual([
        '00',
        '00',
        '15',
        '15',
        '15',
        '15',
      ])
      expect((await journal.stats({ ...filter, caller: 'ci' })).totals).toMatchObject([
        { route: null, count: 1 },
        { route: 'cli', count: 0 },
      ])
    })

    test('sends each written row to watchers, and later the rows they missed', async () => {
      const journal = await openEmpty()
      const seen: LiveRow[] = []
      const stop = journal.watch(live => seen.push(live))
      await journal.append(recordOf({ request_id: 'seen', time: BASE }))
      stop()
      // This one began before the watched one, and ended after it.
      await journal.append(
        recordOf({ request_id: 'long', time: BASE - 5000, attempts: [FAILED], error: {} }),
      )
      await journal.append(recordOf({ request_id: 'next', time: BASE + 1 }))

      expect(seen.map(({ row }) => row.request_id)).toEqual(['seen'])
      const missed = await journal.missed({}, String(seen[0]?.id), 10)
      expect(missed.map(({ row }) => row.request_id)).toEqual(['next'])
    })

    test('drops a row that cannot be stored, and writes the others', async () => {
      const journal = await openEmpty()
      const bad = recordOf({ request_id: 'bad', http_status: 200.5 })
      await Promise.all([journal.append(bad), journal.append(recordOf({ request_id: 'good' }))])

      expect(await journal.request('good')).not.toBeNull()
      expect(journal.health()).toMatchObject({ ok: true, dropped: 1 })
    })
  })
}

const SHARED: AnswerFrom = { how: 'coalesced', request_id: 'other', borrowed: true }

/** Plain successes, fallbacks, failures, requests without attempts, and one that borrowed its attempts. */
async function appendAllKinds(journal: Journal): Promise<void> {
  const kinds: RecordOptions[] = [
    {},
    { attempts: [FAILED, GRAPHQL] },
    {},
    {},
    { attempts: [FAILED, FAILED], error: {} },
    { attempts: [], error: {} },
    { answerFrom: SHARED, reason: 'COALESCED' },
    {},
  ]
  for (const [n, kind] of kinds.entries()) {
    await journal.append(recordOf({ ...kind, request_id: `${n}`, time: n * 1000 }))
  }
}

function namesOf({ items }: { items: readonly AttemptRow[] }): string[] {
  return items.map(row => `${row.request_id}${row.index}`)
}

function step(route: string, status: string, known: Partial<TrailStep>) {
  return { route, status, code: null, reason: null, duration_ms: null, purpose: null, ...known }
}
