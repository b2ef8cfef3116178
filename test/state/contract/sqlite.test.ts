import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { onTestFinished } from 'vitest'
import { connect } from '../../../src/journal/sqlite/connection.ts'
import { SqliteIdempotency } from '../../../src/state/sqlite-idempotency.ts'
import { describeIdempotency } from './idempotency.ts'

describeIdempotency('SQLite', async () => {
  const directory = await mkdtemp(join(tmpdir(), 'sb-keys-'))
  onTestFinished(() => rm(directory, { recursive: true }))
  let lives = 0
  return {
    open: async () =>
      new SqliteIdempotency(connect(join(directory, 'keys.sqlite')), `life-${++lives}`),
    crash: async store => store.close(),
  }
})
