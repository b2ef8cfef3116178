import { stat } from 'node:fs/promises'
import { expect, test } from 'vitest'
import { withinTurns } from '../../src/lib/within.ts'

function standStill(ms: number): void {
  const end = performance.now() + ms
  while (performance.now() < end);
}

test('an answer that has arrived while the process stood still is in time', async () => {
  // The thread pool answers meanwhile, as another process would.
  const answer = withinTurns(stat('.'), 1, 'silent')
  standStill(200)
  expect((await answer).isDirectory()).toBe(true)
})

test('an answer that does not come is late', async () => {
  await expect(withinTurns(new Promise(() => {}), 1, 'silent')).rejects.toThrow('silent')
})
