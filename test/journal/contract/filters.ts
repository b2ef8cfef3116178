import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { Journal, JournalFilter } from '../../../src/journal/journal.ts'
import { keyHashOf } from '../../../src/journal/key-hash.ts'
import type { Attempt } from '../../../src/model/envelope.ts'
import {
  FAILED,
  GRAPHQL,
  type RecordOptions,
  recordOf,
  SKIPPED,
  SUCCESS,
  VERIFYING,
} from '../records.ts'

const TRACE = '4bf92f3577b34da6a3ce929d0e0e4736'
const WRITE = { capability_id: 'issue.create', effect: 'write' } as const
const BREAK = { ...FAILED, error_code: 'TIMEOUT', next: 'give_up', duration_ms: 9000 } as const
const { upstream_status: _none, ...NO_STATUS } = { ...SUCCESS, route: 'cli' } as const

const FIRST = { how: 'replay', request_id: 'first', borrowed: true } as const

/** One request of each kind, a second apart. Those without attempts of their own have none in the list of attempts. */
export const KINDS: Readonly<Record<string, RecordOptions>> = {
  plain: {},
  fell: { caller: 'ci', attempts: [FAILED, GRAPHQL], reason: 'CARD_FALLBACK', ms: 40 },
  skip: { capability_id: 'pr.list', attempts: [SKIPPED], error: { code: 'ADAPTER_UNSUPPORTED' } },
  lost: {
    ...WRITE,
    attempts: [{ ...BREAK, upstream_status: undefined } as never],
    error: { code: 'TIMEOUT', write_outcome: 'unknown' },
    http_status: 504,
    ms: 9001,
  },
  again: {
    capability_id: 'issue.list',
    attempts: [{ ...FAILED, next: 'retry_same' }, SUCCESS],
    ms: 2500,
  },
  replay: {
    ...WRITE,
    attempts: [FAILED, GRAPHQL],
    answerFrom: FIRST,
    keyHash: keyHashOf('once only'),
    reason: 'IDEMPOTENT_REPLAY',
  },
  other: {
    capability_id: 'mr.list',
    upstream: 'gitlab',
    input: { project: 'Übersicht' },
    data: { title: 'Fix the crash\nquickly' },
    attempts: [{ ...SUCCESS, upstream_status: 206 }],
    place: { batch_id: 'B', batch_step: 'one' },
  },
  local: {
    attempts: [NO_STATUS],
    correlationId: 'mine',
    traceId: TRACE,
    caller: 'ci',
    reason: 'ROUTE_PINNED',
    approvalId: 'GRANTED',
  },
  refused: {
    capability_id: null,
    upstream: null,
    effect: null,
    attempts: [],
    error: { code: 'AUTH', details: { approval_id: 'ASKED' } },
    http_status: 401,
    reason: 'KEY_FORBIDDEN',
  },
}

/** Null: the list has no such filter. */
export const CASES: readonly (readonly [
  JournalFilter,
  requests: string,
  attempts: string | null,
])[] = [
  [{ capability: 'issue.*' }, 'replay again lost', 'again1 again0 lost0'],
  [{ capability: '(none)' }, 'refused', ''],
  [{ capability: '(none)', ok: true }, '', ''],
  [{ capability: '*.list' }, 'other again skip', 'other0 again1 again0 skip0'],
  [{ capability: 'i*e.*t*' }, 'replay again lost', 'again1 again0 lost0'],
  [{ capability: 'nothing.*' }, '', ''],
  [{ capability: '*', ok: false }, 'lost skip', 'again0 lost0 fell0'],
  [{ capability: 'issue.l*' }, 'again', 'again1 again0'],
  [{ capability: 'issue.' }, '', ''],
  [{ status: 'success' }, 'local other again fell plain', 'local0 other0 again1 fell1 plain0'],
  [{ status: 'error' }, 'again lost fell', 'again0 lost0 fell0'],
  [{ status: 'skipped' }, 'skip', 'skip0'],
  [{ reason: 'CARD_FALLBACK' }, 'fell', ''],
  [{ reason: 'CLI_NOT_AVAILABLE' }, 'skip', 'skip0'],
  [{ reason: 'IDEMPOTENT_REPLAY' }, 'replay', ''],
  [{ reason: 'RECOVERED' }, '', ''],
  [{ write_outcome: 'unknown' }, 'lost', 'lost0'],
  [{ write_outcome: 'applied' }, '', ''],
  [{ http_status: '504' }, 'lost', 'lost0'],
  [{ http_status: '5xx' }, 'lost skip', 'lost0 skip0'],
  [{ http_status: '4xx' }, 'refused', ''],
  [{ http_status: '2xx', caller: 'ci' }, 'local fell', 'local0 fell1 fell0'],
  [{ upstream_status: '503' }, 'again fell', 'again0 fell0'],
  [{ upstream_status: '206' }, 'other', 'other0'],
  [{ upstream_status: '2xx' }, 'other again fell plain', 'other0 again1 fell1 plain0'],
  [{ upstream_status: '404' }, '', ''],
  [
    { min_duration_ms: 0 },
    'refused local other replay again lost skip fell plain',
    'local0 other0 again1 again0 lost0 fell1 fell0 plain0',
  ],
  [{ min_duration_ms: 40 }, 'again lost fell', 'lost0'],
  [{ min_duration_ms: 9001 }, 'lost', ''],
  [{ min_duration_ms: 15 }, 'again lost fell', 'again0 lost0 fell0'],
  [{ retried: true }, 'again', 'again0'],
  [
    { retried: false, http_status: '2xx' },
    'local other replay fell plain',
    'local0 other0 again1 fell1 fell0 plain0',
  ],
  [{ fell_back: true }, 'fell', 'fell1 fell0'],
  [{ fell_back: false, caller: 'ci' }, 'local', 'local0'],
  [{ upstream: 'gitlab' }, 'other', 'other0'],
  [{ upstream: 'github', ok: false }, 'lost skip', 'again0 lost0 fell0'],
  [{ upstream: 'nothing' }, '', ''],
  [{ request_id: 'again' }, 'again', 'again1 again0'],
  [{ request_id: 'plain' }, 'plain', 'plain0'],
  [{ request_id: 'replay' }, 'replay', ''],
  [{ request_id: 'none' }, '', ''],
  [{ request_id: 'again', retried: true }, 'again', 'again0'],
  [{ request_id: 'fell', status: 'error' }, 'fell', 'fell0'],
  [{ correlation_id: 'mine' }, 'local', 'local0'],
  [{ outcome: 'first_try', caller: 'ci' }, 'local', 'local0'],
  [{ outcome: 'failed' }, 'lost skip', 'lost0 skip0'],
  [{ outcome: 'first_try' }, 'local other plain', 'local0 other0 plain0'],
  [{ http_status: '200', route: 'rest' }, 'other again plain', 'other0 again1 again0 fell0 plain0'],
  [{ batch_id: 'B' }, 'other', 'other0'],
  [{ caller: 'ci' }, 'local fell', 'local0 fell1 fell0'],
  [{ route: 'rest', ok: false }, '', 'again0 lost0 fell0'],
  [{ route: 'rest' }, 'other again plain', 'other0 again1 again0 lost0 fell0 plain0'],
  [{ ok: true }, 'local other replay again fell plain', 'local0 other0 again1 fell1 plain0'],
  [{ code: 'TIMEOUT' }, 'lost', 'lost0'],
  [{ outcome: 'later_try' }, 'replay again fell', 'again1 again0 fell1 fell0'],
  [{ tried: 'rest' }, 'other again lost fell plain', null],
  [{ failed_on: 'rest' }, 'again lost fell', null],
  [{ skipped_on: 'cli' }, 'skip', null],
  [{ since: 4000 }, 'refused local other replay again lost', 'local0 other0 again1 again0 lost0'],
  [{ q: 'fell' }, 'fell', 'fell1 fell0'],
  [{ q: 'mine' }, 'local', 'local0'],
  [{ q: TRACE }, 'local', 'local0'],
  [{ q: 'GRANTED' }, 'local', 'local0'],
  [{ q: ' granted\n' }, 'local', 'local0'],
  [{ q: 'ASKED' }, 'refused', ''],
  [{ q: 'once only' }, 'replay', ''],
  [{ q: keyHashOf('once only') }, 'replay', ''],
  [{ q: ' once only\n' }, 'replay', ''],
  [{ q: keyHashOf('once only').toUpperCase() }, 'replay', ''],
  [{ q: ` ${TRACE.toUpperCase()}` }, 'local', 'local0'],
  [{ q: 'B' }, 'other', 'other0'],
  [{ q: 'issue' }, 'replay again lost', 'again1 again0 lost0'],
  [{ q: 'ISSUE.create' }, 'replay lost', 'lost0'],
  [{ q: '%' }, '', ''],
  [{ q: 'fell', caller: 'agent' }, '', ''],
  [{ q: 'crash' }, 'other', 'other0'],
  [{ q: 'CRASH, fix!' }, 'other', 'other0'],
  [{ q: 'quickly' }, 'other', 'other0'],
  [{ q: 'nquickly' }, '', ''],
  [{ q: 'crash slowly' }, '', ''],
  [{ q: 'übersicht' }, 'other', 'other0'],
  [{ q: 'crash', q_within: 'own' }, '', ''],
  [{ q: 'übersicht', q_within: 'own' }, 'other', 'other0'],
  [{ q: 'upstream 503' }, 'refused lost skip', 'lost0 skip0'],
  [{ q: 'upstream 503', q_within: 'own', capability: 'issue.*' }, 'lost', 'lost0'],
  [{ q: 'upstream', since: 5000 }, 'refused', ''],
  [{ q: '"upstream" OR own: NEAR(* \'&|!:' }, '', ''],
  // Combinations: of rare ones, of common ones, and those that exclude each other.
  [{ status: 'error', upstream_status: '2xx' }, 'again fell', ''],
  [{ status: 'error', min_duration_ms: 1000, capability: 'issue.*' }, 'again lost', 'lost0'],
  [{ caller: 'ci', route: 'cli', reason: 'ROUTE_PINNED' }, 'local', ''],
  [
    { caller: 'ci', capability: 'repo.*', ok: true, upstream: 'github' },
    'local fell',
    'local0 fell1',
  ],
  [{ ok: true, status: 'error', retried: true }, 'again', ''],
  [{ status: 'error', since: 5000 }, 'again', 'again0'],
  [{ status: 'error', until: 5000, since: 4000 }, 'lost', 'lost0'],
  [{ reason: 'CLI_NOT_AVAILABLE', status: 'success' }, '', ''],
  [{ fell_back: true, retried: true }, '', ''],
  [{ q: 'issue', code: 'TIMEOUT', write_outcome: 'unknown', http_status: '5xx' }, 'lost', 'lost0'],
]

/** Filters of attempts alone. */
const OF_ATTEMPTS: readonly (readonly [JournalFilter, attempts: string])[] = [
  [{ moved_on: true }, 'fell0'],
  [{ moved_on: true, route: 'graphql' }, ''],
  [{ moved_on: false, route: 'rest' }, 'other0 again1 again0 lost0 plain0'],
  [{ moved_on: false, caller: 'ci' }, 'local0 fell1'],
  [{ purpose: 'call', caller: 'ci' }, 'local0 fell1 fell0'],
  [{ purpose: 'call', min_duration_ms: 0, capability: 'pr.list' }, ''],
  [{ purpose: 'verify' }, ''],
]

const AGAIN = { ...FAILED, next: 'retry_same' } as const
const CHECKED = { ...FAILED, next: 'verify' } as const
const NO_GRAPHQL = { ...AGAIN, route: 'graphql' } as const

/** The attempts of a request, and the positions of those whose route was tried again. */
const RETRIES: readonly (readonly [string, attempts: readonly Attempt[], again: string])[] = [
  ['a call that succeeds when it is sent again', [AGAIN, SUCCESS], '0'],
  ['a call that is sent three times', [AGAIN, AGAIN, FAILED], '0 1'],
  ['a call of the second route', [FAILED, NO_GRAPHQL, GRAPHQL], '1'],
  ['a write that is sent again after a check', [CHECKED, VERIFYING, SUCCESS], '0'],
  ['a write that a check found', [CHECKED, VERIFYING], ''],
  ['a write that takes another route after a check', [CHECKED, VERIFYING, GRAPHQL], ''],
  ['a check that is sent again', [CHECKED, { ...VERIFYING, next: 'retry_same' }, VERIFYING], ''],
  ['a retry for which no time was left', [AGAIN], ''],
  ['a route that is skipped after a retry was planned', [AGAIN, { ...SKIPPED, route: 'rest' }], ''],
  ['another route', [FAILED, GRAPHQL], ''],
  ['one attempt', [SUCCESS], ''],
]

/** Every filter, alone and with others, in any database: the answers are equal. */
export function describeFilters(name: string, open: () => Promise<Journal>): void {
  describe(`the filters of a journal in ${name}`, () => {
    let journal: Journal
    beforeAll(async () => {
      journal = await open()
      for (const [n, [request_id, kind]] of Object.entries(KINDS).entries()) {
        await journal.append(recordOf({ ...kind, request_id, time: (n + 1) * 1000 }))
      }
    }, 120_000)
    afterAll(() => journal.close())

    test.each(CASES)('requests: %j', async (filter, expected) => {
      const { items } = await journal.requests(filter, { limit: 20 })
      expect(items.map(row => row.request_id).join(' ')).toBe(expected)
      expect(
        await paged(
          page => journal.requests(filter, page),
          (row: { request_id: string }) => row.request_id,
        ),
      ).toBe(expected)
    })

    const ofBoth = CASES.map(([filter, , attempts]) => [filter, attempts] as const)
    test.each([...ofBoth.filter(([, attempts]) => attempts !== null), ...OF_ATTEMPTS])(
      'attempts: %j',
      async (filter, expected) => {
        const nameOf = (row: { request_id: string; index: number }) =>
          `${row.request_id}${row.index}`
        const { items } = await journal.attempts(filter, { limit: 20 })
        expect(items.map(nameOf).join(' ')).toBe(expected)
        expect(await paged(page => journal.attempts(filter, page), nameOf)).toBe(expected)
      },
    )

    test.each(CASES)('missed by a stream: %j', async (filter, expected) => {
      const missed = await journal.missed(filter, '0-0', 20)
      expect(
        missed
          .map(({ row }) => row.request_id)
          .toReversed()
          .join(' '),
      ).toBe(expected)
    })

    test('each with each', async () => {
      for (const [filter, expected] of pairs()) {
        const { items } = await journal.requests(filter, { limit: 20 })
        const found = items.map(row => row.request_id).join(' ')
        expect({ filter, found }).toEqual({ filter, found: expected })
      }
    })

    test('by keys, for a stream', async () => {
      const all = await journal.missed({}, '0-0', 20)
      const keys = all.filter((_, at) => at < 4).map(({ id }) => Number(id.split('-')[1]))
      const { items } = await journal.requests({ keys, capability: 'repo.*' }, { limit: 20 })
      expect(items.map(row => row.request_id)).toEqual(['fell', 'plain'])
      expect((await journal.requests({ keys: [] }, { limit: 20 })).items).toEqual([])
    })
  })
}

/** Requests and attempts for which a route was tried again, in any database. */
export function describeRetries(name: string, open: () => Promise<Journal>): void {
  describe(`retries in a journal in ${name}`, () => {
    let journal: Journal
    beforeAll(async () => {
      journal = await open()
    }, 120_000)
    afterAll(() => journal.close())

    test.each(RETRIES)('retried: %s', async (kind, attempts, again) => {
      const request_id = kind.replaceAll(' ', '-')
      const found = async (retried: boolean) => {
        const page = await journal.requests({ request_id, retried }, { limit: 20 })
        const { items } = await journal.attempts({ request_id, retried }, { limit: 20 })
        return [page.items.length, items.map(({ index }) => index).toReversed()]
      }
      await journal.append(recordOf({ request_id, time: 100, attempts }))
      const positions = again === '' ? [] : again.split(' ').map(Number)
      const others = attempts.map((_, at) => at).filter(at => !positions.includes(at))
      expect(await found(true)).toEqual([positions.length === 0 ? 0 : 1, positions])
      expect(await found(false)).toEqual([positions.length === 0 ? 1 : 0, others])
    })
  })
}

/** Two filters together find the requests that both find. */
export function pairs(): [JournalFilter, string][] {
  const alone = CASES.filter(([filter, found]) => Object.keys(filter).length === 1 && found !== '')
  const ofName = new Map(
    alone.map(([filter, requests]) => [
      Object.keys(filter)[0],
      { filter, found: requests.split(' ') },
    ]),
  )
  const singles = [...ofName.values()]
  return singles.flatMap((one, at) =>
    singles.slice(at + 1).map((other): [JournalFilter, string] => {
      const both = one.found.filter(name => other.found.includes(name))
      return [{ ...one.filter, ...other.filter }, both.join(' ')]
    }),
  )
}

/** Reads page by page to the end, with one row a page. */
async function paged<T>(
  read: (page: { limit: number; after?: string }) => ReturnType<Journal['requests' | 'attempts']>,
  nameOf: (row: T) => string,
): Promise<string> {
  const names: string[] = []
  let after: string | null = null
  do {
    const { items, pageInfo } = await read({ limit: 1, ...(after === null ? {} : { after }) })
    names.push(...items.map(row => nameOf(row as T)))
    after = pageInfo.hasNextPage ? pageInfo.endCursor : null
  } while (after !== null)
  return names.join(' ')
}
