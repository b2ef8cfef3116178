import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { Journal, JournalFilter } from '../../src/journal/journal.ts'
import { openSqliteJournal } from '../../src/journal/sqlite.ts'
import { appendThree, FAILED, recordOf, SUCCESS } from './records.ts'
import { openJournal } from './support.ts'

describe('filters', () => {
  let journal: Journal
  beforeAll(async () => {
    journal = openSqliteJournal({ file: ':memory:', onError: () => {} })
    await appendThree(journal)
  })
  afterAll(() => journal.close())

  test.each<[string, JournalFilter, string]>([
    ['nothing: all, newest first', {}, 'c b a'],
    ['a capability', { capability: 'repo.view' }, 'b a'],
    ['success', { ok: true }, 'b a'],
    ['failure', { ok: false }, 'c'],
    ['a code', { code: 'SERVER' }, 'c'],
    ['the route that answered', { route: 'graphql' }, 'b'],
    ['a caller', { caller: 'ci' }, 'b'],
    ['since, inclusive', { since: 2000 }, 'c b'],
    ['until, exclusive', { until: 2000 }, 'a'],
    ['a span', { since: 1001, until: 2001 }, 'b'],
    ['times beyond all time', { since: -1, until: Number.MAX_SAFE_INTEGER }, 'c b a'],
    [
      'everything at once',
      { capability: 'repo.view', ok: true, caller: 'ci', route: 'graphql', since: 0 },
      'b',
    ],
    ['what is not there', { caller: 'nobody' }, ''],
    ['two of which one is not there', { caller: 'nobody', ok: true }, ''],
    ['a code among successes, which have none', { code: 'SERVER', ok: true }, ''],
  ])('requests by %s', async (_name, filter, expected) => {
    const { items } = await journal.requests(filter, { limit: 10 })
    expect(items.map(row => row.request_id).join(' ')).toBe(expected)
  })

  test.each<[string, JournalFilter, string]>([
    ['nothing: all, newest first', {}, 'c0 b1 b0 a0'],
    ['a capability', { capability: 'pr.list' }, 'c0'],
    ['success', { ok: true }, 'b1 a0'],
    ['failure, which skipping is not', { ok: false }, 'b0'],
    ['a code', { code: 'ADAPTER_UNSUPPORTED' }, 'c0'],
    ['their own route', { route: 'rest' }, 'b0 a0'],
    ['a caller', { caller: 'ci' }, 'b1 b0'],
    ['a span of their requests', { since: 2000, until: 3000 }, 'b1 b0'],
  ])('attempts by %s', async (_name, filter, expected) => {
    const { items } = await journal.attempts(filter, { limit: 10 })
    expect(items.map(row => `${row.request_id}${row.index}`).join(' ')).toBe(expected)
  })
})

describe('paging', () => {
  test('visits each request once while others arrive', async () => {
    const { journal } = openJournal()
    for (let n = 0; n < 25; n++) await journal.append(recordOf({ request_id: `${n}`, time: n }))

    const seen: string[] = []
    let after: string | null = null
    do {
      const page = await journal.requests({}, { limit: 10, ...(after ? { after } : {}) })
      seen.push(...page.items.map(row => row.request_id))
      after = page.pageInfo.hasNextPage ? page.pageInfo.endCursor : null
      await journal.append(recordOf({ time: 1000 }))
    } while (after)

    expect(seen).toEqual(Array.from({ length: 25 }, (_, n) => `${24 - n}`))
  })

  test('can break between the attempts of one request', async () => {
    const { journal } = openJournal()
    await journal.append(recordOf({ request_id: 'a', attempts: [FAILED, FAILED, SUCCESS] }))

    const first = await journal.attempts({}, { limit: 2 })
    const after = first.pageInfo.endCursor ?? ''
    const second = await journal.attempts({}, { limit: 2, after })

    expect([...first.items, ...second.items].map(row => row.index)).toEqual([2, 1, 0])
    expect(second.pageInfo.hasNextPage).toBe(false)
  })

  test('of an empty list has no cursor', async () => {
    const { journal } = openJournal()
    expect(await journal.requests({}, { limit: 10 })).toEqual({
      items: [],
      pageInfo: { hasNextPage: false, hasPreviousPage: false, startCursor: null, endCursor: null },
    })
  })

  test.each(['', 'nonsense', 'cjE.Mg', Buffer.from('r1; DROP').toString('base64url')])(
    'refuses the cursor %j',
    async after => {
      const { journal } = openJournal()
      await expect(journal.requests({}, { limit: 10, after })).rejects.toMatchObject({
        code: 'VALIDATION',
        source: 'caller',
        details: { fields: [{ path: 'after' }] },
      })
    },
  )

  test('refuses the cursor of the other list', async () => {
    const { journal } = openJournal()
    await journal.append(recordOf())
    const { endCursor } = (await journal.requests({}, { limit: 1 })).pageInfo

    await expect(journal.attempts({}, { limit: 1, after: endCursor ?? '' })).rejects.toThrow(
      /not a cursor of this list/,
    )
  })
})
