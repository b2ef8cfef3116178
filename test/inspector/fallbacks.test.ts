import { Registry } from 'prom-client'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { wordsOfDecision } from '../../inspector/web/model/decision.js'
import type { Attempt } from '../../src/model/envelope.ts'
import { createAttemptCounters } from '../../src/observe/attempt-counters.ts'
import { FAILED, GRAPHQL, recordOf, VERIFYING } from '../journal/records.ts'
import { startTestGateway, type TestGateway } from '../support/gateway.ts'

const LATE = { route: 'graphql', status: 'skipped', reason: 'DEADLINE' } as const
const ALIKE = { ...LATE, reason: 'SHARED_FATE' } as const
const CLI = { ...GRAPHQL, route: 'cli', started_ms: 30 } as const
const CHECKED = { ...VERIFYING, route: 'graphql' } as const
const FELL = 'fall back to the next route'
const DAY = 86_400_000

let gateway: TestGateway
beforeAll(async () => {
  gateway = await startTestGateway()
})
afterAll(() => gateway[Symbol.asyncDispose]())

test.each<[string, Attempt[], number, string]>([
  ['another route answered', [FAILED, GRAPHQL], 1, FELL],
  ['another route failed too', [FAILED, { ...CLI, status: 'error' }], 1, FELL],
  ['a route was skipped before the one that was tried', [FAILED, ALIKE, CLI], 1, FELL],
  [
    'no time was left',
    [FAILED, LATE, { ...LATE, route: 'cli' }],
    0,
    'no time was left for another route',
  ],
  ['no other route could be used', [FAILED, ALIKE], 0, 'no other route could be used'],
  ['nothing followed', [FAILED], 0, 'no other route could be used'],
  ['only the check of a write followed', [FAILED, CHECKED], 0, 'no other route could be used'],
])('statistics, metric and page agree on a fallback: %s', async (what, attempts, count, words) => {
  const caller = what
  const time = Date.now()
  await gateway.engine.journal.append(recordOf({ time, caller, attempts }))
  const filter = { since: time - DAY, until: time + DAY, caller, bucketMs: DAY }
  const { totals } = await gateway.engine.journal.stats(filter)
  expect(totals.find(({ route }) => route === 'rest')).toMatchObject({ fallbacks: count })

  const registry = new Registry()
  createAttemptCounters(registry, [1])(attempts, 'github')
  const metric = await registry.getSingleMetric('signalbox_fallbacks_total')?.get()
  expect(metric?.values.reduce((sum, { value }) => sum + value, 0)).toBe(count)

  expect(wordsOfDecision(FAILED, attempts)).toBe(words)
})
