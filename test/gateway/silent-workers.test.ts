import { setTimeout as delay } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { Neighbours } from '../../src/gateway/workers/link.ts'
import { Channel } from '../../src/lib/channel.ts'

const WITHIN_MS = 200

/** Two workers, the second of which can stand still: what it is sent waits in its pipe. */
function startWorkers() {
  const neighbours = new Neighbours()
  let isFrozen = false
  let pipe: unknown[] = []
  const workers = [1, 2].map(slot => {
    const primary: Channel = new Channel({
      send: message => {
        if (isFrozen && slot === 2) pipe.push(message)
        else worker.receive(message)
      },
    })
    const worker: Channel = new Channel({
      send: message => setImmediate(() => primary.receive(message)),
    })
    worker.handle('who', () => slot)
    worker.handle('alive', () => true)
    worker.handle('slow', () => delay(4 * WITHIN_MS))
    neighbours.add(primary, slot)
    return worker
  })
  const ask = async (name: string) => {
    const began = performance.now()
    const answers = [...(await neighbours.ask(name, null, WITHIN_MS)).values()]
    return { answers, ms: performance.now() - began }
  }
  return {
    ask,
    freeze: () => {
      isFrozen = true
    },
    thaw: () => {
      isFrozen = false
      for (const message of pipe) workers[1]?.receive(message)
      pipe = []
    },
    waiting: () => pipe.length,
  }
}

test('a worker that stands still delays one answer, and counts again as soon as it goes on', async () => {
  const { ask, freeze, thaw, waiting } = startWorkers()
  expect((await ask('who')).answers).toEqual([1, 2])
  freeze()
  expect((await ask('who')).answers).toEqual([1, null])
  for (let n = 0; n < 3; n++) {
    const { answers, ms } = await ask('who')
    expect(answers).toEqual([1, null])
    expect(ms).toBeLessThan(WITHIN_MS / 2)
  }
  // Only the first question, and whether it is alive: questions do not pile up.
  expect(waiting()).toBe(2)
  thaw()
  await delay(10)
  expect((await ask('who')).answers).toEqual([1, 2])
})

test('a worker that takes long for one question is not silent', async () => {
  const { ask } = startWorkers()
  expect((await ask('slow')).answers).toEqual([null, null])
  await delay(10)
  expect((await ask('who')).answers).toEqual([1, 2])
})

test('a worker that ends while it is asked is not among the silent ones', async () => {
  const neighbours = new Neighbours()
  const channels = [1, 2].map(() => new Channel({ send: () => {} }))
  const [, forget] = channels.map((channel, at) => neighbours.add(channel, at + 1))
  const answers = neighbours.gather('who')
  forget?.()
  for (const channel of channels) channel.close()
  expect(await answers).toEqual([{ worker: 1, answer: null }])
})
