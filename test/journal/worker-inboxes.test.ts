import {
  appendFileSync,
  copyFileSync,
  mkdirSync,
  readFileSync,
  statSync,
  symlinkSync,
  truncateSync,
  writeFileSync,
} from 'node:fs'
import { DatabaseSync } from 'node:sqlite'
import { describe, expect, onTestFinished, test } from 'vitest'
import { toRequestRows } from '../../src/journal/rows.ts'
import { InboxReader } from '../../src/journal/sqlite/inbox-reader.ts'
import { partOf, placeOf, WorkerInbox } from '../../src/journal/sqlite/worker-inbox.ts'
import { openSqliteReader } from '../../src/journal/sqlite.ts'
import { recordOf } from './records.ts'
import { openJournal, temporaryFile } from './support.ts'
import { append, idsIn, inboxFiles, openPrimary, openWorker, partsOf } from './workers.ts'

const PATIENCE = { timeout: 10_000 }
const CALL = { time: 1, caller: 'agent', capability_id: 'issue.create', route: 'rest' } as const

test('a worker stores a record without a message, and every worker finds it', async () => {
  const primary = openPrimary()
  const [one, other] = [await openWorker(primary), await openWorker(primary)]
  const seen: string[] = []
  onTestFinished(other.journal.watch(({ row }) => void seen.push(row.request_id)))

  await append(one.journal, 'a', 'b')

  expect(one.asked).toEqual(['journal.open'])
  expect(await idsIn(other.journal)).toEqual(['a', 'b'])
  await expect.poll(() => seen.toSorted(), PATIENCE).toEqual(['a', 'b'])
})

test('nobody but the owner may read the files, whatever the umask', async () => {
  const before = process.umask(0)
  onTestFinished(() => void process.umask(before))
  const primary = openPrimary()
  const { journal } = await openWorker(primary)

  await append(journal, 'a')

  const modes = inboxFiles(primary.file).map(name => (statSync(name).mode & 0o777).toString(8))
  expect(new Set(modes)).toEqual(new Set(['600']))
})

test('records larger than a piece and a part are all filed, and their files are deleted', async () => {
  const primary = openPrimary()
  const { journal } = await openWorker(primary, 'redacted')
  const data = { text: 'word '.repeat(12_000) }
  const ids = Array.from({ length: 200 }, (_, n) => `r${1000 + n}`)
  const records = ids.map(request_id => recordOf({ request_id, data }))
  await Promise.all(records.slice(0, 100).map(record => journal.append(record)))
  for (const record of records.slice(100)) await journal.append(record)

  expect(await idsIn(journal)).toEqual(ids)
  expect(partsOf(primary.file).map(name => name.replace(/.*\./, ''))).toEqual(['1'])
})

test('a batch is read when all of it is written, however many of its lines are there before', () => {
  const place = placeOf(temporaryFile(), 'one')
  const inbox = new WorkerInbox({ place, durability: 'normal' })
  onTestFinished(() => inbox.close())
  inbox.receive(['a', 'b'].map(request_id => toRequestRows(recordOf({ request_id }), 'off')))
  const reader = new InboxReader(place, { part: 0, offset: 0 }, false)
  onTestFinished(() => reader.close())
  const part = partOf(place, 0)
  const whole = readFileSync(part)

  truncateSync(part, whole.length - 20)
  expect(reader.next()).toBe(null)
  writeFileSync(part, whole)
  expect(reader.next()?.rows.map(({ request }) => request.request_id)).toEqual(['a', 'b'])
})

test('a worker that has ended leaves records, writes in flight as unknown, and no files', async () => {
  const primary = openPrimary()
  const [dead, other] = [await openWorker(primary), await openWorker(primary)]
  await dead.journal.intend({ ...CALL, request_id: 'lost' })
  await dead.journal.intend({ ...CALL, request_id: 'done' })
  await append(dead.journal, 'done', 'read')
  const [own = ''] = partsOf(primary.file)

  dead.end()

  await expect.poll(() => idsIn(other.journal), PATIENCE).toEqual(['done', 'lost', 'read'])
  expect(await other.journal.request('lost')).toMatchObject({ write_outcome: 'unknown' })
  expect(inboxFiles(primary.file)).not.toContain(own)
})

describe.each([
  ['cannot be opened', (part: string) => symlinkSync('/nowhere/part', part)],
  ['is on a full disk', (part: string) => symlinkSync('/dev/full', part)],
])('an inbox that %s', (_, spoil) => {
  test('leaves the record to the primary process, and goes on with the next file', async () => {
    const primary = openPrimary()
    const { journal, asked } = await openWorker(primary)
    const [lockFile = ''] = inboxFiles(primary.file)
    spoil(lockFile.replace(/lock.*$/, '0'))

    await append(journal, 'a')
    await append(journal, 'b')

    expect(asked).toContain('journal.write')
    expect(await idsIn(journal)).toEqual(['a', 'b'])
    expect(primary.errors).toEqual([])
  })
})

/** Files that a gateway leaves when it dies, of a worker that stored one record after the other. */
const MOMENTS = [
  { moment: 'before anything was filed', filed: 0, change: () => {}, found: ['a', 'b', 'c'] },
  { moment: 'when a part was filed', filed: 2, change: () => {}, found: ['a', 'b', 'c'] },
  { moment: 'when all was filed', filed: 3, change: () => {}, found: ['a', 'b', 'c'] },
  {
    moment: 'in the write of a record',
    filed: 1,
    change: (part: string) => writeFileSync(part, readFileSync(part).subarray(0, -20)),
    found: ['a', 'b'],
  },
  {
    moment: 'in the write of a length',
    filed: 1,
    change: (part: string) => appendFileSync(part, '      '),
    found: ['a', 'b', 'c'],
  },
  {
    moment: 'in a power failure',
    filed: 1,
    change: (part: string) => appendFileSync(part, Buffer.alloc(5000)),
    found: ['a', 'b', 'c'],
  },
  {
    moment: 'in a power failure that spoilt a record',
    filed: 1,
    change: (part: string) => {
      const text = readFileSync(part, 'latin1')
      writeFileSync(part, text.slice(0, -100) + text.slice(-100).replaceAll('"', '\0'), 'latin1')
    },
    found: ['a', 'b'],
  },
] as const

const OPENERS = [
  { opener: 'one process', open: (file: string) => openJournal({ file }).journal },
  { opener: 'a primary process', open: (file: string) => openPrimary(file).host.journal },
  { opener: 'a command', open: (file: string) => openReader(file) },
] as const

function openReader(file: string) {
  const reader = openSqliteReader(file)
  onTestFinished(() => reader.close())
  return reader
}

describe.each(OPENERS)('$opener that opens the journal', ({ open }) => {
  test.each(MOMENTS)(
    'after a gateway died $moment has each record once',
    async ({ filed, change, found }) => {
      const file = await leftAt(filed)
      change(partsOf(file)[0] as string)

      const journal = open(file)

      expect(await idsIn(journal)).toEqual(found)
      expect(await journal.request('a')).toMatchObject({ ok: true, upstream: 'github' })
      expect(inboxFiles(file)).toEqual([])
      expect(await idsIn(open === OPENERS[2].open ? open(file) : journal)).toEqual(found)
    },
  )
})

/** The files as they are after three records, of which so many are filed: copies, because the processes here live on. */
async function leftAt(filed: number): Promise<string> {
  const primary = openPrimary()
  const { journal } = await openWorker(primary)
  for (const [n, id] of ['a', 'b', 'c'].entries()) {
    if (n === filed) await idsIn(journal)
    await append(journal, id)
  }
  if (filed === 3) await idsIn(journal)
  const copy = temporaryFile()
  new DatabaseSync(primary.file).exec(`VACUUM INTO '${copy}'`)
  for (const file of inboxFiles(primary.file))
    copyFileSync(file, copy + file.slice(primary.file.length))
  return copy
}

test('a file that was filed and could not be deleted is not filed again', async () => {
  const file = await leftAt(3)
  const db = new DatabaseSync(file)
  db.exec('UPDATE worker_inboxes SET part = 1, filed = 0')

  expect(await idsIn(openJournal({ file }).journal)).toEqual(['a', 'b', 'c'])
  expect(inboxFiles(file)).toEqual([])
  expect(db.prepare('SELECT * FROM worker_inboxes').all()).toEqual([])
  db.close()
})

test('a query waits for records while something holds the lock of the tables for a moment', async () => {
  const primary = openPrimary()
  const { journal } = await openWorker(primary)
  await append(journal, 'a')
  const other = new DatabaseSync(primary.file)
  other.exec('BEGIN IMMEDIATE')
  setTimeout(() => other.close(), 50)

  expect(await idsIn(journal)).toEqual(['a'])
  expect(primary.errors).toEqual([])
})

test('an inbox that cannot be read is reported, and keeps no other from being filed', async () => {
  const primary = openPrimary()
  const [one, other] = [await openWorker(primary), await openWorker(primary)]
  const [lockFile = ''] = inboxFiles(primary.file).filter(name => name.endsWith('.lock'))
  mkdirSync(lockFile.replace(/lock$/, '0'))

  await append(one.journal, 'a')
  await append(other.journal, 'b')

  expect(await idsIn(other.journal)).toEqual(['a', 'b'])
  expect(primary.errors).toMatchObject([{ code: 'EISDIR' }])
})
