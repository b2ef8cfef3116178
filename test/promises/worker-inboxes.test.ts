import { DatabaseSync } from 'node:sqlite'
import { expect, onTestFinished, test } from 'vitest'
import { openJournal } from '../journal/support.ts'
import { append, idsIn, inboxFiles, openPrimary, openWorker, partsOf } from '../journal/workers.ts'

const PATIENCE = { timeout: 10_000 }

test('a worker that has ended leaves its records to the next start while the tables cannot be written', async () => {
  const primary = openPrimary()
  const { journal, end } = await openWorker(primary)
  await append(journal, 'a')
  const other = lock(primary.file)
  await journal.close()
  end()
  await primary.close()
  other.close()

  expect(partsOf(primary.file)).toHaveLength(1)
  expect(await idsIn(openPrimary(primary.file).host.journal)).toEqual(['a'])
  expect(inboxFiles(primary.file)).toEqual([])
})

test('tables that cannot be written for a moment file each record once afterwards', async () => {
  const primary = openPrimary()
  const { journal } = await openWorker(primary)
  const other = lock(primary.file)
  await append(journal, 'a', 'b')
  expect(await idsIn(journal)).toEqual([])
  await append(journal, 'c')
  other.close()

  await expect.poll(() => idsIn(journal), PATIENCE).toEqual(['a', 'b', 'c'])
})

function lock(file: string): DatabaseSync {
  const db = new DatabaseSync(file)
  onTestFinished(() => {
    if (db.isOpen) db.close()
  })
  db.exec('BEGIN IMMEDIATE')
  return db
}

test('a worker that has outlived its gateway keeps another from starting, until it ends', async () => {
  const primary = openPrimary()
  const { journal } = await openWorker(primary)
  await append(journal, 'a')
  // As at the death of the process: nothing is filed, and nothing deleted.
  await primary.host.inboxes.close()
  await primary.close()
  await append(journal, 'b')

  expect(() => openJournal({ file: primary.file })).toThrow(/a worker of a gateway that has died/)
  await journal.close()
  expect(await idsIn(openJournal({ file: primary.file }).journal)).toEqual(['a', 'b'])
})
