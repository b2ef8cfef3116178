import { execFile } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { expect, test } from 'vitest'

const SCRIPT = fileURLToPath(new URL('support/short-lived-workers.ts', import.meta.url))

test('a worker that ends while it starts is seen to end', async () => {
  const { stdout } = await promisify(execFile)(process.execPath, [SCRIPT])
  expect(stdout.trim()).toBe('16 of 16')
}, 200_000)
