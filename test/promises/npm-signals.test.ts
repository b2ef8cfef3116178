import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect, onTestFinished, test } from 'vitest'
import { temporaryDirectory } from '../commands/support/signalbox.ts'
import { freePort } from '../support/free-port.ts'

const ROOT = fileURLToPath(new URL('../..', import.meta.url))

test.each(['serve', 'start'])(
  'SIGTERM to npm run %s ends the gateway, not a shell before it',
  async script => {
    const directory = await temporaryDirectory()
    onTestFinished(() => directory[Symbol.asyncDispose]())
    const [port, sandboxPort] = [await freePort(), await freePort()]
    const npm = spawn('npm', ['run', script], {
      cwd: ROOT,
      env: {
        ...process.env,
        PORT: String(port),
        SANDBOX_PORT: String(sandboxPort),
        SIGNALBOX_JOURNAL: join(directory.path, 'journal.sqlite'),
      },
      stdio: 'ignore',
      detached: true,
    })
    onTestFinished(() => {
      try {
        process.kill(-(npm.pid as number), 'SIGKILL')
      } catch {
        // All of them have ended.
      }
    })
    const isAlive = () =>
      fetch(`http://127.0.0.1:${port}/livez`).then(
        ({ ok }) => ok,
        () => false,
      )
    await expect.poll(isAlive, { timeout: 30_000 }).toBe(true)
    npm.kill('SIGTERM')
    await once(npm, 'exit')
    await expect.poll(isAlive, { timeout: 10_000 }).toBe(false)
  },
  60_000,
)
