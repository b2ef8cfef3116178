import { expect, test } from 'vitest'
import { operationWarnings } from '../../src/answer/operation-warnings.ts'
import type { Settled } from '../../src/answer/to-answer.ts'
import type { Execution } from '../../src/engine/execution.ts'
import { compileExpression } from '../../src/expressions/expression.ts'
import type { Attempt } from '../../src/model/envelope.ts'
import type { JournalHealth, SharedHealth } from '../../src/model/health.ts'
import { staleWarning, WARNING_CODES } from '../../src/model/warnings.ts'
import { fakeCard } from '../support/cards.ts'

const healthy: JournalHealth = { ok: true, message: null, dropped: 0, waiting: 0 }
const good: Settled = { ok: true, data: {}, route: 'graphql', reason: 'CARD_FALLBACK' }
const failed: Attempt = { route: 'rest', status: 'error', error_code: 'SERVER' }

function warn(
  parts: Partial<Execution>,
  settled: Settled = good,
  health = healthy,
  shared: SharedHealth | null = null,
) {
  const execution = { attempts: [], card: fakeCard(), ...parts } as unknown as Execution
  return operationWarnings(execution, settled, health, shared)
}

test('a call without anything unusual has no warnings', () => {
  expect(warn({})).toEqual([])
  const skipped: Attempt = { route: 'cli', status: 'skipped', reason: 'CLI_NOT_AVAILABLE' }
  expect(warn({ attempts: [skipped] })).toEqual([])
})

test('a fallback names the failed route and the one that answered', () => {
  expect(warn({ attempts: [failed] })).toMatchObject([
    { code: 'FALLBACK_USED', details: { failed: 'rest', code: 'SERVER', used: 'graphql' } },
  ])
})

test('a retry on the same route is not a fallback', () => {
  expect(warn({ attempts: [failed] }, { ...good, route: 'rest' })).toEqual([])
})

test('a deprecated capability and a journal that cannot be written are warnings', () => {
  const card = fakeCard({ deprecated: 'Use thing.search.' })
  const sick = { ...healthy, ok: false, message: 'disk full' }
  expect(warn({ card }, good, sick).map(({ code }) => code)).toEqual([
    'DEPRECATED',
    'JOURNAL_DEGRADED',
  ])
})

const lacks = compileExpression(
  "data.labels ? `null` : join('', ['The answer does not show: ', join(', ', input.labels)])",
)
test.each([
  [{ labels: ['bug'] }, { labels: ['bug'] }, null],
  [{ labels: ['bug'] }, { labels: [] }, 'The answer does not show: bug'],
  [{}, {}, 'The answer has a form that cannot be compared with the input.'],
])('a change with %j that answers %j: %s', (asked, data, message) => {
  const warnings = warn({ card: fakeCard({ lacks }), asked }, { ...good, data })
  expect(warnings).toEqual(message === null ? [] : [{ code: 'NOT_CONFIRMED', message }])
})

test('only a shared state that cannot be reached is a warning', () => {
  const away = { ok: false, message: 'no connection' }
  expect(warn({}, good, healthy, away)).toMatchObject([{ code: 'STATE_DEGRADED' }])
  expect(warn({}, good, healthy, { ok: true, message: null })).toEqual([])
})

test.each([
  [{ warning: '110 cache "Response is Stale"', age: '4000' }, true],
  [{ warning: '111 cache "Revalidation Failed"' }, true],
  [{ warning: '299 - "Deprecated API"' }, false],
  [{}, false],
])('headers %j: stale is %s', (headers, stale) => {
  const warning = staleWarning(headers as Record<string, string>)
  expect(warning?.code).toBe(stale ? 'STALE_ANSWER' : undefined)
  expect(WARNING_CODES).toContain('STALE_ANSWER')
})
