import { DatabaseSync } from 'node:sqlite'
import { expect, onTestFinished, test, vi } from 'vitest'
import { loadSettings } from '../../src/gateway/config.ts'
import { openWorkerJournal } from '../../src/gateway/workers/journal.ts'
import { openServices } from '../../src/gateway/workers/services.ts'
import { Channel } from '../../src/lib/channel.ts'
import { temporaryDirectory } from '../commands/support/signalbox.ts'
import { recordOf } from '../journal/records.ts'

vi.setConfig({ testTimeout: 120_000 })

test('the primary process of several workers logs an outage of the journal and its end', async () => {
  const { path, ...directory } = await temporaryDirectory()
  const file = `${path}/journal.sqlite`
  const lines: string[] = []
  const logger = { warn: (...words: unknown[]) => void lines.push(String(words.at(-1))) }
  const services = openServices(loadSettings({}, null, { journal: file }), logger)
  const { worker, primary } = connected()
  services.serve(primary)
  const journal = await openWorkerJournal(worker, { file, onError: () => {} })
  onTestFinished(async () => {
    await journal.close()
    await services.close()
    await directory[Symbol.asyncDispose]()
  })

  const other = new DatabaseSync(file, { timeout: 10_000 })
  other.exec('BEGIN IMMEDIATE')
  // The record goes to the inbox, which the primary process files before it reads.
  await journal.append(recordOf())
  void journal.requests({}, { limit: 1 })
  await expect.poll(() => lines, { timeout: 10_000 }).toEqual(['the journal cannot be written'])
  other.close()
  await expect
    .poll(() => lines, { timeout: 10_000 })
    .toEqual(['the journal cannot be written', 'the journal can be written again'])
})

/** The two ends of a channel, in one process. */
function connected(): { readonly worker: Channel; readonly primary: Channel } {
  const worker: Channel = new Channel({
    send: message => setImmediate(() => primary.receive(message)),
  })
  const primary: Channel = new Channel({
    send: message => setImmediate(() => worker.receive(message)),
  })
  return { worker, primary }
}
