import { writeFileSync } from 'node:fs'
import { DatabaseSync } from 'node:sqlite'
import { describe, expect, test } from 'vitest'
import { toRequestRows } from '../../src/journal/rows.ts'
import { openSqliteJournal, openSqliteReader } from '../../src/journal/sqlite.ts'
import { NEW_COLUMNS, WITHOUT_FILTER_INDEXES } from './older.ts'
import { CREATED, FAILED, recordOf, SUCCESS } from './records.ts'
import { openJournal, temporaryFile, untilFiled } from './support.ts'

describe('a record', () => {
  test('is read back with its plan, and with meta and error as answered', async () => {
    const { journal } = openJournal()
    const plan = {
      capability_id: 'repo.view',
      candidates: [{ route: 'rest', reason: 'CARD_PREFERRED' }],
      skipped: [],
    } as const
    const record = recordOf({ plan, attempts: [FAILED], error: { write_outcome: 'not_applied' } })

    await journal.append(record)

    expect(await journal.request(record.request_id)).toEqual({
      request_id: record.request_id,
      correlation_id: null,
      trace_id: null,
      batch_id: null,
      batch_step: null,
      batch_item: null,
      time: new Date(record.time).toISOString(),
      caller: 'agent',
      capability_id: 'repo.view',
      ok: false,
      code: 'SERVER',
      route_used: null,
      reason: 'CARD_PREFERRED',
      http_status: 502,
      duration_ms: 13.1,
      attempts: 1,
      borrowed: false,
      write_outcome: 'not_applied',
      trail: [
        {
          route: 'rest',
          status: 'error',
          code: 'SERVER',
          reason: null,
          duration_ms: 20.5,
          purpose: null,
        },
      ],
      upstream: 'github',
      effect: 'read',
      plan,
      error: record.envelope.error,
      meta: record.envelope.meta,
      input: null,
      data: null,
      trace: null,
      answer_from: null,
      options: null,
      idempotency_key_hash: null,
    })
  })

  test('has one row for each attempt, with the time at which it began', async () => {
    const { journal } = openJournal()
    const time = Date.parse('2026-01-02T03:04:05.000Z')
    const second = { ...SUCCESS, route: 'graphql', started_ms: 30 } as const
    await journal.append(recordOf({ request_id: 'one', time, attempts: [FAILED, second] }))

    const { items } = await journal.attempts({}, { limit: 10 })

    expect(items).toEqual([
      {
        request_id: 'one',
        index: 1,
        time: '2026-01-02T03:04:05.030Z',
        capability_id: 'repo.view',
        caller: 'agent',
        route: 'graphql',
        status: 'success',
        code: null,
        reason: null,
        duration_ms: 12.4,
        upstream_status: 200,
        next: null,
        purpose: null,
      },
      expect.objectContaining({ index: 0, route: 'rest', status: 'error', next: 'next_route' }),
    ])
  })

  test('of one caller is null for another caller', async () => {
    const { journal } = openJournal()
    await journal.append(recordOf({ request_id: 'mine', caller: 'alice' }))

    expect(await journal.request('mine', 'alice')).not.toBeNull()
    expect(await journal.request('mine', 'bob')).toBeNull()
    expect(await journal.request('nothing')).toBeNull()
  })

  test('with a request id that was used before is kept, and the id finds the newest', async () => {
    const { journal } = openJournal()
    await journal.append(recordOf({ request_id: 'again', time: 1000, caller: 'alice' }))
    await journal.append(recordOf({ request_id: 'again', time: 2000, caller: 'alice' }))
    await journal.append(recordOf({ request_id: 'again', time: 3000, caller: 'bob' }))

    expect((await journal.requests({}, { limit: 10 })).items).toHaveLength(3)
    expect((await journal.request('again', 'alice'))?.time).toBe('1970-01-01T00:00:02.000Z')
  })

  test('is kept when a thousand others have the same millisecond', async () => {
    const { journal } = openJournal()
    const records = Array.from({ length: 2500 }, () => recordOf({ time: 5000 }))
    await Promise.all(records.map(record => journal.append(record)))

    let found = 0
    let after: string | null = null
    do {
      const page = await journal.requests({}, { limit: 200, ...(after ? { after } : {}) })
      found += page.items.length
      after = page.pageInfo.hasNextPage ? page.pageInfo.endCursor : null
    } while (after)
    expect(found).toBe(2500)
  })
})

describe('payloads', () => {
  const secret = { name: 'demo', token: 'hunter2', note: 'use ghp_0123456789abcdefghij' }

  test('are not kept by default', async () => {
    const { journal, file } = openJournal()
    await journal.append(recordOf({ request_id: 'one', input: secret, data: secret }))

    expect(await journal.request('one')).toMatchObject({ input: null, data: null })
    const db = new DatabaseSync(file, { readOnly: true })
    expect(JSON.stringify(db.prepare('SELECT * FROM request_details').all())).not.toMatch(/demo/)
    db.close()
  })

  test('are kept without secrets when redacted', async () => {
    const { journal } = openJournal({ payloads: 'redacted' })
    await journal.append(recordOf({ request_id: 'one', input: secret, data: [secret] }))

    const kept = { name: 'demo', token: '[redacted]', note: 'use [redacted]' }
    expect(await journal.request('one')).toMatchObject({ input: kept, data: [kept] })
  })

  test('over 64 KiB are cut, and marked as cut', async () => {
    const { journal } = openJournal({ payloads: 'redacted' })
    await journal.append(recordOf({ request_id: 'one', data: { text: 'x'.repeat(100_000) } }))

    expect(await journal.request('one')).toMatchObject({
      data: { truncated: true, length: 100_011, head: expect.stringMatching(/^\{"text":"xxx/) },
    })
  })
})

describe('the file', () => {
  test('is created with its directories', async () => {
    const file = `${temporaryFile()}.d/deep/journal.sqlite`
    const { journal } = openJournal({ file })

    await journal.append(recordOf({ request_id: 'one' }))

    expect(await journal.request('one')).not.toBeNull()
  })

  test('is migrated from version 0 to the current schema', async () => {
    const file = temporaryFile()
    const empty = new DatabaseSync(file)
    empty.exec('PRAGMA user_version = 0')
    empty.close()
    const first = openSqliteJournal({ file, onError: fail })
    await first.append(recordOf({ request_id: 'one' }))
    await first.close()

    const { journal } = openJournal({ file })

    expect(await journal.request('one')).not.toBeNull()
  })

  test('of an older version keeps its requests, its inbox and its writes in flight', async () => {
    const file = temporaryFile()
    const journal = openSqliteJournal({ file, onError: fail })
    const coffee = { message: 'Out of coffee.', details: { approval_id: 'ASKED' } }
    await journal.append(recordOf({ request_id: 'filed', error: coffee }))
    const granted = { approvalId: 'GRANTED', attempts: [CREATED] }
    await journal.append(recordOf({ request_id: 'created', ...granted }))
    await journal.requests({}, { limit: 1 })
    await journal.append(recordOf({ request_id: 'received' }))
    await journal.close()
    const old = new DatabaseSync(file)
    old.exec(`
      ${WITHOUT_FILTER_INDEXES}
      DROP VIEW request_texts;
      DROP TABLE request_words;
      DROP INDEX requests_by_correlation;
      DROP INDEX requests_by_batch;
      ALTER TABLE requests DROP COLUMN batch_id;
      ALTER TABLE requests DROP COLUMN batch_step;
      ALTER TABLE requests DROP COLUMN batch_item;
      ALTER TABLE intents DROP COLUMN batch_id;
      ALTER TABLE intents DROP COLUMN batch_step;
      ALTER TABLE intents DROP COLUMN batch_item;
      ALTER TABLE requests DROP COLUMN correlation_id;
      ALTER TABLE intents DROP COLUMN correlation_id;
      ALTER TABLE attempts DROP COLUMN purpose;
      ALTER TABLE request_details DROP COLUMN answer_from;
      ALTER TABLE request_details DROP COLUMN asked_options;
      ALTER TABLE request_details DROP COLUMN approval_id;
      DROP INDEX details_by_key_hash;
      ALTER TABLE request_details DROP COLUMN key_hash;
      ALTER TABLE intents DROP COLUMN upstream;
      ALTER TABLE intents DROP COLUMN effect;
      ALTER TABLE intents DROP COLUMN key_hash;
      DROP TABLE worker_inboxes;
      DROP TABLE stats_facts;
      DROP TABLE quota_history;
      DROP TABLE circuit_history;
      INSERT INTO intents VALUES ('sent', 1, 'agent', 'issue.create', 'rest');
      PRAGMA user_version = 3`)
    const round = old.prepare('SELECT round FROM inbox').get()?.round
    old.close()
    const left = toRequestRows(recordOf({ request_id: 'left', attempts: [FAILED, SUCCESS] }), 'off')
    const rows = JSON.parse(
      JSON.stringify(left, (name, value) => (NEW_COLUMNS.has(name) ? undefined : value)),
    )
    const line = { round, key: 1, rows }
    writeFileSync(`${file}-inbox`, `\n${JSON.stringify(line)}`)

    const reader = openSqliteReader(file)
    const { items } = await reader.requests({}, { limit: 10 })
    const attempts = await reader.attempts({}, { limit: 10 })
    const created = await reader.attempts({ upstream_status: '201' }, { limit: 10 })
    const find = async (q: string) => {
      const { items: found } = await reader.requests({ q }, { limit: 10 })
      return found.map(row => row.request_id)
    }
    const found = [await find('coffee'), await find('ASKED'), await find('GRANTED')]
    reader.close()

    expect(found).toEqual([['filed'], ['filed'], ['created']])
    const purposes = attempts.items.map(row => [row.request_id, row.purpose])
    expect(purposes).toContainEqual(['left', null])
    const ids = Object.fromEntries(items.map(row => [row.request_id, row.correlation_id]))
    expect(ids).toEqual({ filed: null, created: null, received: null, left: null, sent: null })
    expect(created.items).toMatchObject([
      { request_id: 'created', index: 0, route: 'rest', duration_ms: CREATED.duration_ms },
    ])
  })

  test('of a newer version is refused, with advice', () => {
    const file = temporaryFile()
    const newer = new DatabaseSync(file)
    newer.exec('PRAGMA user_version = 99')
    newer.close()

    expect(() => openSqliteJournal({ file, onError: fail })).toThrow(/newer Signalbox.*99.*upgrade/)
  })

  test('serves one gateway: a second one is refused, with advice', async () => {
    const { file } = openJournal()

    expect(() => openSqliteJournal({ file, onError: fail })).toThrow(
      /in use by another gateway: stop that one.*SIGNALBOX_JOURNAL/,
    )
  })

  test('is free again once closed', async () => {
    const file = temporaryFile()
    await openSqliteJournal({ file, onError: fail }).close()

    expect(openJournal({ file }).journal.health().ok).toBe(true)
  })

  test('can be read while a gateway writes it', async () => {
    const { journal, file } = openJournal()
    await journal.append(recordOf({ request_id: 'one' }))
    await untilFiled(journal)

    const reader = openSqliteReader(file)
    expect((await reader.requests({}, { limit: 10 })).items).toHaveLength(1)
    reader.close()
  })
})

test('a journal in memory keeps records while it is open', async () => {
  const { journal } = openJournal({ file: ':memory:' })
  await journal.append(recordOf({ request_id: 'one' }))

  expect(await journal.request('one')).not.toBeNull()
})

test('a record that cannot be stored is counted, and the others are written', async () => {
  const { journal, errors } = openJournal()
  const bad = recordOf({ request_id: 'bad', http_status: 200.5 })

  await Promise.all([journal.append(bad), journal.append(recordOf({ request_id: 'good' }))])

  expect(await journal.request('good')).not.toBeNull()
  expect(journal.health()).toMatchObject({ ok: true, dropped: 1 })
  expect(errors).toHaveLength(1)
})

function fail(error: unknown): never {
  throw error
}
