import { readdirSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { onTestFinished } from 'vitest'
import { JournalServer, openWorkerJournal } from '../../src/gateway/workers/journal.ts'
import type { Journal } from '../../src/journal/journal.ts'
import type { Payloads } from '../../src/journal/rows.ts'
import { openSqliteHost } from '../../src/journal/sqlite.ts'
import { linked } from '../state/contract/stores.ts'
import { recordOf } from './records.ts'
import { temporaryFile } from './support.ts'

/** A primary process, without the process. */
export function openPrimary(file = temporaryFile()) {
  const errors: unknown[] = []
  const onError = (error: unknown) => errors.push(error)
  const forever = { days: Infinity, failure_days: Infinity }
  const host = openSqliteHost({ file, onError, retention: forever })
  const server = new JournalServer(host, { onError, onAway: onError, onBack: () => {} })
  let isClosed = false
  const close = async () => {
    if (isClosed) return
    isClosed = true
    await server.close()
    await host.journal.close()
  }
  onTestFinished(close)
  return { file, host, server, errors, close }
}
export type Primary = ReturnType<typeof openPrimary>

export async function openWorker({ server, file, errors }: Primary, payloads: Payloads = 'off') {
  const { near, far } = linked()
  const end = server.serve(far)
  const asked: string[] = []
  const ask = near.ask.bind(near)
  near.ask = (name, argument) => {
    asked.push(name)
    return ask(name, argument)
  }
  const onError = (error: unknown) => errors.push(error)
  const journal = await openWorkerJournal(near, { file, onError, payloads })
  onTestFinished(() => journal.close())
  return { journal, asked, end }
}

export const append = (journal: Journal, ...ids: readonly string[]) =>
  Promise.all(ids.map(request_id => journal.append(recordOf({ request_id, effect: 'write' }))))

export async function idsIn(journal: Pick<Journal, 'requests'>): Promise<readonly string[]> {
  const { items } = await journal.requests({}, { limit: 200 })
  return items.map(({ request_id }) => request_id).toSorted()
}

export const inboxFiles = (file: string) =>
  readdirSync(dirname(file))
    .filter(name => name.startsWith(`${basename(file)}-inbox.`))
    .map(name => join(dirname(file), name))
export const partsOf = (file: string) => inboxFiles(file).filter(name => /\d$/.test(name))
