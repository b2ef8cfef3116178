import { DatabaseSync } from 'node:sqlite'
import { afterAll, describe, expect, test } from 'vitest'
import type { Resolved } from '../../src/journal/find/conditions.ts'
import { POSTGRES, SQLITE } from '../../src/journal/find/dialect.ts'
import type { Search, Sql } from '../../src/journal/find/search.ts'
import { statusesQuery } from '../../src/journal/find/statuses.ts'
import { toCountSql, toMergedSql, toSql } from '../../src/journal/find/to-sql.ts'
import type { JournalFilter } from '../../src/journal/journal.ts'
import {
  attemptsSearch,
  requestQuery,
  requestsSearch,
  soleSearch,
} from '../../src/journal/query.ts'
import { encodeRowCursor } from '../../src/journal/row-cursor.ts'
import { migrate } from '../../src/journal/sqlite/schema.ts'

/** SQLite has no statistics here, as in a real file, so it plans alike for a file of any size. */
const db = new DatabaseSync(':memory:')
migrate(db, ':memory:')
afterAll(() => db.close())

const LIMIT = { limit: 50 }

/** As if the journal had one capability that a pattern or an upstream stands for, and two statuses of a class. */
function resolve({ capability, upstream, http_status, upstream_status }: JournalFilter): Resolved {
  return {
    ...(capability?.includes('*') && { capability: ['issue.list'] }),
    ...(upstream !== undefined && { upstream: ['issue.list'] }),
    ...(http_status !== undefined && { http_status: [200, 204] }),
    ...(upstream_status !== undefined && { upstream_status: [502, 503] }),
  }
}

const both: [string, JournalFilter][] = [
  ['capability', { capability: 'repo.view' }],
  ['capability', { capability: 'issue.*' }],
  ['capability', { upstream: 'github' }],
  ['code', { code: 'SERVER' }],
  ['caller', { caller: 'agent' }],
  ['duration', { min_duration_ms: 1500 }],
]
const ofRequests: [string, JournalFilter][] = [
  ...both,
  ['route', { route: 'rest' }],
  ['outcome', { ok: false }],
  ['outcome', { capability: '(none)' }],
  ['outcome', { outcome: 'refused' }],
  ['outcome', { http_status: '2xx' }],
  ['http_status', { http_status: '503' }],
  ['write_outcome', { write_outcome: 'unknown' }],
  ['reason', { reason: 'CIRCUIT_OPEN' }],
  ['reason', { fell_back: true }],
  ['correlation', { correlation_id: 'mine' }],
  ['batch', { batch_id: 'mine' }],
  ['failed_caller', { caller: 'agent', ok: false }],
  ['failed_caller', { caller: 'agent', outcome: 'failed' }],
  ['failed_route', { route: 'rest', ok: false }],
  ['failed_route', { route: 'rest', outcome: 'failed' }],
]
const ofAttempts: [string, JournalFilter][] = [
  ...both,
  ['result', { ok: false }],
  ['result', { status: 'skipped' }],
  ['result', { route: 'rest' }],
  ['reason', { reason: 'CIRCUIT_OPEN' }],
  ['upstream_status', { upstream_status: '503' }],
  ['retry', { retried: true }],
  ['result', { moved_on: true }],
]
/** Filters of attempts that find their requests. */
const byRequests: [string, JournalFilter][] = [
  ['id', { request_id: 'one' }],
  ['batch', { batch_id: 'one' }],
  ['correlation', { correlation_id: 'one' }],
  ['http_status', { http_status: '503' }],
  ['write_outcome', { write_outcome: 'unknown' }],
  ['reason', { fell_back: true }],
  ['outcome', { outcome: 'failed' }],
  ['failed_caller', { outcome: 'failed', caller: 'agent' }],
]
/** Five filters, each with an index. */
const FIVE = {
  code: 'SERVER',
  caller: 'agent',
  capability: 'repo.view',
  route: 'rest',
  write_outcome: 'unknown',
}

/** Filters of requests that find attempts. */
const byAttempts: [string, JournalFilter][] = [
  ['result', { status: 'error' }],
  ['result', { tried: 'cli' }],
  ['result', { failed_on: 'cli' }],
  ['result', { skipped_on: 'cli' }],
  ['reason', { reason: 'CIRCUIT_OPEN' }],
  ['upstream_status', { upstream_status: '5xx' }],
  ['retry', { retried: true }],
]

describe.each([
  ['newest', {}, {}],
  ['in a span', { since: 1, until: 2 }, {}],
  ['after a cursor', {}, { after: true }],
])('one index returns the rows in order, %s', (_case, span, { after }: { after?: boolean }) => {
  test.each(ofRequests)('requests by %s, for %j', (index, filter) => {
    const page = { ...LIMIT, ...(after && { after: encodeRowCursor({ key: 1 }) }) }
    const plan = planOf(
      drivenBy(requestsSearch(SQLITE, { ...filter, ...span }, page, resolve(filter))),
    )
    expect(plan).toMatch(searchBy('requests', index))
    const found = plan.match(/requests_by_\w+ \([^)]*\)/)?.[0]
    expect(found?.match(/rowid[<>]/g) ?? []).toHaveLength(after ? 1 : Object.keys(span).length)
    expectNoSort(plan)
  })

  test.each(byAttempts)('requests by %s of attempts, for %j', (index, filter) => {
    const page = { ...LIMIT, ...(after && { after: encodeRowCursor({ key: 1 }) }) }
    const plan = planOf(
      drivenBy(requestsSearch(SQLITE, { ...filter, ...span }, page, resolve(filter))),
    )
    expect(plan).toMatch(searchBy('attempts', index))
    expectNoSort(plan)
  })

  test.each(ofAttempts)('attempts by %s, for %j', (index, filter) => {
    const page = { ...LIMIT, ...(after && { after: encodeRowCursor({ key: 1, position: 0 }) }) }
    const plan = planOf(
      drivenBy(attemptsSearch(SQLITE, { ...filter, ...span }, page, resolve(filter))),
    )
    expect(plan).toMatch(searchBy('attempts', index))
    expectNoSort(plan)
  })
})

describe.each([
  ['newest', {}, {}],
  ['in a span', { since: 1, until: 2 }, {}],
  ['after a cursor', {}, { after: true }],
])('requests by one index, in order, %s', (_case, span, { after }: { after?: boolean }) => {
  test.each(byRequests)('attempts by %s, for %j', (index, filter) => {
    const page = { ...LIMIT, ...(after && { after: encodeRowCursor({ key: 1, position: 0 }) }) }
    const plan = planOf(
      drivenBy(attemptsSearch(SQLITE, { ...filter, ...span }, page, resolve(filter))),
    )
    expect(plan).toMatch(searchBy('requests', index))
    expect(plan).toMatch(/SEARCH attempts USING PRIMARY KEY \(key=\?/)
    // An id has one request, or a few in a journal of an older version.
    if (index !== 'id') expectNoSort(plan)
  })
})

test('a search begins at the cursor, and does not scan the rows before it', () => {
  const page = { ...LIMIT, after: encodeRowCursor({ key: 1, position: 0 }) }
  expect(planOf(drivenBy(attemptsSearch(SQLITE, { caller: 'agent' }, page)))).toContain(
    'attempts_by_caller (caller=? AND (key,position)<(?,?))',
  )
  expect(planOf(toSql(SQLITE, attemptsSearch(SQLITE, {}, page)))).toBe(
    'SEARCH attempts USING PRIMARY KEY ((key,position)<(?,?))',
  )
})

test('a pattern is about the attempts, also of a request whose capability is another', () => {
  const filter = { capability: 'issue.*' }
  const { conditions } = attemptsSearch(SQLITE, filter, LIMIT, resolve(filter))
  expect(conditions.flatMap(({ sources }) => sources.map(({ table }) => table))).toEqual([
    'attempts',
  ])
})

test('attempts without a row are looked for among the requests of the page', () => {
  const page = { ...LIMIT, after: encodeRowCursor({ key: 9, position: 0 }), end: 5 }
  const search = soleSearch(SQLITE, {}, page) as Search
  expect(planOf(toSql(SQLITE, search))).toMatch(
    /^SEARCH requests USING INTEGER PRIMARY KEY \(rowid>\? AND rowid<\?\)$/,
  )
})

test.each<JournalFilter>([
  { outcome: 'failed' },
  { outcome: 'refused' },
  { outcome: 'later_try' },
  { write_outcome: 'unknown' },
  { http_status: '5xx' },
])('nobody looks for attempts without a row, which succeeded, for %j', filter => {
  expect(soleSearch(SQLITE, filter, { ...LIMIT, end: undefined }, resolve(filter))).toBeNull()
})

test.each([SQLITE, POSTGRES])(
  'attempts of requests are read in order, and not first of all made distinct',
  dialect => {
    expect(drivenBy(attemptsSearch(dialect, { batch_id: 'mine' }, LIMIT)).text).not.toContain(
      'DISTINCT',
    )
    expect(drivenBy(requestsSearch(dialect, { status: 'error' }, LIMIT)).text).toContain('DISTINCT')
  },
)

test('without a filter the tables are read in key order', () => {
  expect(planOf(toSql(SQLITE, requestsSearch(SQLITE, {}, LIMIT)))).toBe('SCAN requests')
  expect(planOf(toSql(SQLITE, attemptsSearch(SQLITE, {}, LIMIT)))).toBe('SCAN attempts')
})

test.each(['http_status', 'upstream_status'] as const)(
  'statuses of a class are found in the index: %s',
  name => {
    expect(planOf(statusesQuery(SQLITE, name, '5xx'))).toMatch(
      new RegExp(
        `SEARCH \\w+ USING COVERING INDEX \\w+_by_${name} \\(${name}>\\? AND ${name}<\\?\\)`,
      ),
    )
  },
)

test('one request is found by its id', () => {
  expect(planOf(requestQuery('one', 'agent'))).toMatch(
    /^SEARCH requests USING INDEX requests_by_id \(request_id=\? AND caller=\?\); SEARCH request_details USING INTEGER PRIMARY KEY/,
  )
})

test.each([0, 1, 2, 3, 4])('with several filters the rarest one chooses the index: %i', at => {
  const search = requestsSearch(SQLITE, { ...FIVE, since: 1 }, LIMIT)
  const driver = search.conditions[at]
  const index = driver?.sources[0]?.index
  const plan = planOf(toSql(SQLITE, search, driver))
  expect(plan).toMatch(
    new RegExp(`SEARCH requests USING INDEX ${index} \\([\\w<>]+=\\? AND rowid>\\?\\)`),
  )
  expectNoSort(plan)
})

test('with several common filters their indexes are read at once, without a sort and without a look at the rows', () => {
  const plan = planOf(toMergedSql(SQLITE, requestsSearch(SQLITE, { ...FIVE, since: 1 }, LIMIT)))
  expect(plan.match(/SEARCH requests USING COVERING INDEX/g)).toHaveLength(5)
  expect(plan.match(/MERGE \(INTERSECT\)/g)).toHaveLength(4)
  expectNoSort(plan)
})

test('counting reads indexes only', () => {
  const search = requestsSearch(SQLITE, { ...FIVE, since: 1 }, LIMIT)
  const plan = planOf(toCountSql(SQLITE, search, search.conditions, 10))
  expect(plan.match(/SEARCH requests USING COVERING INDEX/g)).toHaveLength(5)
})

test('the attempts of a listed request are looked up by its key', () => {
  const { text, values } = toSql(SQLITE, requestsSearch(SQLITE, {}, LIMIT))
  const steps = db.prepare(`EXPLAIN QUERY PLAN ${text}`).all(...values)
  const plan = steps.map(step => step.detail).join('; ')
  expect(plan.match(LOOKUP)).toHaveLength(2)
  expect(plan.replace(LOOKUP, '')).toBe('SCAN requests')
})

/** Runs once for each returned row, for each member of the details that a list shows. */
const LOOKUP =
  /; CORRELATED SCALAR SUBQUERY \d+; SEARCH request_details USING INTEGER PRIMARY KEY \(rowid=\?\)/g

function searchBy(table: string, index: string): RegExp {
  return new RegExp(`SEARCH ${table} USING (COVERING )?INDEX ${table}_by_${index} \\(`)
}

function drivenBy(search: Search): Sql {
  const driver = search.conditions.find(({ sources }) => sources.length > 0)
  return toSql(SQLITE, search, driver)
}

/** Only the rows of the page, which are few, are sorted; they come by their keys. */
function expectNoSort(plan: string): void {
  expect(plan.match(/SCAN (requests|attempts)/g)).toBeNull()
  expect(plan.match(/TEMP B-TREE/g)?.length ?? 0).toBeLessThanOrEqual(1)
}

function planOf({ text, values }: Sql): string {
  const steps = db.prepare(`EXPLAIN QUERY PLAN ${text}`).all(...values)
  return steps
    .map(step => step.detail)
    .join('; ')
    .replace(LOOKUP, '')
}
