import { type ChildProcess, spawn } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { expect, it, vi } from 'vitest'
import { killOrphans } from '../../../adapters/cli/orphans.ts'
import { createHelperRunner } from '../../../adapters/cli/spawn-client.ts'
import { startTestGateway } from '../../support/gateway.ts'
import { gh } from '../../support/parts.ts'
import { connectTo, fixture, processesWith } from './connected.ts'

const GATEWAY = fileURLToPath(new URL('gateway-process.ts', import.meta.url))

it('leaves no process behind when the gateway is killed', async () => {
  const mark = randomUUID()
  const gateway = spawn(process.execPath, [GATEWAY, fixture('ignores-sigterm'), mark])
  await vi.waitFor(() => expect(programs(mark)).not.toEqual([]), { timeout: 10_000 })
  const helpers = childrenOf(gateway)
  gateway.kill('SIGKILL')
  await vi.waitFor(() => expect(programs(mark)).toEqual([]), { timeout: 5000 })
  await vi.waitFor(() => expect(helpers.filter(isAlive)).toEqual([]), { timeout: 5000 })
})

it('ends the runs of a helper that dies, with an unknown outcome, and starts a new helper for the next call', async () => {
  const mark = randomUUID()
  await using test = connectTo(fixture('forever'), { env: { MARK: mark } }, createHelperRunner)
  const reply = test.call({}, { effect: 'write' })
  await vi.waitFor(() => expect(programs(mark)).not.toEqual([]), { timeout: 10_000 })
  for (const pid of parentsOf(programs(mark))) process.kill(pid, 'SIGKILL')
  expect(await reply).toMatchObject({ failure: { code: 'UNKNOWN', writeOutcome: 'unknown' } })
  await vi.waitFor(() => expect(programs(mark)).toEqual([]), { timeout: 5000 })
  const again = await test.call({}, { signal: AbortSignal.timeout(1000) })
  expect(again).toMatchObject({ failure: { code: 'TIMEOUT' } })
})

it('finds programs that a dead helper did not report by their home', async () => {
  const home = `/tmp/${randomUUID()}`
  const script = `HOME=${home} setsid sleep 600 & HOME=${home}-of-another setsid sleep 600 &`
  await once(spawn('sh', ['-c', script]), 'exit')
  // setsid makes the process group, which killOrphans signals, before it becomes sleep.
  const commands = () => programs(home).map(commandOf)
  await vi.waitFor(() => expect(commands()).toEqual(['sleep', 'sleep']), { timeout: 10_000 })
  killOrphans(home)
  const another = programs(`${home}-of-another`)
  await vi.waitFor(() => expect(programs(home)).toEqual(another), { timeout: 5000 })
  for (const pid of another) process.kill(pid, 'SIGKILL')
  expect(another).toHaveLength(1)
})

/** Processes with the mark in their environment. The process in place of the gateway has it only as an argument. */
function programs(mark: string): number[] {
  return processesWith(mark)
}

function commandOf(pid: number): string {
  return readFileSync(`/proc/${pid}/comm`, 'utf8').trim()
}

function childrenOf({ pid }: ChildProcess): number[] {
  return readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8')
    .split(' ')
    .filter(Boolean)
    .map(Number)
}

function parentsOf(pids: readonly number[]): number[] {
  return pids.map(pid =>
    Number(/^PPid:\s+(\d+)$/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1]),
  )
}

function isAlive(pid: number): boolean {
  try {
    return !/^State:\s+Z/m.test(readFileSync(`/proc/${pid}/status`, 'utf8'))
  } catch {
    return false
  }
}

it.runIf(gh.available)(
  'leaves no helper behind when cards are reloaded',
  async () => {
    await using gateway = await startTestGateway()
    const before = helpersOf(process.pid)
    const repo = { owner: 'octo-org', name: 'hello-world' }
    const call = async () =>
      (await gateway.call('repo.view', repo, { query: { route: 'cli' } })).body.ok
    for (let round = 0; round < 3; round++) {
      const running = call()
      await gateway.engine.reload()
      expect([await running, await call()]).toEqual([true, true])
    }
    // The last one serves the cards in use.
    const own = () => helpersOf(process.pid).filter(pid => !before.includes(pid))
    await vi.waitFor(() => expect(own()).toHaveLength(1), { timeout: 10_000 })
  },
  60_000,
)

function helpersOf(parent: number): number[] {
  const list = readFileSync(`/proc/${parent}/task/${parent}/children`, 'utf8')
  const pids = list.split(' ').filter(Boolean).map(Number)
  return pids.filter(pid => {
    try {
      return readFileSync(`/proc/${pid}/cmdline`, 'utf8').includes('spawn-server')
    } catch {
      return false
    }
  })
}
