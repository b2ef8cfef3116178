import { setTimeout as delay } from 'node:timers/promises'
import { describe, expect, onTestFinished, test } from 'vitest'
import type { GoodReply } from '../../../src/model/reply.ts'
import { ENTRY_BYTES, KeptAnswers } from '../../../src/state/answers.ts'
import { Breakers } from '../../../src/state/breakers.ts'
import { type Entry, isOver, KeyLimits } from '../../../src/state/key-limits.ts'
import { Pools } from '../../../src/state/pools.ts'
import { type OtherWrites, RecentWrites } from '../../../src/state/recent-writes.ts'
import { ENTER } from '../../../src/state/redis/key-limits.ts'
import { createProbeLease } from '../../../src/state/redis/probe-lease.ts'
import { type OwnState, shareThrough } from '../../../src/state/redis/share.ts'
import { Resets } from '../../../src/state/resets.ts'
import { RetryBudget } from '../../../src/state/retry-budget.ts'
import { Revalidation } from '../../../src/state/revalidation.ts'
import type { SharedPlace } from './stores.ts'

/** Two answers of `ANSWER` fit, three do not. */
export const MOST_BYTES = 2.5 * (ENTRY_BYTES + 100)
const ANSWER = { data: 'x'.repeat(75), route: 'rest' } as const
const CIRCUIT = 'a:rest'
const HOUR = 3_600_000
const PATIENCE_MS = 10_000

interface Seen extends OwnState {
  readonly retryBudget: RetryBudget
}

/** All state of one process, of which it shares parts. `learn` changes it before it connects. */
async function joinAs(
  place: SharedPlace,
  name: string,
  learn: (state: Pick<Seen, 'breakers'>) => void = () => {},
): Promise<Seen> {
  const learned = { pools: new Pools(), breakers: new Breakers(), retryBudget: new RetryBudget() }
  const state = {
    ...learned,
    resets: new Resets(learned),
    revalidation: new Revalidation(),
    recentWrites: new RecentWrites(),
    keyLimits: new KeyLimits(),
    keptAnswers: new KeptAnswers(MOST_BYTES),
  }
  learn(state)
  const board = await place.join(store => shareThrough(store, name, state))
  onTestFinished(() => board.close())
  return state
}

async function joinTwo(place: SharedPlace): Promise<readonly [Seen, Seen]> {
  return [await joinAs(place, 'one'), await joinAs(place, 'two')]
}

function openCircuit({ breakers }: Pick<Seen, 'breakers'>, circuit = CIRCUIT): void {
  for (let n = 0; n < 5; n++) breakers.report(circuit, 'SERVER', Date.now())
}

const kindsOf = (...all: readonly Seen[]) =>
  all.map(({ breakers }) => breakers.kindOf(CIRCUIT, Date.now()))

const over = (entries: readonly Entry[]) => entries.filter(isOver)

/** The behaviour of every store that several processes share. */
export function describeShared(name: string, open: () => SharedPlace): void {
  describe(`the state that processes share in ${name}`, () => {
    test('a quota that one has learned is known to all, also to those that come later', async () => {
      const place = open()
      const [one, two] = await joinTwo(place)
      const reading = { pool: null, limit: 60, remaining: 0, resetAt: Date.now() + HOUR }
      one.pools.observe('a:core', 'me', reading, Date.now())
      await expect.poll(() => two.pools.all()).toEqual(one.pools.all())
      const late = await joinAs(place, 'late')
      expect(late.pools.all()).toMatchObject([{ pool: 'a:core', remaining: 0 }])
    })

    test('a circuit that one opens is open for all, until one closes it', async () => {
      const place = open()
      const [one, two] = await joinTwo(place)
      openCircuit(one)
      await expect.poll(() => kindsOf(one, two)).toEqual(['open', 'open'])
      expect(kindsOf(await joinAs(place, 'late'))).toEqual(['open'])
      two.breakers.closeAll('a')
      await expect.poll(() => kindsOf(one, two)).toEqual(['closed', 'closed'])
      expect(kindsOf(await joinAs(place, 'last'))).toEqual(['closed'])
    })

    test('a reset by one makes all forget', async () => {
      const [one, two] = await joinTwo(open())
      openCircuit(one)
      await expect.poll(() => kindsOf(two)).toEqual(['open'])
      two.retryBudget.spend('a')
      one.resets.make('a', ['quota', 'circuit'], Date.now())
      await expect.poll(() => [...kindsOf(two), two.retryBudget.left('a')]).toEqual(['closed', 10])
    })

    test('one that was away during a reset leaves a circuit that was opened after it', async () => {
      const place = open()
      const one = await joinAs(place, 'one')
      one.resets.make('a', ['circuit'], Date.now())
      openCircuit(one)
      await expect.poll(async () => kindsOf(await joinAs(place, 'late'))).toEqual(['open'])
      const back = await joinAs(place, 'back', openCircuit)
      // Whatever it posted before has arrived when this has.
      openCircuit(back, 'b:rest')
      await expect.poll(() => one.breakers.kindOf('b:rest', Date.now())).toBe('open')
      expect(kindsOf(one, back)).toEqual(['open', 'open'])
    })

    test('one process at a time has the lease of a probe, and only that one releases it', async () => {
      const place = open()
      const [one, two] = await Promise.all(
        ['one', 'two'].map(me => place.join(store => createProbeLease(store, me))),
      )
      expect(await one?.take(CIRCUIT, HOUR)).toBe(true)
      two?.release(CIRCUIT)
      expect(await two?.take(CIRCUIT, HOUR)).toBe(false)
      expect(await two?.take('b:rest', 30)).toBe(true)
      one?.release(CIRCUIT)
      expect(await two?.take(CIRCUIT, HOUR)).toBe(true)
      // A lease that nobody releases ends.
      await expect.poll(() => one?.take('b:rest', HOUR)).toBe(true)
    })

    test('the calls of a minute are counted together, each key for itself', async () => {
      const all = await joinTwo(open())
      const limits = { requestsPerMinute: 3, concurrency: null }
      const enter = (key: string) =>
        all.map(({ keyLimits }) => keyLimits.enter(key, limits, performance.now(), 1000))
      const entries = await Promise.all([...enter('k'), ...enter('k'), ...enter('other')])
      const [refused, ...more] = over(entries)
      expect(more).toEqual([])
      expect(refused).toMatchObject({ limit: 'requests_per_minute', allowed: 3 })
      expect(refused?.retryAfterMs).toBeGreaterThan(10_000)
      expect(refused?.retryAfterMs).toBeLessThanOrEqual(20_000)
    })

    test('calls at once are counted together, and a refused one costs nothing of the minute', async () => {
      const [one, two] = await joinTwo(open())
      const limits = { requestsPerMinute: 3, concurrency: 1 }
      const enter = ({ keyLimits }: Seen) => keyLimits.enter('k', limits, performance.now(), 1000)
      const first = await enter(one)
      for (let n = 0; n < 5; n++) expect(await enter(two)).toMatchObject({ limit: 'concurrency' })
      if (!isOver(first)) first.release()
      const released = async () => {
        const entry = await enter(two)
        if (!isOver(entry)) entry.release()
        return isOver(entry) ? entry.limit : 'entered'
      }
      await expect.poll(released).toBe('entered')
    })

    test('the place of a call that is never released becomes free', async () => {
      const place = open()
      const [one, two] = [await place.join(store => store), await place.join(store => store)]
      const enter = (store: typeof one, lease: string, ms: string) =>
        store.run(ENTER, ['bucket', 'running'], ['', '1', lease, ms])
      expect(await enter(one, 'first', '30')).toEqual(['entered'])
      await expect.poll(() => enter(two, 'second', String(HOUR))).toEqual(['entered'])
      expect(await enter(one, 'third', '30')).toEqual(['concurrency'])
    })

    test('a reply with an ETag is revalidated by all, for the same key only', async () => {
      const [one, two] = await joinTwo(open())
      const asked: (string | undefined)[] = []
      const ask = (seen: Seen, key: string) =>
        seen.revalidation.call(
          () => key,
          {} as never,
          async ({ etag }) => {
            asked.push(etag)
            return { ...REPLY, status: etag === undefined ? 200 : 304 }
          },
        )
      await ask(one, 'mine')
      await expect.poll(async () => (await ask(two, 'mine')).ok && asked.at(-1)).toBe('"v1"')
      await ask(two, 'of another')
      expect(asked.at(-1)).toBe(undefined)
    })

    test('a write is known to the others while it runs and after it has made something', async () => {
      const [one, two] = await joinTwo(open())
      const writes = ({ recentWrites }: Seen) => recentWrites.otherGateways as OtherWrites
      const time = Date.now()
      const end = writes(one).begin('place', { input: { n: 1 }, time })
      const drop = writes(one).begin('place', { input: { n: 2 }, time })
      const seen = async () => (await writes(two).all('place')).map(({ data }) => data)
      await expect.poll(seen).toEqual([null, null])
      end({ data: { made: 1 } })
      drop(null)
      await expect.poll(seen).toEqual([{ made: 1 }])
      expect(await writes(one).all('place')).toEqual([])
      expect(await writes(two).all('elsewhere')).toEqual([])
    })

    test('an answer is found by all until a change, and not kept if the change came before it', async () => {
      const memories = await joinTwo(open())
      const [one, two] = memories
      const mark = await keep(one, 'x')
      expect(await found(two, 'x')).toBe(ANSWER.data)
      await drop(two, ['a.list'])
      expect(await found(one, 'x')).toBe(ANSWER.data)
      await drop(two, ['a.read'])
      one.keptAnswers.keep(placeOf('x'), ANSWER, mark)
      expect(await found(one, 'x')).toBe(null)
      await keep(one, 'x')
      expect(await found(two, 'x')).toBe(ANSWER.data)
      await drop(one, null)
      expect(await found(two, 'x')).toBe(null)
    })

    test('an answer that was looked for while a change may still happen is not kept', async () => {
      const [one, two] = await joinTwo(open())
      await drop(two, null, HOUR)
      await keep(one, 'x')
      expect(await found(two, 'x')).toBe(null)
    })

    test('answers have one bound for all, and the oldest goes first', async () => {
      const [one, two] = await joinTwo(open())
      await keep(one, 'x')
      await keep(two, 'y')
      await keep(one, 'z')
      expect(await Promise.all(['x', 'y', 'z'].map(name => found(two, name)))).toEqual([
        null,
        ANSWER.data,
        ANSWER.data,
      ])
    })
  })
}

const REPLY: GoodReply = {
  ok: true,
  body: { n: 1 },
  status: 200,
  headers: { etag: '"v1"' },
  warnings: [],
  partialFailure: null,
  exchange: null as never,
}

function placeOf(name: string) {
  return { key: name, upstream: 'a', capability: 'a.read' }
}

async function look({ keptAnswers }: Seen, name: string) {
  // A Redis counts whole milliseconds, and keeps no answer that was looked for in the one of a change.
  await delay(2)
  return await keptAnswers.look(placeOf(name), performance.now(), PATIENCE_MS)
}

async function found(seen: Seen, name: string): Promise<unknown> {
  const { found: answer } = await look(seen, name)
  return answer === null ? null : (JSON.parse(answer.json) as typeof ANSWER).data
}

/** Looks for an answer, and keeps it as a call does. @returns the mark of the look */
async function keep(seen: Seen, name: string): Promise<number> {
  const { mark } = await look(seen, name)
  seen.keptAnswers.keep(placeOf(name), ANSWER, mark ?? 0)
  return mark ?? 0
}

async function drop(
  { keptAnswers }: Seen,
  capabilities: readonly string[] | null,
  doubtMs = 0,
): Promise<void> {
  const touched = { upstream: 'a', capabilities, doubtMs }
  await keptAnswers.drop(touched, performance.now(), PATIENCE_MS)
}
