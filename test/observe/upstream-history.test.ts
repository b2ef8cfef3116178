import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { UpstreamSampler } from '../../src/observe/upstream-history.ts'
import { startTestGateway, type TestGateway } from '../support/gateway.ts'

const SECOND = 1000
const MINUTE = 60 * SECOND

let gateway: TestGateway
beforeAll(async () => {
  gateway = await startTestGateway()
})
afterAll(() => gateway[Symbol.asyncDispose]())

/** The beginning of a minute. */
const BASE = Math.floor(Date.now() / MINUTE) * MINUTE
let now = BASE
let sampler: UpstreamSampler
beforeEach(() => {
  const { state, upstreams } = gateway.engine
  state.pools.forgetAll('github')
  state.breakers.closeAll('github')
  now = BASE
  sampler = new UpstreamSampler({
    state,
    upstreams,
    clock: { ...gateway.engine.clock, now: () => now },
  })
})

function report(remaining: number, credential = 'github:default') {
  const reading = { pool: 'core', limit: 5000, remaining, resetAt: BASE + 60 * MINUTE }
  gateway.engine.state.pools.observe('github:core', credential, reading, now)
}
const sampleAt = (ms: number) => {
  now = BASE + ms
  return sampler.sample()
}
const quotasAt = (ms: number) => sampleAt(ms).quotas.map(({ remaining }) => remaining)
const circuitsAt = (ms: number) =>
  sampleAt(ms).circuits.map(({ route, bucket, state }) => [route, bucket - BASE, state])

describe('the history of a quota', () => {
  test('has one sample a minute, and none without a change', () => {
    report(4000)
    expect(quotasAt(0)).toEqual([4000])
    report(3990)
    expect(quotasAt(2 * SECOND)).toEqual([])
    expect(quotasAt(MINUTE)).toEqual([3990])
    expect(quotasAt(2 * MINUTE)).toEqual([])
  })

  test('says at once when it is used up', () => {
    report(3)
    expect(quotasAt(0)).toEqual([3])
    report(0)
    expect(quotasAt(2 * SECOND)).toEqual([0])
  })

  test('leaves out credentials that callers bring', () => {
    report(4000, '0123456789ab')
    expect(quotasAt(0)).toEqual([])
  })
})

test('the history of a circuit has the worst state of each minute in which it is not closed', () => {
  const { breakers } = gateway.engine.state
  for (let n = 0; n < 5; n++) breakers.report('github:rest', 'SERVER', BASE)
  expect(circuitsAt(SECOND)).toEqual([['rest', 0, 2]])
  expect(circuitsAt(3 * SECOND)).toEqual([])
  expect(circuitsAt(30 * SECOND)).toEqual([])
  expect(circuitsAt(MINUTE)).toEqual([['rest', MINUTE, 1]])
  breakers.closeAll('github')
  expect(circuitsAt(2 * MINUTE)).toEqual([])
})
