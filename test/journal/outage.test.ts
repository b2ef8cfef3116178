import { DatabaseSync } from 'node:sqlite'
import { expect, test } from 'vitest'
import type { Journal } from '../../src/journal/journal.ts'
import { recordOf } from './records.ts'
import { openJournal } from './support.ts'

/** Enough records to make the journal file them, which takes the lock. */
const MORE_THAN_THE_INBOX_TAKES = 130

test('requests go on while another process holds the lock, and their rows are written later', async () => {
  const { journal, file, errors } = openJournal()
  const other = new DatabaseSync(file)
  other.exec('BEGIN IMMEDIATE')

  const began = performance.now()
  for (let n = 0; n < MORE_THAN_THE_INBOX_TAKES; n++) await journal.append(recordOf())
  expect(performance.now() - began).toBeLessThan(5000)
  expect(journal.health()).toMatchObject({
    ok: false,
    message: expect.stringContaining('database is locked'),
  })
  expect(errors).toHaveLength(1)

  other.close()
  await untilHealthy(journal)
  const { items } = await journal.requests({}, { limit: 200 })
  expect(items).toHaveLength(MORE_THAN_THE_INBOX_TAKES)
})

test('an intent fails while another process holds the lock', async () => {
  const { journal, file } = openJournal()
  const other = new DatabaseSync(file)
  other.exec('BEGIN IMMEDIATE')

  const intent = { request_id: 'one', time: 0, caller: 'agent', capability_id: 'issue.create' }
  await expect(journal.intend({ ...intent, route: 'rest' })).rejects.toThrow('locked')
  other.close()
})

test('requests go on while every write fails, and their rows are written later', async () => {
  const { journal, file } = openJournal()
  const other = new DatabaseSync(file)
  other.exec('ALTER TABLE request_details RENAME TO elsewhere')

  await journal.append(recordOf({ request_id: 'first' }))
  await expect(journal.request('first')).rejects.toThrow('no such table')
  expect(journal.health()).toMatchObject({ ok: false, message: expect.stringContaining('no such') })

  other.exec('ALTER TABLE elsewhere RENAME TO request_details')
  other.close()
  await untilHealthy(journal)
  expect(await journal.request('first')).not.toBeNull()
})

async function untilHealthy(journal: Journal): Promise<void> {
  await expect.poll(() => journal.health()).toMatchObject({ ok: true })
}
