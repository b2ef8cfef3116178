import { execFile } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { expect, test } from 'vitest'

const SCRIPT = fileURLToPath(new URL('support/unstartable-workers.ts', import.meta.url))

test.each([
  ['the program cannot be found for a moment', 'program'],
  ['the system has no memory for another process', 'memory'],
  ['a message to the dead one finds its pipe closed', 'pipe'],
])(
  'a worker that dies is replaced, although %s',
  async (_what, trouble) => {
    const { stdout } = await promisify(execFile)(process.execPath, [SCRIPT, trouble])
    expect(stdout.trim()).toBe('another worker has taken its place')
  },
  60_000,
)
