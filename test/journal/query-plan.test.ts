import { DatabaseSync } from 'node:sqlite'
import { afterAll, describe, expect, test } from 'vitest'
import type { JournalFilter } from '../../src/journal/journal.ts'
import {
  attemptsQuery,
  type Query,
  requestQuery,
  requestsQuery,
  soleQuery,
  toSql,
} from '../../src/journal/query.ts'
import { encodeRowCursor } from '../../src/journal/row-cursor.ts'
import { migrate } from '../../src/journal/sqlite/schema.ts'

/** SQLite has no statistics here, as in a real file, so it plans alike for a file of any size. */
const db = new DatabaseSync(':memory:')
migrate(db, ':memory:')
afterAll(() => db.close())

const filters: [string, JournalFilter][] = [
  ['capability', { capability: 'repo.view' }],
  ['ok', { ok: false }],
  ['code', { code: 'SERVER' }],
  ['route', { route: 'rest' }],
  ['caller', { caller: 'agent' }],
]

describe.each(filters)('by %s, one index returns the rows in order', (_name, filter) => {
  test.each([
    ['newest', filter, {}],
    ['in a span', { ...filter, since: 1, until: 2 }, {}],
    ['after a cursor', filter, { after: true }],
  ])('%s', (_case, conditions, { after }: { after?: boolean }) => {
    const requestsAfter = after ? { after: encodeRowCursor({ key: 1 }) } : {}
    const attemptsAfter = after ? { after: encodeRowCursor({ key: 1, position: 0 }) } : {}

    expect(planOf(requestsQuery(conditions, { limit: 50, ...requestsAfter }))).toMatch(
      /^SEARCH requests USING INDEX requests_by_\w+ [^;]*$/,
    )
    expect(planOf(attemptsQuery(conditions, { limit: 50, ...attemptsAfter }))).toMatch(
      /^SEARCH attempts USING INDEX attempts_by_\w+ [^;]*$/,
    )
  })
})

test('a search begins at the cursor, and does not scan the rows before it', () => {
  const after = encodeRowCursor({ key: 1, position: 0 })
  expect(planOf(attemptsQuery({ caller: 'agent' }, { limit: 50, after }))).toBe(
    'SEARCH attempts USING INDEX attempts_by_caller (caller=? AND (key,position)<(?,?))',
  )
  expect(planOf(attemptsQuery({}, { limit: 50, after }))).toBe(
    'SEARCH attempts USING PRIMARY KEY ((key,position)<(?,?))',
  )
})

test.each<[JournalFilter, RegExp]>([
  [{}, /^SEARCH requests USING INTEGER PRIMARY KEY \(rowid>\? AND rowid<\?\)$/],
  [{ caller: 'agent' }, /^SEARCH requests USING INDEX requests_by_caller \(caller=\? AND rowid>\?/],
  [
    { route: 'rest' },
    /^SEARCH requests USING INDEX requests_by_route \(route_used=\? AND rowid>\?/,
  ],
])('attempts without a row are looked for among the requests of the page: %j', (filter, plan) => {
  const after = encodeRowCursor({ key: 9, position: 0 })
  const query = soleQuery(filter, { limit: 50, after }, 5)
  expect(planOf(query as Query)).toMatch(plan)
})

test('without a filter the tables are read in key order', () => {
  expect(planOf(requestsQuery({}, { limit: 50 }))).toBe('SCAN requests')
  expect(planOf(attemptsQuery({}, { limit: 50 }))).toBe('SCAN attempts')
})

test('the requests with a correlation id are found by it', () => {
  expect(planOf(requestsQuery({ correlation_id: 'mine' }, { limit: 50 }))).toBe(
    'SEARCH requests USING INDEX requests_by_correlation (correlation_id=?)',
  )
})

test('the calls of a batch are found by its id', () => {
  expect(planOf(requestsQuery({ batch_id: 'mine' }, { limit: 50 }))).toBe(
    'SEARCH requests USING INDEX requests_by_batch (batch_id=?)',
  )
})

test('one request is found by its id', () => {
  expect(planOf(requestQuery('one', 'agent'))).toMatch(
    /^SEARCH requests USING INDEX requests_by_id \(request_id=\? AND caller=\?\); SEARCH request_details USING INTEGER PRIMARY KEY/,
  )
})

test.each(['code', 'caller', 'capability_id', 'route_used', 'ok'])(
  'with several filters the most selective one chooses the index: %s',
  driver => {
    const all = {
      code: 'SERVER',
      caller: 'agent',
      capability: 'repo.view',
      route: 'rest',
      ok: false,
    }
    const plan = planOf(requestsQuery({ ...all, since: 1 }, { limit: 50 }), driver)
    expect(plan).toMatch(
      new RegExp(`^SEARCH requests USING INDEX \\w+ \\(${driver}=\\? AND rowid>\\?\\)$`),
    )
  },
)

test('the attempts of a listed request are looked up by its key', () => {
  const { text, values } = toSql(requestsQuery({}, { limit: 50 }))
  const steps = db.prepare(`EXPLAIN QUERY PLAN ${text}`).all(...values)
  expect(steps.slice(1).map(step => step.detail)).toEqual(LOOKUP)
})

/** Runs once for each returned row. */
const LOOKUP = [
  'CORRELATED SCALAR SUBQUERY 1',
  'SEARCH request_details USING INTEGER PRIMARY KEY (rowid=?)',
]

function planOf(query: Query, driver?: string): string {
  const { text, values } = toSql(query, driver)
  const steps = db.prepare(`EXPLAIN QUERY PLAN ${text}`).all(...values)
  return steps
    .map(step => step.detail)
    .join('; ')
    .replace(`; ${LOOKUP.join('; ')}`, '')
}
