import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import pg from 'pg'
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import { toRequestEntry } from '../../src/journal/entries.ts'
import type { Journal } from '../../src/journal/journal.ts'
import { openPostgresJournal, type PostgresJournalOptions } from '../../src/journal/postgres.ts'
import { toRequestRows } from '../../src/journal/rows.ts'
import { Spill } from '../../src/journal/spill.ts'
import { openCuttingProxy } from '../support/cutting-proxy.ts'
import { startTestGateway, type TestGateway } from '../support/gateway.ts'
import { githubEnv } from '../support/github.ts'
import { type Load, startLoad } from '../support/load.ts'
import { postgres } from '../support/parts.ts'
import { startPostgres, type TestPostgres } from '../support/postgres.ts'
import { until } from '../support/until.ts'
import { expectInterrupted, INTENT } from './interrupted.ts'
import { WITHOUT_FILTER_INDEXES } from './older.ts'
import { CREATED, recordOf } from './records.ts'

async function runSql(url: string, sql: string): Promise<void> {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  await client.query(sql)
  await client.end()
}

/** `npm run outage` sets half a minute. */
const OUTAGE_MS = Number(process.env.OUTAGE_SECONDS ?? 2) * 1000
const REPOSITORY = { owner: 'octo-org', name: 'hello-world' }

describe.runIf(postgres.available)('a journal in PostgreSQL', () => {
  let server: TestPostgres
  beforeAll(async () => {
    server = await startPostgres()
  })
  afterAll(() => server.remove())

  test('is shared: the other gateways list what one writes, and see it live', async () => {
    const url = await server.createDatabase()
    const [one, other] = await Promise.all([open(url), open(url)])
    const { promise: seen, resolve } = Promise.withResolvers<string>()
    other.watch(({ row }) => resolve(row.request_id))

    await one.append(recordOf({ request_id: 'shared' }))

    expect(await seen).toBe('shared')
    expect(await other.request('shared')).not.toBeNull()
  })

  test('has the outcome of a write that a gateway has spilled, also when another has recovered the write before', async () => {
    const url = await server.createDatabase()
    const spillFile = join(mkdtempSync(join(tmpdir(), 'signalbox-spill-')), 'spill')
    onTestFinished(() => rmSync(dirname(spillFile), { recursive: true, force: true }))
    const one = await open(url, { spillFile })
    const time = Date.now()
    const names = { capability_id: 'issue.create', caller: 'agent' }
    await one.intend({ request_id: 'write', time, route: 'rest', ...names })
    await server.stop()
    await one.append(recordOf({ request_id: 'write', time, ...names }))
    await one.close()
    await server.start()
    const other = await open(url, { beatEveryMs: 50 })
    const reasonOf = async () => (await other.request('write'))?.reason
    await expect.poll(reasonOf, { timeout: 20_000 }).toBe('WRITE_OUTCOME_UNKNOWN')

    await open(url, { spillFile })
    await expect.poll(reasonOf, { timeout: 20_000 }).toBe('CARD_PREFERRED')
    expect((await other.requests({}, { limit: 10 })).items).toHaveLength(1)
  })

  test('has the spilled records before and after one that it rejects, and counts that one as dropped', async () => {
    const url = await server.createDatabase()
    const spillFile = join(mkdtempSync(join(tmpdir(), 'signalbox-spill-')), 'spill')
    onTestFinished(() => rmSync(dirname(spillFile), { recursive: true, force: true }))
    const spill = new Spill(spillFile)
    // No text in PostgreSQL can hold this character.
    const records = [{ caller: 'one' }, { caller: 'no\0body' }, { caller: 'other' }].map(recordOf)
    spill.save(records.map(record => toRequestEntry(toRequestRows(record, 'off'))))
    const journal = await open(url, { spillFile })
    const callers = async () =>
      (await journal.requests({}, { limit: 10 })).items.map(row => row.caller)
    await expect.poll(async () => (await callers()).toSorted()).toEqual(['one', 'other'])
    await expect.poll(() => spill.requestIds().size).toBe(0)
    expect(journal.health()).toMatchObject({ ok: true, dropped: 1 })
  })

  test('recovers the writes that a dead gateway had in flight, once, and none of a living one', async () => {
    const url = await server.createDatabase()
    const fast = { beatEveryMs: 50 }
    const dying = await open(url, { beatEveryMs: 60_000 })
    const living = await open(url, fast)
    const another = await open(url, fast)
    await dying.intend(INTENT)
    await living.intend({ ...INTENT, request_id: 'running' })
    // To the other gateways a close looks like a crash.
    await dying.close()

    const { items } = await until(
      () => another.requests({}, { limit: 10 }),
      page => page.items.length > 0,
    )
    // Several beats, in which it could be recovered twice.
    await delay(300)

    expect(items.map(row => row.request_id)).toEqual(['lost'])
    await expectInterrupted(another)
    expect((await another.requests({}, { limit: 10 })).items).toHaveLength(1)
  })

  test('is migrated from the schema of an older version', async () => {
    const url = await server.createDatabase()
    const older = await open(url)
    const coffee = { message: 'Out of coffee.', details: { approval_id: 'ASKED' } }
    await older.append(recordOf({ request_id: 'old', error: coffee }))
    const granted = { approvalId: 'GRANTED', attempts: [CREATED] }
    await older.append(recordOf({ request_id: 'created', ...granted }))
    await runSql(
      url,
      `${WITHOUT_FILTER_INDEXES}
       ALTER TABLE requests DROP COLUMN correlation_id;
       ALTER TABLE intents DROP COLUMN correlation_id;
       ALTER TABLE requests DROP COLUMN batch_id, DROP COLUMN batch_step, DROP COLUMN batch_item;
       ALTER TABLE intents DROP COLUMN batch_id, DROP COLUMN batch_step, DROP COLUMN batch_item;
       ALTER TABLE attempts DROP COLUMN purpose;
       ALTER TABLE request_details DROP COLUMN answer_from, DROP COLUMN key_hash, DROP COLUMN asked_options, DROP COLUMN approval_id;
       ALTER TABLE intents DROP COLUMN upstream, DROP COLUMN effect, DROP COLUMN key_hash;
       DROP TABLE request_texts, approvals, audit, audit_head, audit_waiting, stats_facts, quota_history, circuit_history;
       DROP FUNCTION signalbox_note, signalbox_audit_approval;
       DELETE FROM signalbox_schema WHERE version > 3`,
    )
    const journal = await open(url)
    await journal.append(recordOf({ request_id: 'new', correlationId: 'mine' }))

    const { items } = await journal.requests({}, { limit: 10 })
    const ids = Object.fromEntries(items.map(row => [row.request_id, row.correlation_id]))
    expect(ids).toEqual({ old: null, created: null, new: 'mine' })
    const found = await journal.requests({ q: 'coffee' }, { limit: 10 })
    expect(found.items.map(row => row.request_id)).toEqual(['old'])
    for (const [q, id] of [
      ['ASKED', 'old'],
      ['GRANTED', 'created'],
    ] as const) {
      const { items: own } = await journal.requests({ q }, { limit: 10 })
      expect(own.map(row => row.request_id)).toEqual([id])
    }
    const created = await journal.attempts({ upstream_status: '201' }, { limit: 10 })
    expect(created.items).toMatchObject([
      { request_id: 'created', index: 0, route: 'rest', duration_ms: CREATED.duration_ms },
    ])
  })

  test('fails to open with the address but not the password when the server is unreachable', async () => {
    const opening = open('postgres://someone:hunter2@127.0.0.1:1/nowhere')
    await expect(opening).rejects.toThrow(/the journal at 127\.0\.0\.1:1\/nowhere cannot be opened/)
    await expect(opening).rejects.not.toThrow(/hunter2/)
  })

  test('fails to open with a usage hint but not the password when the address is malformed', async () => {
    const opening = open('postgres://some one:hunter2@@/x')
    await expect(opening).rejects.toThrow(/SIGNALBOX_JOURNAL .* postgres:\/\/user:password@host/)
    await expect(opening).rejects.not.toThrow(/hunter2/)
  })

  test('connects by TLS to a server whose authority it trusts, and to no other', async () => {
    const url = `${await server.createDatabase()}?sslmode=verify-full`
    const authority = await server.enableTls()

    await expect(open(url)).rejects.toThrow(/cannot be opened: self-signed certificate/)
    const journal = await open(`${url}&sslrootcert=${authority}`)

    await journal.append(recordOf({ request_id: 'encrypted' }))
    expect(await journal.request('encrypted')).not.toBeNull()
  })

  test('shares Idempotency-Keys between gateways', async () => {
    const url = await server.createDatabase()
    const env = { SIGNALBOX_JOURNAL: url }
    await using one = await startTestGateway({ env })
    await using other = await startTestGateway({ env: { ...env, ...upstreamOf(one) } })
    const input = { ...REPOSITORY, title: 'Once for all' }
    const headers = { 'idempotency-key': 'one-for-all' }

    const [first, second] = await Promise.all([
      one.call('issue.create', input, { headers }),
      other.call('issue.create', input, { headers }),
    ])
    const third = await other.call('issue.create', input, { headers })

    // The later of two simultaneous calls is refused, unless the earlier one has ended by then.
    expect(Math.min(first.status, second.status)).toBe(200)
    expect([200, 409]).toContain(Math.max(first.status, second.status))
    expect(third.headers.get('idempotent-replayed')).toBe('true')
    const { body } = await one.call('issue.list', { ...REPOSITORY, first: 100 })
    const made = body.data.items.filter((issue: { title: string }) => issue.title === input.title)
    expect(made).toHaveLength(1)
  })

  test(
    'goes away under load without failing a request, and gets the rows kept meanwhile',
    async () => {
      const url = await server.createDatabase()
      await using gateway = await startTestGateway({ env: { SIGNALBOX_JOURNAL: url } })
      const load = loadOn(gateway)
      await expect.poll(() => load.answered.length).toBeGreaterThan(20)
      await server.stop()
      // How long the server is away is what this tests.
      await delay(OUTAGE_MS * 0.75)
      const degraded = await gateway.get('/readyz')
      await delay(OUTAGE_MS * 0.25)
      await server.start()
      await until(
        () => gateway.get('/readyz'),
        ({ body }) => body.data.status === 'ready',
      )
      await load.end()

      expect(degraded).toMatchObject({ status: 200, body: { data: { status: 'degraded' } } })
      expect(load.failed).toEqual([])
      expect(gateway.engine.journal.health()).toMatchObject({ ok: true, dropped: 0 })
      expect(await missingFrom(gateway.engine.journal, load.answered)).toEqual([])
    },
    OUTAGE_MS * 2 + 20_000,
  )

  test('loses nothing when its connections are cut repeatedly under load', async () => {
    const url = await server.createDatabase()
    await using gateway = await startTestGateway({ env: { SIGNALBOX_JOURNAL: url } })
    const load = loadOn(gateway)
    for (let n = 0; n < 40; n++) {
      // Time to connect again and to write a little.
      await delay(25)
      await server.cutConnections(url)
    }
    await load.end()
    await until(
      async () => gateway.engine.journal.health(),
      ({ ok, waiting }) => ok && waiting === 0,
    )

    expect(load.failed).toEqual([])
    expect(gateway.engine.journal.health()).toMatchObject({ dropped: 0 })
    expect(await missingFrom(gateway.engine.journal, load.answered)).toEqual([])
  })

  test('counts a row once when the answer to its COMMIT is lost', async () => {
    const url = await server.createDatabase()
    await using proxy = await openCuttingProxy(url)
    const journal = await open(proxy.through(url))
    await journal.append(recordOf({ request_id: 'one' }))

    proxy.cutCommits(1)
    const counted = await totalOf(journal)
    proxy.cutCommits(1)
    await journal.append(recordOf({ request_id: 'two' }))

    expect(proxy.cut).toBe(2)
    expect(counted).toBe(1)
    expect(await totalOf(journal)).toBe(2)
    const { items } = await journal.requests({}, { limit: 10 })
    expect(items.map(row => row.request_id).toSorted()).toEqual(['one', 'two'])
    expect((await journal.attempts({}, { limit: 10 })).items).toHaveLength(2)
  })

  test('recovers a write once when the answer to the COMMIT that took it over is lost', async () => {
    const url = await server.createDatabase()
    await using proxy = await openCuttingProxy(url)
    const dying = await open(url, { beatEveryMs: 60_000 })
    const living = await open(proxy.through(url), { beatEveryMs: 20 })
    const intent = { time: Date.now(), caller: 'agent', capability_id: 'issue.create' }
    await dying.intend({ ...intent, request_id: 'lost', route: 'rest' })
    // One of the next three commits takes it over.
    proxy.cutCommits(3)
    await dying.close()

    await until(
      () => living.requests({}, { limit: 10 }),
      ({ items }) => items.length > 0,
    )
    // Many beats, in which it could be recovered again.
    await delay(500)

    expect(proxy.cut).toBeGreaterThan(0)
    const { items } = await living.requests({}, { limit: 10 })
    expect(items).toMatchObject([{ request_id: 'lost', write_outcome: 'unknown' }])
  })

  test('frees an Idempotency-Key when the answer to the COMMIT of its claim is lost', async () => {
    const url = await server.createDatabase()
    await using proxy = await openCuttingProxy(url)
    await using one = await startTestGateway({ env: { SIGNALBOX_JOURNAL: proxy.through(url) } })
    const input = { ...REPOSITORY, title: 'Claimed twice' }
    const headers = { 'idempotency-key': 'lost' }
    const create = () => one.call('issue.create', input, { headers })
    await one.call('repo.view', REPOSITORY)
    // The audit commits too when a credential is used for the first time.
    await one.engine.audit.audit.head()

    proxy.cutCommits(1)
    const lost = await create()
    const again = await until(create, ({ status }) => status !== 409)

    expect(lost.body.error).toMatchObject({ code: 'SERVER', write_outcome: 'not_applied' })
    expect(again.body).toMatchObject({ ok: true, meta: { reason: 'CARD_PREFERRED' } })
    expect((await create()).headers.get('idempotent-replayed')).toBe('true')
  })

  test('drops and counts what exceeds the buffer while the server is away', async () => {
    const journal = await open(await server.createDatabase(), { maxBufferBytes: 20_000 })
    await server.stop()
    const records = Array.from({ length: 100 }, () => recordOf())
    await Promise.all(records.map(record => journal.append(record)))
    const { dropped, waiting } = journal.health()
    await server.start()
    await until(
      async () => journal.health(),
      ({ ok }) => ok,
    )

    expect(dropped).toBeGreaterThan(50)
    // The counters may be waiting too.
    expect([100, 101]).toContain(dropped + waiting)
    const { items } = await journal.requests({}, { limit: 200 })
    expect(items).toHaveLength(100 - dropped)
  })
})

async function open(url: string, options: Partial<PostgresJournalOptions> = {}): Promise<Journal> {
  const journal = await openPostgresJournal({ url, onError: () => {}, ...options })
  onTestFinished(() => journal.close())
  return journal
}

async function totalOf(journal: Journal): Promise<number> {
  const now = Date.now()
  const { totals } = await journal.stats({ since: 0, until: now + 3_600_000, bucketMs: 3_600_000 })
  return totals.find(({ route }) => route === null)?.count ?? 0
}

function upstreamOf({ sandbox }: TestGateway) {
  return githubEnv(sandbox.url)
}

/** Two clients that read, and one that changes. */
function loadOn(gateway: TestGateway): Load {
  const read = () => gateway.call('repo.view', REPOSITORY)
  const label = { ...REPOSITORY, issueNumber: 1, labels: ['bug'] }
  return startLoad([read, read, () => gateway.call('issue.labels.add', label)])
}

async function missingFrom(journal: Journal, ids: readonly string[]): Promise<string[]> {
  const missing: string[] = []
  for (const id of ids) if (!(await journal.request(id))) missing.push(id)
  return missing
}
