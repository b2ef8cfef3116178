import { DatabaseSync } from 'node:sqlite'
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import { Audit } from '../../src/access/audit.ts'
import { verifyStore } from '../../src/access/audit-list.ts'
import { KeyRefusals } from '../../src/access/refusals.ts'
import { keyDecisions, settingsLoaded } from '../../src/access/settings-audit.ts'
import { loadSettings } from '../../src/gateway/config.ts'
import { Database } from '../../src/journal/postgres/connection.ts'
import { migrate } from '../../src/journal/postgres/schema.ts'
import type { Decision } from '../../src/model/audit.ts'
import type { AuditStore } from '../../src/state/audit.ts'
import { openPostgresAudit } from '../../src/state/postgres-audit.ts'
import { openSqliteApprovals } from '../../src/state/sqlite-approvals.ts'
import { openSqliteAudit } from '../../src/state/sqlite-audit.ts'
import { postgres as postgresPart } from '../support/parts.ts'
import { startPostgres, type TestPostgres } from '../support/postgres.ts'

let server: TestPostgres | undefined
beforeAll(async () => {
  if (postgresPart.available) server = await startPostgres()
})
afterAll(() => server?.remove())

interface Place {
  readonly store: AuditStore
  /** A second gateway of the same database. */
  readonly other: AuditStore
  readonly run: (sql: string) => Promise<void>
}

function openSqlite(): Place {
  const db = new DatabaseSync(':memory:')
  openSqliteApprovals(db)
  const run = async (sql: string) => db.exec(sql)
  return { store: openSqliteAudit(db, 'one/1'), other: openSqliteAudit(db, 'two/2'), run }
}

async function openPostgres(): Promise<Place> {
  const database = new Database((await server?.createDatabase()) ?? '', {
    connections: 4,
    statementTimeoutMs: 5000,
  })
  onTestFinished(() => database.close())
  await migrate(database)
  const run = (sql: string) => database.run(sql)
  return {
    store: openPostgresAudit(database, 'one/1'),
    other: openPostgresAudit(database, 'two/2'),
    run,
  }
}

const noted = (subject: string, time = Date.now()) =>
  ({
    action: 'key.added',
    actor: '(gateway)',
    subject,
    time,
    details: { at: 1.5, so: 'ü' },
  }) as const

const fill = async ({ store, other }: Place, count = 6) => {
  for (let n = 1; n <= count; n++) await (n % 2 ? store : other).append([noted(`key-${n}`)])
}

const faultsOf = async ({ store }: Place, kept: { seq: number; hash: string } | null = null) =>
  (await verifyStore(store, kept)).faults.map(({ message }) => message)

describe.each(['SQLite', 'PostgreSQL'])('the chain in %s', store => {
  const open = async (context: { skip: () => void }) => {
    if (store === 'SQLite') return openSqlite()
    if (!postgresPart.available) context.skip()
    return await openPostgres()
  }

  test('is whole, whichever gateway writes', async context => {
    const place = await open(context)
    expect(await verifyStore(place.store, null)).toMatchObject({ faults: [], records: 0 })
    const writers = Array.from({ length: 20 }, (_, n) =>
      (n % 2 ? place.store : place.other).append([noted(`a-${n}`), noted(`b-${n}`)]),
    )
    await Promise.all(writers)
    const { faults, records, head } = await verifyStore(place.store, null)
    expect({ faults, records, seq: head?.seq }).toEqual({ faults: [], records: 40, seq: 40 })
  })

  test.each([
    ['a record that is gone', 'DELETE FROM audit WHERE seq = 3', [/record 3 is missing/]],
    ['the oldest ones gone', 'DELETE FROM audit WHERE seq <= 2', [/records 1 to 2 are missing/]],
    ['the newest ones gone', 'DELETE FROM audit WHERE seq > 4', [/record 4 is not the newest/]],
    ['all gone', 'DELETE FROM audit', [/record 0 is not the newest: the database names record 6/]],
    ['another actor', "UPDATE audit SET actor = 'me' WHERE seq = 3", [/record 3 was changed/]],
    ['another time', 'UPDATE audit SET time = time + 1 WHERE seq = 6', [/record 6 was changed/]],
    ['another reason', "UPDATE audit SET reason = 'x' WHERE seq = 1", [/record 1 was changed/]],
    ['other details', "UPDATE audit SET details = '{}' WHERE seq = 2", [/record 2 was changed/]],
    [
      "two records in each other's place",
      'UPDATE audit SET seq = 100 WHERE seq = 2; UPDATE audit SET seq = 2 WHERE seq = 3; UPDATE audit SET seq = 3 WHERE seq = 100',
      [
        /record 2 does not follow record 1/,
        /record 2 was changed/,
        /record 3/,
        /record 3 was changed/,
        /record 4/,
      ],
    ],
    [
      'one that was put in',
      "INSERT INTO audit SELECT 7, time, action, 'me', subject, reason, details, gateway, hash, hash FROM audit WHERE seq = 6; UPDATE audit_head SET seq = 7, hash = (SELECT hash FROM audit WHERE seq = 7)",
      [/record 7 was changed/],
    ],
  ])('shows %s', async (_what, sql, expected) => {
    const place = await open({ skip: () => {} })
    await fill(place)
    expect(await faultsOf(place)).toEqual([])
    await place.run(sql)
    const found = await faultsOf(place)
    expect(found).toHaveLength(expected.length)
    for (const [at, pattern] of expected.entries()) expect(found[at]).toMatch(pattern)
  })

  test('shows by a head that was kept that the end was cut off, or that all was written anew', async context => {
    const place = await open(context)
    await fill(place)
    const kept = (await verifyStore(place.store, null)).head
    const cut =
      'DELETE FROM audit WHERE seq > 4; UPDATE audit_head SET seq = 4, hash = (SELECT hash FROM audit WHERE seq = 4)'
    await place.run(cut)
    expect(await faultsOf(place)).toEqual([])
    expect(await faultsOf(place, kept)).toEqual([
      'record 4 is the last one, and the head that was kept is record 6',
    ])
    await fill(place, 3)
    expect(await faultsOf(place)).toEqual([])
    expect(await faultsOf(place, kept)).toEqual([
      'record 6 is not the record of the head that was kept',
    ])
  })

  test('stays whole when the retention deletes its beginning, and shows a deletion by others', async context => {
    const place = await open(context)
    for (const time of [1000, 2000, 3000, 4000]) await place.store.append([noted('key', time)])
    expect(await place.store.prune(3000, 5000)).toBe(2)
    expect(await place.other.prune(3000, 5000)).toBe(0)
    const { faults, first, records } = await verifyStore(place.store, null)
    expect({ faults, first, records }).toEqual({ faults: [], first: 3, records: 3 })
    await place.store.append([noted('key', 6000)])
    expect(await place.store.prune(4500, 7000)).toBe(4)
    expect(await faultsOf(place)).toEqual([])
    await place.run('DELETE FROM audit WHERE seq = 5')
    expect(await faultsOf(place)).toEqual([expect.stringMatching(/record 6 .*record 5 is missing/)])
  })
})

test('decisions wait for a database that is away, and those beyond the limit are counted', async () => {
  const { store } = openSqlite()
  let isAway = true
  const troubles: unknown[] = []
  const audit = new Audit({
    store: {
      ...store,
      read: (filter, span) => store.read(filter, span),
      head: () => store.head(),
      prune: async () => 0,
      append: decisions => (isAway ? Promise.reject(new Error('away')) : store.append(decisions)),
    },
    expire: async () => {},
    keptMs: 1000,
    onHead: () => {},
    outage: { onAway: error => troubles.push(error), onBack: () => troubles.push('back') },
  })
  const decision = { action: 'key.added', actor: '(gateway)', subject: 'key' } as const
  for (let n = 0; n < 10_005; n++) audit.note(decision)
  await expect.poll(() => troubles.length).toBe(1)
  isAway = false
  const seq = async () => (await store.head()).seq
  await expect.poll(seq, { timeout: 10_000 }).toBe(10_001)
  const lost = await audit.read({ action: 'audit.lost' }, { direction: 'newer', from: 0, limit: 9 })
  expect(lost).toMatchObject([{ details: { records: 5 } }])
  expect(troubles).toEqual([expect.any(Error), 'back'])
  expect(audit.lost).toBe(5)
  await audit.close()
})

test('a flood of refusals is two records a minute for each key and code', async () => {
  const decisions: Decision[] = []
  const refusals = new KeyRefusals(decision => decisions.push(decision), 50)
  const refuse = (caller: string | null, code: 'AUTH' | 'FORBIDDEN', wanted: string) =>
    refusals.add({ caller, code, reason: null, wanted, requestId: '1', message: 'No.' })
  for (let n = 0; n < 1000; n++) {
    refuse(null, 'AUTH', '/v1/requests')
    refuse('agent', 'FORBIDDEN', `issue.${n}`)
  }
  expect(decisions).toHaveLength(2)
  await expect.poll(() => decisions.length).toBe(4)
  expect(decisions.slice(2)).toMatchObject([
    { subject: '(anonymous)', details: { more: 999, wanted: ['/v1/requests'] } },
    { subject: 'agent', details: { more: 999, wanted: { length: 10 } } },
  ])
  refuse('agent', 'FORBIDDEN', 'issue.list')
  refuse('agent', 'FORBIDDEN', 'issue.list')
  refusals[Symbol.dispose]()
  expect(decisions.slice(4)).toMatchObject([
    { details: { wanted: 'issue.list' } },
    { details: { more: 1 } },
  ])
})

test('a reload says which keys came, went and changed, and no record holds a secret', () => {
  const entry = (name: string, digest: string, more: object = {}) => ({
    key: { name, secret: `secret-of-${name}-0123456789`, ...more },
    digest,
  })
  const before = [entry('a', '1'), entry('b', '2'), entry('c', '3', { allow: ['read:*'] })]
  const after = [entry('b', '9'), entry('c', '3', { deny: ['x.y'] }), entry('d', '4')]
  const changes = keyDecisions(before, after)
  expect(changes).toMatchObject([
    { action: 'key.removed', subject: 'a' },
    { action: 'key.changed', subject: 'b', details: { changed: ['secret'] } },
    { action: 'key.changed', subject: 'c', details: { changed: ['allow', 'deny'] } },
    { action: 'key.added', subject: 'd' },
  ])
  expect(keyDecisions(after, after)).toEqual([])
  const settings = (password: string, timeout_ms: number) =>
    loadSettings({}, null, {
      keys: [{ name: 'a', secret: 'canary-secret-0123456789' }],
      journal: `postgres://user:${password}@127.0.0.1/db`,
      approval_webhook_secret: 'Y2FuYXJ5Y2FuYXJ5Y2FuYXJ5Y2FuYXJ5',
      timeout_ms,
    })
  const hashesOf = (password: string, timeoutMs: number) =>
    settingsLoaded(settings(password, timeoutMs), '1').details?.hashes
  expect(hashesOf('one', 1)).toEqual(hashesOf('two', 1))
  expect(hashesOf('one', 1)).not.toEqual(hashesOf('one', 2))
  const texts = JSON.stringify([changes, settingsLoaded(settings('hunter2', 1), '1')])
  expect(texts).not.toMatch(/secret-of|canary|hunter2|Y2Fu/)
})
