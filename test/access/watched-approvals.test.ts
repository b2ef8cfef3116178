import { expect, onTestFinished, test, vi } from 'vitest'
import { WatchedApprovals } from '../../src/access/watched-approvals.ts'
import { SpillFiles } from '../../src/journal/spill-files.ts'
import type { ApprovalStore } from '../../src/state/approvals.ts'
import { temporaryDirectory } from '../commands/support/signalbox.ts'

/** Approvals on a disk that is full: they can be read, and not written until `free`. */
function onFullDisk(spill: SpillFiles | null = null) {
  vi.useFakeTimers()
  onTestFinished(() => void vi.useRealTimers())
  let isFull = true
  const write = async () => {
    if (isFull) throw new Error('database or disk is full')
  }
  const returned: string[] = []
  const giveBack = async (id: string) => {
    await write()
    returned.push(id)
  }
  const store = { ask: write, tryToWrite: write, giveBack, waiting: async () => 0 }
  const heard: string[] = []
  const watched = new WatchedApprovals({
    store: store as unknown as ApprovalStore,
    onChange: () => {},
    outage: { onAway: () => heard.push('away'), onBack: () => heard.push('back') },
    spill,
  })
  const free = () => (isFull = false)
  return { watched, heard, free, returned }
}

test('the end of an outage of the approvals is noticed without another call that asks', async () => {
  const { watched, heard, free } = onFullDisk()
  await expect(watched.ask({} as never)).rejects.toThrow('full')
  await vi.advanceTimersByTimeAsync(10_000)
  expect(heard).toEqual(['away'])
  free()
  await vi.advanceTimersByTimeAsync(3_000)
  expect(heard).toEqual(['away', 'back'])
})

test('a read that works does not end the outage of a full disk', async () => {
  const { watched, heard } = onFullDisk()
  await expect(watched.ask({} as never)).rejects.toThrow('full')
  expect(await watched.waiting(0)).toBe(0)
  expect(heard).toEqual(['away'])
})

test('nothing is tried after the end', async () => {
  const { watched } = onFullDisk()
  await expect(watched.ask({} as never)).rejects.toThrow('full')
  await watched.close()
  expect(vi.getTimerCount()).toBe(0)
})

test('an approval that an earlier gateway spilled is given back when the outage ends in which this one started', async () => {
  await using directory = await temporaryDirectory()
  const spill = new SpillFiles(`${directory.path}/approvals-spill`)
  spill.save([JSON.stringify(['approval', 'request'])])
  const { heard, free, returned } = onFullDisk(spill)
  await vi.advanceTimersByTimeAsync(10_000)
  expect(heard).toEqual(['away'])
  free()
  await vi.advanceTimersByTimeAsync(3_000)
  expect(returned).toEqual(['approval'])
  expect(spill.lines()).toEqual([])
})
