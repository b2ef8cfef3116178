import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test, vi } from 'vitest'
import { demoAddresses } from '../support/demo.ts'
import { SIGNALBOX, temporaryDirectory } from './support/signalbox.ts'

// The test starts a whole process, which is slow on a busy machine.
vi.setConfig({ testTimeout: 120_000 })

test('the demo keeps its journal where the settings file says', async () => {
  await using directory = await temporaryDirectory()
  const [file, journal] = ['signalbox.yaml', 'own.sqlite'].map(name => join(directory.path, name))
  await writeFile(String(file), JSON.stringify({ journal }))
  const child = spawn(process.execPath, [SIGNALBOX, 'demo', '--config', String(file)], {
    env: { PATH: process.env.PATH, PORT: '0', SANDBOX_PORT: '0' },
    cwd: tmpdir(),
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const ended = once(child, 'close')
  await demoAddresses(child)
  expect(existsSync(String(journal))).toBe(true)
  child.kill('SIGTERM')
  await ended
})
