import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { onTestFinished } from 'vitest'
import { KeyServer, WorkerIdempotency } from '../../../src/gateway/workers/idempotency.ts'
import { connect } from '../../../src/journal/sqlite/connection.ts'
import {
  describeIdempotency,
  describeSharedIdempotency,
  type Place,
  placeOf,
} from './idempotency.ts'
import { describeShared, MOST_BYTES } from './shared.ts'
import { inPrimary, linked } from './stores.ts'

describeShared('a primary process', () => inPrimary(MOST_BYTES))

async function openPlace(): Promise<Place> {
  const directory = await mkdtemp(join(tmpdir(), 'sb-keys-'))
  const db = connect(join(directory, 'keys.sqlite'))
  const server = new KeyServer(db)
  onTestFinished(async () => {
    db.close()
    await rm(directory, { recursive: true })
  })
  return placeOf(async () => {
    const { near, far } = linked()
    const forget = server.serve(far)
    const end = async () => {
      forget()
    }
    return { store: new WorkerIdempotency(near, async () => {}), end }
  })
}

describeIdempotency('a primary process', openPlace)
describeSharedIdempotency('a primary process', openPlace)
