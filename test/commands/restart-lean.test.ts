import { readdirSync, readFileSync } from 'node:fs'
import { platform } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test, vi } from 'vitest'
import { startGatewayProcess } from '../support/process.ts'
import { temporaryDirectory } from './support/signalbox.ts'

// Each test starts whole processes, which are slow on a busy machine.
vi.setConfig({ testTimeout: 120_000 })

const OWN = { NODE_OPTIONS: '--max-semi-space-size=8', MALLOC_ARENA_MAX: '3' }
const LEAN = { flags: ['--max-semi-space-size=16', '--min-semi-space-size=16'], arenas: '1' }

// The command line and the environment of another process are in /proc.
test.runIf(platform() === 'linux').each([
  { name: 'one process', env: {}, expected: [LEAN] },
  {
    name: 'workers, and the process that starts them',
    env: { SIGNALBOX_WORKERS: '2' },
    expected: [LEAN, LEAN, LEAN],
  },
  {
    name: 'a gateway whose operator sets both',
    env: OWN,
    expected: [{ flags: [], arenas: '3' }],
  },
])('young generation and arenas of $name', async ({ env, expected }) => {
  await using directory = await temporaryDirectory()
  const journal = join(directory.path, 'journal.sqlite')
  const settings = { SIGNALBOX_JOURNAL: journal, SIGNALBOX_PACKS: 'none' }
  const gateway = await startGatewayProcess({ ...settings, ...env })
  onTestFinished(() => void gateway.child.kill())
  const gateways = () => treeOf(Number(gateway.child.pid)).filter(isGateway)
  await vi.waitFor(() => expect(gateways().map(leannessOf)).toEqual(expected), 30_000)
  expect(await gateway.end('SIGTERM')).toBe(0)
})

function leannessOf(pid: number) {
  const flags = wordsOf(pid, 'cmdline').filter(word => word.includes('-semi-space-size='))
  const arenas = wordsOf(pid, 'environ').find(word => word.startsWith('MALLOC_ARENA_MAX='))
  return { flags, arenas: arenas?.split('=')[1] }
}

function isGateway(pid: number): boolean {
  return wordsOf(pid, 'cmdline').includes('serve')
}

function wordsOf(pid: number, file: 'cmdline' | 'environ'): readonly string[] {
  return readFileSync(`/proc/${pid}/${file}`, 'utf8').split('\0')
}

function treeOf(pid: number): readonly number[] {
  const below = readdirSync(`/proc/${pid}/task`).flatMap(task =>
    readFileSync(`/proc/${pid}/task/${task}/children`, 'utf8')
      .split(' ')
      .filter(Boolean)
      .map(Number),
  )
  return [pid, ...below.flatMap(treeOf)]
}
