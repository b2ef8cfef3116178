import { statSync } from 'node:fs'
import { DatabaseSync } from 'node:sqlite'
import { describe, expect, test } from 'vitest'
import { type FileRetention, sweep } from '../../src/journal/sqlite/housekeeping.ts'
import type { RecordOptions } from './records.ts'
import { FAILED, recordOf, SUCCESS } from './records.ts'
import { openJournal, untilFiled } from './support.ts'

const DAY = 24 * 60 * 60 * 1000
const NOW = 100 * DAY
const daysAgo = (days: number) => NOW - days * DAY

const PLAIN: RecordOptions = {}
const FALLBACK: RecordOptions = { attempts: [FAILED, { ...SUCCESS, route: 'graphql' }] }
const FAILURE: RecordOptions = { attempts: [FAILED], error: {} }

describe('retention', () => {
  test('keeps failures and fallbacks longer than plain successes', async () => {
    const { left } = await sweepOver(
      {
        'old plain': { ...PLAIN, time: daysAgo(8) },
        'old fallback': { ...FALLBACK, time: daysAgo(8) },
        'old failure': { ...FAILURE, time: daysAgo(8) },
        'ancient failure': { ...FAILURE, time: daysAgo(31) },
        'young plain': { ...PLAIN, time: daysAgo(6) },
      },
      { days: 7, failure_days: 30, max_bytes: null },
    )
    expect(left).toEqual(['young plain', 'old failure', 'old fallback'])
  })

  test('deletes the oldest plain successes first when the file is too large', async () => {
    const records = Object.fromEntries(
      Array.from({ length: 600 }, (_, n) => [`${n}`, { ...(n < 100 ? FAILURE : PLAIN), time: n }]),
    )
    const { left } = await sweepOver(records, {
      days: 1000,
      failure_days: 1000,
      max_bytes: 400_000,
    })

    expect(left.length).toBeLessThan(600)
    expect(left).toContain('0')
    expect(left).toContain('599')
    expect(left).not.toContain('100')
  })

  test('keeps the history of upstreams as long as failures', async () => {
    const { journal, file } = openJournal()
    const day = (days: number) => ({
      upstream: 'github',
      bucket: daysAgo(days),
      route: 'rest',
      state: 2,
    })
    await journal.noteUpstreams({ quotas: [], circuits: [day(31), day(29)] })
    await journal.close()
    const db = new DatabaseSync(file)
    await sweep(db, { days: 7, failure_days: 30, max_bytes: null }, NOW)
    expect(db.prepare('SELECT bucket FROM circuit_history').all()).toEqual([
      { bucket: daysAgo(29) },
    ])
    db.close()
  })

  test('deletes every trace of a request', async () => {
    const { file } = await sweepOver(
      { one: { ...FALLBACK, time: 0 }, two: { ...FAILURE, time: 0 } },
      { days: 1, failure_days: 1, max_bytes: null },
    )
    const db = new DatabaseSync(file, { readOnly: true })
    const rowsOf = (table: string) => db.prepare(`SELECT * FROM ${table}`).all()
    expect(['requests', 'request_details', 'attempts', 'request_words'].flatMap(rowsOf)).toEqual([])
    const found = db.prepare("SELECT key FROM request_texts WHERE words MATCH 'upstream'").all()
    expect(found).toEqual([])
    db.close()
  })
})

test('the write-ahead log does not outgrow the file under load', async () => {
  const { journal, file } = openJournal()
  // The first query starts the thread that also moves the log into the file.
  await journal.requests({}, { limit: 1 })

  while (statSync(file).size <= 500_000) {
    await Promise.all(Array.from({ length: 20 }, () => journal.append(recordOf())))
  }

  expect(journal.health()).toEqual({ ok: true, message: null, waiting: 0, dropped: 0 })
  expect(statSync(`${file}-wal`).size).toBeLessThan(64 * 1024 * 1024)
})

async function sweepOver(records: Record<string, RecordOptions>, retention: FileRetention) {
  const { journal, file } = openJournal()
  await Promise.all(
    Object.entries(records).map(([request_id, options]) =>
      journal.append(recordOf({ request_id, ...options })),
    ),
  )
  await untilFiled(journal)
  const db = new DatabaseSync(file)
  await sweep(db, retention, NOW)
  db.close()
  const { items } = await journal.requests({}, { limit: 1000 })
  return { left: items.map(row => row.request_id), file }
}
