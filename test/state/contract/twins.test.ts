import { setTimeout as delay } from 'node:timers/promises'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { Place } from '../../../src/state/answers.ts'
import { OPERATIONS } from '../../../src/state/local/operations.ts'
import { DROP, KEEP as KEEP_ANSWER, LOOK, RedisAnswers } from '../../../src/state/redis/answers.ts'
import { POST } from '../../../src/state/redis/board.ts'
import { ENTER, LEAVE } from '../../../src/state/redis/key-limits.ts'
import { RELEASE, TAKE } from '../../../src/state/redis/probe-lease.ts'
import { KEEP } from '../../../src/state/redis/replies.ts'
import type { SharedStore } from '../../../src/state/redis/store.ts'
import { REPLACE } from '../../../src/state/redis/writes.ts'
import { redis } from '../../support/parts.ts'
import { startRedis, type TestRedis } from '../../support/redis.ts'
import { inPrimary, inRedis, type SharedPlace } from './stores.ts'

interface Call {
  readonly keys: string[]
  readonly values: readonly string[]
}

interface Script {
  /** The thing that the script is about. */
  readonly of: string
  readonly script: string
  /** Makes a call of the script that often meets what other calls have left. */
  readonly make: (pick: Pick, now: number) => Call
  /** Reads whatever the script may have changed. */
  readonly read: (store: SharedStore, call: Call) => Promise<unknown>
  /** The part of an answer that does not depend on the clock. */
  readonly plain?: (answer: unknown) => unknown
}

type Pick = <T>(from: readonly T[]) => T

const MINUTE = 60_000
/** Few of each, so that they meet; ends and times are often equal. */
const NAMES = ['a', 'b', 'c', 'd', 'e']
const LATER = [1, 1, 2, 3].map(minutes => minutes * MINUTE)

const sets =
  (...places: readonly number[]) =>
  async (store: SharedStore, { keys }: Call) =>
    await Promise.all(places.map(place => store.sorted(keys[place] ?? '')))

/** The two places have clocks of their own: scores that follow them may be equal in one place and not in the other. */
const anyOrder =
  (place: number) =>
  async (store: SharedStore, { keys }: Call) =>
    (await store.sorted(keys[place] ?? '')).toSorted()

const SCRIPTS: readonly Script[] = [
  {
    of: 'a board',
    script: POST,
    make(pick, now) {
      const posts = [1, 2].flatMap(() => {
        const ends = now + pick([-MINUTE, 0, ...LATER])
        return [pick(NAMES), pick(['', 'x', 'y']), String(ends)]
      })
      const head = [String(now), '3', 'news', pick(NAMES)]
      return { keys: ['board', 'board:ends'], values: [...head, ...posts] }
    },
    read: async (store, { keys: [posts = '', ends = ''] }) => [
      await store.hash(posts),
      await store.sorted(ends),
    ],
  },
  {
    of: 'kept replies',
    script: KEEP,
    make(pick, now) {
      const name = pick(NAMES)
      const bounds = [String(now), '3', 'replies', 'reply:']
      return {
        keys: [`reply:${name}`, 'replies'],
        values: [pick(['x', 'y']), String(MINUTE), name, ...bounds],
      }
    },
    async read(store, { keys: [, all = ''] }) {
      const replies = NAMES.map(name => store.get(`reply:${name}`))
      return [await store.sorted(all), await Promise.all(replies)]
    },
  },
  {
    of: 'recent writes',
    script: REPLACE,
    make(pick, now) {
      const [before, after] = [pick(['', ...NAMES]), pick(['', ...NAMES])]
      const bounds = [String(now + pick([-MINUTE, 0, ...LATER])), '3', String(10 * MINUTE)]
      return {
        keys: [`writes:${pick(['x', 'y'])}`],
        values: [String(now), before, after, ...bounds],
      }
    },
    read: sets(0),
  },
  {
    of: 'limits of keys',
    script: ENTER,
    make(pick) {
      const [rate, most] = [pick(['', '3', '0']), pick(['', '2', '0'])]
      const key = `${pick(['x', 'y'])}${rate}`
      return {
        keys: [`${key}:bucket`, `${key}:running`],
        values: [rate, most, pick(NAMES), String(pick(LATER))],
      }
    },
    read: anyOrder(1),
    // A few thousandths of a call have come back meanwhile.
    plain: answer => {
      const [kind, tokens] = answer as readonly [string, string?]
      return tokens === undefined ? [kind] : [kind, Math.floor(Number(tokens) * 10)]
    },
  },
  {
    of: 'limits of keys',
    script: LEAVE,
    make: pick => ({
      keys: [`${pick(['x', 'y'])}${pick(['', '3'])}:running`],
      values: [pick(NAMES)],
    }),
    read: anyOrder(0),
  },
  {
    of: 'probes',
    script: TAKE,
    make: pick => ({ keys: [`probe:${pick(['x', 'y'])}`], values: [pick(NAMES), String(MINUTE)] }),
    read: async (store, { keys: [key = ''] }) => await store.get(key),
  },
  {
    of: 'probes',
    script: RELEASE,
    make: pick => ({ keys: [`probe:${pick(['x', 'y'])}`], values: [pick(NAMES)] }),
    read: async (store, { keys: [key = ''] }) => await store.get(key),
  },
]

interface Step extends Call {
  readonly of: Script
}

/** The answers of one place, each with what a reader finds afterwards. */
async function answersOf(store: SharedStore, steps: readonly Step[]) {
  // Both places keep the order in which they were asked.
  return await Promise.all(
    steps.map(async ({ of: { script, read, plain = orNull }, ...call }) => {
      const answer = store.run(script, call.keys, call.values)
      const found = read(store, call)
      return { ...call, answer: plain(await answer), found: await found }
    }),
  )
}

function orNull(answer: unknown): unknown {
  return answer ?? null
}

function pick<T>(from: readonly T[]): T {
  return from[Math.floor(Math.random() * from.length)] as T
}

describe.runIf(redis.available)('the state in a Redis and in a primary process', () => {
  let server: TestRedis
  beforeAll(async () => {
    server = await startRedis()
  })
  afterAll(() => server.remove())

  async function stores() {
    const open = (place: SharedPlace) => place.join(store => store)
    return [await open(inRedis(server.createDatabase())), await open(inPrimary(0))] as const
  }

  test.each([...new Set(SCRIPTS.map(({ of }) => of))])('is the same: %s', async thing => {
    const [one, other] = await stores()
    const now = Date.now()
    const scripts = SCRIPTS.filter(({ of }) => of === thing)
    const steps = Array.from({ length: 150 }, (_, at) => {
      const of = pick(scripts)
      return { ...of.make(pick, now + at), of }
    })
    expect(await answersOf(other, steps)).toEqual(await answersOf(one, steps))
  })

  test('is compared for each script that has a twin', () => {
    const compared = [...SCRIPTS.map(({ script }) => script), LOOK, KEEP_ANSWER, DROP]
    expect(new Set(compared)).toEqual(new Set(OPERATIONS.map(([script]) => script)))
  })

  test('is the same: answers from memory', async () => {
    const places = [inRedis(server.createDatabase()), inPrimary(MOST_BYTES)]
    const memories = await Promise.all(
      places.map(place => place.join(store => new RedisAnswers(store, MOST_BYTES))),
    )
    const marks = memories.map(() => new Map<string, number>())
    for (let step = 0; step < 150; step++) {
      const does = pick(['look', 'look', 'keep', 'change'])
      const place = placeOf(pick(NAMES))
      const capabilities = pick([null, ['a.read'], ['a.list']])
      const found = memories.map(async (memory, at) => {
        const known = marks[at]
        const mark = known?.get(place.key)
        if (does === 'change')
          return await memory.drop({ upstream: 'a', capabilities, doubtMs: 0 }, MINUTE)
        if (does === 'keep') return mark && memory.keep(place, String(step), mark)
        const look = await memory.look(place, MINUTE)
        known?.set(place.key, look.mark ?? 0)
        return look.found?.json ?? null
      })
      expect(await found[1]).toEqual(await found[0])
      // A Redis counts whole milliseconds, and keeps no answer that was looked for in the one of a change.
      await delay(2)
    }
  })
})

const MOST_BYTES = 1_000_000

function placeOf(name: string): Place {
  return { key: name, upstream: 'a', capability: name < 'c' ? 'a.read' : 'a.list' }
}
