import { copyFileSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { DatabaseSync } from 'node:sqlite'
import { describe, expect, test } from 'vitest'
import { keyHashOf } from '../../src/journal/key-hash.ts'
import { openSqliteReader } from '../../src/journal/sqlite.ts'
import { parseJson } from '../../src/lib/exact-json.ts'
import { recordOf } from './records.ts'
import { openJournal, temporaryFile, untilFiled } from './support.ts'

describe('a few records', () => {
  test('wait in the inbox, and are filed by the first query', async () => {
    const { journal, file } = openJournal()

    await journal.append(recordOf({ request_id: 'one' }))
    await journal.append(recordOf({ request_id: 'two' }))

    expect(linesOf(file).map(({ request }) => request.request_id)).toEqual(['one', 'two'])
    expect(countIn(file)).toBe(0)
    expect((await journal.requests({}, { limit: 10 })).items).toHaveLength(2)
    expect(countIn(file)).toBe(2)
    expect(statSync(`${file}-inbox`).size).toBe(0)
  })

  test('are filed together once there are many', async () => {
    const { journal, file } = openJournal()

    for (let n = 0; n < 129; n++) await journal.append(recordOf())

    expect(countIn(file)).toBe(129)
    expect(linesOf(file)).toEqual([])
  })

  test('of a dead gateway are filed by the next one', async () => {
    const { left, file } = await leaveInInbox(['one', 'two'])
    writeFileSync(`${file}-inbox`, left)

    const { journal } = openJournal({ file })

    const { items } = await journal.requests({}, { limit: 10 })
    expect(items.map(row => row.request_id).toSorted()).toEqual(['one', 'two'])
    expect((await journal.attempts({}, { limit: 10 })).items).toHaveLength(2)
  })

  test('are filed once, even if the process died before it truncated the inbox', async () => {
    const file = temporaryFile()
    const { journal: first } = openJournal({ file })
    await first.append(recordOf({ request_id: 'one' }))
    copyFileSync(`${file}-inbox`, `${file}-before`)
    await first.close()
    copyFileSync(`${file}-before`, `${file}-inbox`)

    const { journal } = openJournal({ file })
    await journal.append(recordOf({ request_id: 'two' }))

    const { items } = await journal.requests({}, { limit: 10 })
    expect(items.map(row => row.request_id).toSorted()).toEqual(['one', 'two'])
  })

  test('survive a truncated line after them', async () => {
    const { left, file } = await leaveInInbox(['one', 'two'])
    writeFileSync(`${file}-inbox`, left.slice(0, -20))

    const { journal } = openJournal({ file })
    await journal.append(recordOf({ request_id: 'three' }))
    await untilFiled(journal)

    const { items } = await journal.requests({}, { limit: 10 })
    expect(items.map(row => row.request_id).toSorted()).toEqual(['one', 'three'])
  })

  test('of an older version are filed too', async () => {
    const { left, file } = await leaveInInbox(['one'])
    const { round, key, request, attempts, upstream, effect } = partsOf(left).head
    const { texts } = partsOf(left)
    const nothing = { plan: null, error: null, meta: null, input: null, data: null, trace: null }
    const details = { upstream, effect, ...nothing, ...texts }
    const oldest = { round, key, rows: { request, details, attempts } }
    const json = Object.fromEntries(
      Object.entries(texts).map(([name, text]) => [name, JSON.parse(text)]),
    )
    const again = { ...request, request_id: 'two' }
    const older = { round, key: key + 1, request: again, attempts, upstream, effect, json }
    const lines = [oldest, older].map(line => `\n${JSON.stringify(line)}`)
    writeFileSync(`${file}-inbox`, lines.join(''))

    const { journal } = openJournal({ file })

    for (const request_id of ['one', 'two']) {
      const found = await journal.request(request_id)
      expect(found).toMatchObject({ request_id, ok: true, upstream, meta: json.meta })
    }
  })

  test('keep every column and every digit', async () => {
    const { journal: first, file: other } = openJournal({ payloads: 'redacted' })
    const digits = parseJson('{"id":12345678901234567890,"text":"a\\tb\\nc"}')
    const sent = { keyHash: keyHashOf('once'), effect: 'write', input: digits } as const
    await first.append(recordOf({ request_id: 'one', ...sent }))
    const left = readFileSync(`${other}-inbox`, 'utf8')
    const before = await first.request('one')
    const file = temporaryFile()
    await openJournal({ file }).journal.close()
    writeFileSync(`${file}-inbox`, left)

    const { journal } = openJournal({ file })

    const found = await journal.request('one')
    expect(found?.idempotency_key_hash).toBe(keyHashOf('once'))
    expect(JSON.stringify(found?.input)).toBe(JSON.stringify(digits))
    expect(JSON.stringify(found)).toBe(JSON.stringify(before))
  })

  test('are found by a command after the gateway has died', async () => {
    const { left, file } = await leaveInInbox(['one'])
    writeFileSync(`${file}-inbox`, left)

    const reader = openSqliteReader(file)

    expect(await reader.request('one')).toMatchObject({ request_id: 'one', ok: true })
    reader.close()
  })
})

/** Returns the lines of an inbox with these records, and another file, whose tables have none of them. */
async function leaveInInbox(ids: readonly string[]) {
  const { journal, file: other } = openJournal()
  for (const request_id of ids) await journal.append(recordOf({ request_id }))
  const left = readFileSync(`${other}-inbox`, 'utf8')
  const file = temporaryFile()
  await openJournal({ file }).journal.close()
  return { left, file }
}

function linesOf(file: string) {
  const lines = readFileSync(`${file}-inbox`, 'utf8').split('\n').filter(Boolean)
  return lines.map(line => partsOf(line).head)
}

/** A line begins with JSON; the texts of the details follow, with their names. */
function partsOf(line: string) {
  const [head = '', ...texts] = line.split('\t').slice(0, -1)
  const named = texts.map(text => text.split(/:(.*)/s).slice(0, 2) as [string, string])
  return { head: JSON.parse(head), texts: Object.fromEntries(named) }
}

function countIn(file: string): number {
  const db = new DatabaseSync(file, { readOnly: true })
  const row = db.prepare('SELECT count(*) AS count FROM requests').get()
  db.close()
  return Number(row?.count)
}
