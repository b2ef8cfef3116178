import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { readdirSync, readFileSync } from 'node:fs'
import { expect, onTestFinished, test } from 'vitest'
import { temporaryDirectory } from '../commands/support/signalbox.ts'

/** The processes whose arguments or environment name this place. Empty on systems without `/proc`. */
function processesAt(place: string): readonly number[] {
  const pids = readdirSync('/proc').filter(name => /^\d+$/.test(name))
  return pids
    .filter(pid => textOf(pid, 'cmdline').includes(place) || textOf(pid, 'environ').includes(place))
    .map(Number)
}

function textOf(pid: string, file: string): string {
  try {
    return readFileSync(`/proc/${pid}/${file}`, 'latin1')
  } catch {
    // It has ended, or belongs to somebody else.
    return ''
  }
}

const isLinux = process.platform === 'linux'

test.runIf(isLinux).each([
  ['workers.ts', ['--quick']],
  ['crowd.ts', []],
  ['memory.ts', []],
  ['start.ts', []],
  ['journal.ts', ['--rows', '20000', '--only', 'sqlite']],
  ['worker-records.ts', ['--rounds', '1000']],
])(
  'bench/%s leaves no process and no file when it is interrupted',
  async (script, args) => {
    const directory = await temporaryDirectory()
    onTestFinished(() => directory[Symbol.asyncDispose]())
    const { path } = directory
    const bench = spawn(process.execPath, [`bench/${script}`, ...args], {
      env: { ...process.env, TMPDIR: path },
      stdio: 'ignore',
    })
    const ended = once(bench, 'exit')
    // Each has files before it has processes.
    const others = () => processesAt(`${path}/signalbox-`).filter(pid => pid !== bench.pid)
    const hasBegun = () =>
      (script === 'journal.ts' || script === 'worker-records.ts' ? readdirSync(path) : others())
        .length > 0
    await expect.poll(hasBegun, { timeout: 20_000 }).toBe(true)
    // Only the bench gets the signal, as from a supervisor.
    bench.kill('SIGINT')
    expect((await ended)[0]).toBe(130)
    onTestFinished(() => others().forEach(pid => process.kill(pid, 'SIGKILL')))
    expect(others()).toEqual([])
    expect(readdirSync(path)).toEqual([])
  },
  60_000,
)
