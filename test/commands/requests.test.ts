import { expect, test, vi } from 'vitest'
import { signalbox } from './support/signalbox.ts'

// The test starts a whole process, which is slow on a busy machine.
vi.setConfig({ testTimeout: 120_000 })

test('requests refuses a PostgreSQL journal without printing its password', async () => {
  const env = { SIGNALBOX_JOURNAL: 'postgres://someone:open-sesame@127.0.0.1/journal' }
  const { code, stderr } = await signalbox(['requests'], env)
  expect(stderr).toBe(
    'signalbox: requests reads SQLite files only. For PostgreSQL, use GET /v1/requests of a gateway.\n',
  )
  expect(code).toBe(1)
})
