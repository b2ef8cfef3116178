import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { closeSync, openSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect, onTestFinished, test, vi } from 'vitest'
import { temporaryDirectory } from '../commands/support/signalbox.ts'
import { freePort } from '../support/free-port.ts'

// Each worker takes more than a second of a core to start.
vi.setConfig({ testTimeout: 120_000 })
const PATIENCE = { timeout: 60_000 }

const BIN = fileURLToPath(new URL('../../bin/signalbox.js', import.meta.url))
/** Their lines are more than a pipe holds, at 300 bytes each. */
const MANY = 1_500
const AT_ONCE = 50

interface Output {
  readonly stdout: 'pipe' | number
  /** Breaks the pipe of a gateway that listens. */
  readonly end?: (gateway: ChildProcess) => void
}

const OUTPUTS: Readonly<Record<string, () => Output>> = {
  'a full disk': () => {
    const fd = openSync('/dev/full', 'w')
    onTestFinished(() => closeSync(fd))
    return { stdout: fd }
  },
  'a pipe that nobody reads': () => ({ stdout: 'pipe' }),
  'a pipe whose reader has ended': () => ({
    stdout: 'pipe',
    end: ({ stdout }) => stdout?.destroy(),
  }),
}

const ROWS = Object.keys(OUTPUTS).flatMap(name => [1, 2].map(workers => [name, workers] as const))

test.each(ROWS)(
  'a gateway serves and stops while its log goes to %s (workers: %i)',
  async (name, workers) => {
    const open = OUTPUTS[name] as () => Output
    const { stdout, end } = open()
    const directory = await temporaryDirectory()
    onTestFinished(() => directory[Symbol.asyncDispose]())
    const url = `http://127.0.0.1:${await freePort()}`
    const gateway = spawn(process.execPath, [BIN, 'serve', '--workers', String(workers)], {
      env: {
        PATH: process.env.PATH,
        PORT: new URL(url).port,
        SIGNALBOX_JOURNAL: join(directory.path, 'journal.sqlite'),
      },
      stdio: ['ignore', stdout, 'ignore'],
    })
    onTestFinished(() => void gateway.kill('SIGKILL'))
    const ended = once(gateway, 'exit')
    const status = async (path: string) =>
      await fetch(`${url}${path}`).then(
        async response => [await response.text(), response.status][1],
        () => null,
      )
    await expect.poll(() => status('/livez'), PATIENCE).toBe(200)

    end?.(gateway)
    for (let sent = 0; sent < MANY; sent += AT_ONCE)
      await Promise.all(Array.from({ length: AT_ONCE }, () => status('/v1/capabilities/nothing')))
    expect(await status('/livez')).toBe(200)

    gateway.kill('SIGTERM')
    expect(await ended).toEqual([0, null])
  },
)
