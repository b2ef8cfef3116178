import { Registry } from 'prom-client'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { wordsOfDecision } from '../../inspector/web/model/decision.js'
import { createAttemptCounters } from '../../src/observe/attempt-counters.ts'
import { FALLBACKS } from '../journal/fallbacks.ts'
import { recordOf } from '../journal/records.ts'
import { startTestGateway, type TestGateway } from '../support/gateway.ts'

const DAY = 86_400_000

let gateway: TestGateway
beforeAll(async () => {
  gateway = await startTestGateway()
})
afterAll(() => gateway[Symbol.asyncDispose]())

test.each(FALLBACKS)(
  'statistics, metric and page agree on a fallback: %s',
  async (what, attempts, count, words) => {
    const caller = what
    const time = Date.now()
    await gateway.engine.journal.append(recordOf({ time, caller, attempts }))
    const filter = { since: time - DAY, until: time + DAY, caller, bucketMs: DAY }
    const { totals } = await gateway.engine.journal.stats(filter)
    expect(totals.find(({ route, purpose }) => route === 'rest' && !purpose)).toMatchObject({
      fallbacks: count,
    })

    const registry = new Registry()
    createAttemptCounters(registry, [1])(attempts, 'github')
    const metric = await registry.getSingleMetric('signalbox_fallbacks_total')?.get()
    expect(metric?.values.reduce((sum, { value }) => sum + value, 0)).toBe(count)

    expect(attempts[0] && wordsOfDecision(attempts[0], attempts)).toBe(words)
  },
)
