import { setImmediate as turn } from 'node:timers/promises'
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import { Breakers } from '../../src/state/breakers.ts'
import { Pools } from '../../src/state/pools.ts'
import { shareByBoard } from '../../src/state/redis/topics.ts'
import { Resets } from '../../src/state/resets.ts'
import { RetryBudget } from '../../src/state/retry-budget.ts'
import { redis } from '../support/parts.ts'
import { startRedis, type TestRedis } from '../support/redis.ts'
import { inPrimary, inRedis, type SharedPlace } from './contract/stores.ts'

const CIRCUITS = ['a:rest', 'a:graphql', 'b:rest']
const HOUR = 3_600_000

describe.runIf(redis.available)('the state that gateways share', () => {
  let server: TestRedis
  beforeAll(async () => {
    server = await startRedis()
  })
  afterAll(() => server.remove())

  test.each([
    ['a Redis', () => inRedis(server.createDatabase())],
    ['a primary process', () => inPrimary(0)],
  ])('becomes the same on all of them through %s, however changes interleave', async (_, open) => {
    const place = open()
    const gateways = await Promise.all(['one', 'two', 'three'].map(name => join(place, name)))
    const reset = Date.now() + HOUR
    for (let n = 0; n < 300; n++) {
      const { breakers, pools, resets } = gateways[n % 3] as Gateway
      change(breakers, CIRCUITS[random(3)] ?? '')
      const resetAt = reset + random(3) * HOUR
      pools.observe('a:core', 'me', { pool: null, limit: 99, remaining: random(99), resetAt }, 0)
      if (n % 50 === 0) resets.make('a', ['quota', 'circuit'], Date.now())
      if (n % 7 === 0) await turn()
    }
    const late = await join(place, 'late')
    const seen = () => [...gateways, late].map(gateway => JSON.stringify(viewOf(gateway)))

    await expect.poll(() => new Set(seen()).size).toBe(1)
    // Slower messages could still change it.
    await new Promise(resolve => setTimeout(resolve, 300))
    expect(new Set([...seen(), JSON.stringify(viewOf(await join(place, 'last')))]).size).toBe(1)
  })
})

type Gateway = Awaited<ReturnType<typeof join>>

async function join(place: SharedPlace, name: string) {
  const learned = { pools: new Pools(), breakers: new Breakers(), retryBudget: new RetryBudget() }
  const state = { ...learned, resets: new Resets(learned) }
  const board = await place.join(store => shareByBoard(store, name, state))
  onTestFinished(() => board.close())
  return state
}

/** Opens, probes or closes a circuit, at random. */
function change(breakers: Breakers, circuit: string): void {
  const now = Date.now() - 6_000
  const what = random(3)
  if (what === 0) for (let n = 0; n < 5; n++) breakers.report(circuit, 'SERVER', now)
  if (what === 1) breakers.begin(circuit, Date.now())
  if (what === 2) breakers.report(circuit, null, now)
}

function viewOf({ breakers, pools }: Gateway) {
  return { pools: pools.all(), circuits: CIRCUITS.map(key => breakers.stateOf(key) ?? null) }
}

function random(below: number): number {
  return Math.floor(Math.random() * below)
}
