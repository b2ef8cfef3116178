import { describe, expect, onTestFinished, test } from 'vitest'
import type { Answer } from '../../../src/model/envelope.ts'
import type { Claim, IdempotencyStore } from '../../../src/state/idempotency.ts'

/** A store of keys that gateways open. */
export interface Place {
  /** Opens the store for one gateway. */
  open(): Promise<IdempotencyStore>
  /** Ends the gateway as a crash would. */
  crash(store: IdempotencyStore): Promise<void>
}

/** A store opened for one gateway, and a function that ends that gateway. */
export interface Life {
  readonly store: IdempotencyStore
  readonly end: () => Promise<void>
}

/** A place where each gateway has its own name. Closing a store settles no claim, as a crash would not. */
export function placeOf(begin: (owner: string) => Promise<Life>): Place {
  const lives = new Map<IdempotencyStore, Life['end']>()
  let count = 0
  const crash = async (store: IdempotencyStore) => {
    const end = lives.get(store)
    lives.delete(store)
    await end?.()
  }
  return {
    async open() {
      const { store, end } = await begin(`life-${++count}`)
      lives.set(store, end)
      onTestFinished(() => crash(store))
      return store
    },
    crash,
  }
}

const ANSWER = { status: 201, envelope: { ok: true, data: { number: 7 } } } as unknown as Answer
const TIME = Date.now()
let keys = 0

function claimOf(more: Partial<Claim> = {}): Claim {
  const key = `key-${++keys}`
  return { caller: 'agent', capability: 'issue.create', key, fingerprint: 'a', time: TIME, ...more }
}

/** The behaviour of every store of Idempotency-Keys. */
export function describeIdempotency(name: string, openPlace: () => Promise<Place>): void {
  describe(`Idempotency-Keys in ${name}`, () => {
    test('a key is new once, then running until it is settled', async () => {
      const store = await (await openPlace()).open()
      const claim = claimOf()
      expect(await store.claim(claim)).toEqual({ kind: 'new' })
      expect(await store.claim({ ...claim })).toEqual({ kind: 'running', time: TIME })
      expect(store.holds(claim)).toBe(true)
    })

    test('a completed key returns its answer, and refuses another input', async () => {
      const store = await (await openPlace()).open()
      const claim = claimOf()
      await store.claim(claim)
      await store.complete(claim, ANSWER)
      expect(await store.claim({ ...claim })).toEqual({ kind: 'done', answer: ANSWER })
      expect(await store.claim({ ...claim, fingerprint: 'b' })).toEqual({
        kind: 'mismatch',
        time: TIME,
      })
    })

    test('a running key refuses another input', async () => {
      const store = await (await openPlace()).open()
      const claim = claimOf()
      await store.claim(claim)
      expect(await store.claim({ ...claim, fingerprint: 'b' })).toEqual({
        kind: 'mismatch',
        time: TIME,
      })
    })

    test('a released key is new again, with any input', async () => {
      const store = await (await openPlace()).open()
      const claim = claimOf()
      await store.claim(claim)
      await store.release(claim)
      expect(await store.claim({ ...claim, fingerprint: 'b' })).toEqual({ kind: 'new' })
    })

    test('a key belongs to one caller and one capability', async () => {
      const store = await (await openPlace()).open()
      const claim = claimOf()
      await store.claim(claim)
      expect(await store.claim({ ...claim, caller: 'another' })).toEqual({ kind: 'new' })
      expect(await store.claim({ ...claim, capability: 'issue.close' })).toEqual({ kind: 'new' })
    })

    test('a key that a dead gateway had in flight is interrupted, and keeps its time', async () => {
      const place = await openPlace()
      const dying = await place.open()
      const claim = claimOf({ time: TIME - 5_000 })
      await dying.claim(claim)
      await place.crash(dying)

      const heir = await place.open()
      const repeat = { ...claim, time: TIME }
      expect(await heir.claim(repeat)).toEqual({ kind: 'interrupted', time: TIME - 5_000 })
      expect(await heir.claim({ ...claim })).toEqual({ kind: 'running', time: TIME - 5_000 })
      await heir.complete(repeat, ANSWER)
      expect(await heir.claim({ ...claim })).toEqual({ kind: 'done', answer: ANSWER })
    })

    test('a key that a dead gateway had completed is done', async () => {
      const place = await openPlace()
      const dying = await place.open()
      const claim = claimOf()
      await dying.claim(claim)
      await dying.complete(claim, ANSWER)
      await place.crash(dying)
      const heir = await place.open()
      expect(await heir.claim({ ...claim })).toEqual({ kind: 'done', answer: ANSWER })
    })
  })
}

/** The behaviour of stores that several gateways use at a time. */
export function describeSharedIdempotency(name: string, openPlace: () => Promise<Place>): void {
  describe(`Idempotency-Keys of several gateways in ${name}`, () => {
    test('one of several simultaneous claims is new', async () => {
      const place = await openPlace()
      const stores = await Promise.all([place.open(), place.open(), place.open()])
      const claim = claimOf()
      const claims = [...stores, ...stores, ...stores].map(async store => store.claim({ ...claim }))
      const kinds = (await Promise.all(claims)).map(({ kind }) => kind)
      expect(kinds.filter(kind => kind === 'new')).toHaveLength(1)
      expect(kinds.filter(kind => kind === 'running')).toHaveLength(8)
    })

    test('a key that runs on one gateway is running on the others, and then done', async () => {
      const place = await openPlace()
      const [one, other] = [await place.open(), await place.open()]
      const claim = claimOf()
      await one.claim(claim)
      expect(await other.claim({ ...claim })).toEqual({ kind: 'running', time: TIME })
      await one.complete(claim, ANSWER)
      expect(await other.claim({ ...claim })).toEqual({ kind: 'done', answer: ANSWER })
    })

    test('a gateway cannot settle a key that it released and another gateway claimed', async () => {
      const place = await openPlace()
      const [one, other] = [await place.open(), await place.open()]
      const claim = claimOf()
      await one.claim(claim)
      await one.release(claim)
      const again = { ...claim }
      expect(await other.claim(again)).toEqual({ kind: 'new' })
      await one.complete(claim, ANSWER)
      await one.release(claim)
      expect(await one.claim({ ...claim })).toEqual({ kind: 'running', time: TIME })
    })
  })
}
