import { expect, test } from 'vitest'
import { type Chore, keepDoing } from '../../src/journal/sqlite/keep-doing.ts'

const FULL = new Error('database or disk is full')

/** Runs a chore until it has been tried once for each outcome. */
async function run(outcomes: readonly ('works' | 'fails')[], others: readonly Chore[] = []) {
  const closing = new AbortController()
  const pauses: number[] = []
  const heard: unknown[] = []
  const left = [...outcomes]
  const chore = {
    everyMs: 100,
    run() {
      if (left.shift() === 'fails') throw FULL
    },
  }
  await keepDoing([chore, ...others], {
    signal: closing.signal,
    async sleep(ms) {
      pauses.push(ms)
      if (left.length === 0) closing.abort()
    },
    outage: {
      onAway: error => heard.push(error),
      onBack: () => heard.push('back'),
    },
  })
  return { pauses, heard }
}

test('a chore that keeps failing is an outage once, and is tried ever more rarely', async () => {
  const { pauses, heard } = await run(['works', ...Array(7).fill('fails'), 'works', 'works'])
  expect(heard).toEqual([FULL, 'back'])
  expect(pauses).toEqual([100, 500, 1000, 2000, 4000, 4000, 4000, 4000, 100, 100])
})

test('a single failure is no outage: another process may have held the lock', async () => {
  const { pauses, heard } = await run(['fails', 'works', 'fails', 'works'])
  expect(heard).toEqual([])
  expect(pauses).toEqual([500, 100, 500, 100])
})

test('the outage of two chores begins with the first and ends with the last', async () => {
  let tries = 0
  const other: Chore = {
    everyMs: 100,
    run() {
      if (++tries < 4) throw FULL
    },
  }
  const { heard } = await run(['fails', 'fails', 'works', 'works', 'works', 'works'], [other])
  expect(heard).toEqual([FULL, 'back'])
})
