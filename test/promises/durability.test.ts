import { mkdtempSync, readdirSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import pg from 'pg'
import { afterAll, beforeAll, describe, expect, onTestFinished, test, vi } from 'vitest'
import { createSandbox, type Sandbox } from '../../sandbox/index.ts'
import { loadSettings } from '../../src/gateway/config.ts'
import { openDurableState } from '../../src/gateway/open-journal.ts'
import type { Journal } from '../../src/journal/journal.ts'
import { openPostgresJournal } from '../../src/journal/postgres.ts'
import { openSqliteJournal } from '../../src/journal/sqlite.ts'
import { recordOf } from '../journal/records.ts'
import { githubEnv } from '../support/github.ts'
import { postgres } from '../support/parts.ts'
import { startPostgres, type TestPostgres } from '../support/postgres.ts'
import { type GatewayProcess, startGatewayProcess } from '../support/process.ts'
import { lostBy, missingFrom, view, viewMany } from './support/gateway-on-record.ts'

// Each test starts two processes, which is slow on a busy machine.
vi.setConfig({ testTimeout: 120_000 })

let sandbox: Sandbox
let server: TestPostgres
beforeAll(async () => {
  sandbox = await createSandbox()
  if (postgres.available) server = await startPostgres()
})
afterAll(async () => {
  await sandbox.close()
  await server?.remove()
})

function temporary(): string {
  const directory = mkdtempSync(join(tmpdir(), 'signalbox-durable-'))
  onTestFinished(() => rmSync(directory, { recursive: true, force: true }))
  return directory
}

function spillFiles(directory: string): readonly string[] {
  // The audit and the approvals have files of their own.
  return readdirSync(directory).filter(name => /(sqlite-spill|jsonl)(\.\w{26})?$/.test(name))
}

async function start(env: Record<string, string>): Promise<GatewayProcess> {
  const gateway = await startGatewayProcess({ ...githubEnv(sandbox.url), ...env })
  onTestFinished(() => void gateway.child.kill('SIGKILL'))
  return gateway
}

/** More than the inbox takes, so that the journal needs the lock. */
const MANY = 140

/** A journal of one test, which can be made to refuse everything. */
interface Place {
  /** Has the files that are spilled. */
  readonly directory: string
  readonly env: Record<string, string>
  takeAway(): Promise<void>
  giveBack(): Promise<void>
}

interface Store {
  readonly name: string
  readonly available: boolean
  readonly open: () => Promise<Place>
}

const STORES: readonly Store[] = [
  { name: 'SQLite', available: true, open: openSqlite },
  { name: 'PostgreSQL', available: postgres.available, open: openPostgres },
]

async function openSqlite(): Promise<Place> {
  const directory = temporary()
  const file = join(directory, 'journal.sqlite')
  let other: DatabaseSync | null = null
  return {
    directory,
    env: { SIGNALBOX_JOURNAL: file },
    takeAway: async () => {
      other = new DatabaseSync(file, { timeout: 10_000 })
      other.exec('BEGIN IMMEDIATE')
    },
    giveBack: async () => other?.close(),
  }
}

async function openPostgres(): Promise<Place> {
  const directory = temporary()
  const env = {
    SIGNALBOX_JOURNAL: await server.createDatabase(),
    SIGNALBOX_JOURNAL_SPILL: join(directory, 'spill.jsonl'),
  }
  return { directory, env, takeAway: () => server.stop(), giveBack: () => server.start() }
}

describe.each(STORES)('with $name', ({ available, open }) => {
  test.runIf(available)('a kill -9 under load loses no answer', async () => {
    const { env } = await open()
    const gateway = await start(env)
    const answered: string[] = []
    const client = async () => {
      for (;;) answered.push(await view(gateway))
    }
    const clients = Array.from({ length: 16 }, () => client().catch(() => 'cut off'))
    await expect.poll(() => answered.length, { timeout: 30_000 }).toBeGreaterThan(300)
    await gateway.end('SIGKILL')
    await Promise.all(clients)

    const next = await start(env)
    expect(await missingFrom(next, answered)).toEqual([])
    expect(await next.end('SIGTERM')).toBe(0)
  })

  test.runIf(available)('a SIGTERM without the database loses no answer', async () => {
    const place = await open()
    const gateway = await start(place.env)
    await place.takeAway()
    onTestFinished(() => place.giveBack().catch(() => {}))
    const ids = await viewMany(gateway, MANY)
    expect(await gateway.end('SIGTERM')).toBe(0)
    expect(spillFiles(place.directory)).toHaveLength(1)
    await place.giveBack()

    const next = await start(place.env)
    await expect.poll(() => spillFiles(place.directory)).toEqual([])
    expect(await missingFrom(next, ids)).toEqual([])
    expect(lostBy(gateway)).toBe(0)
    expect(await next.end('SIGTERM')).toBe(0)
  })
})

test('a journal that is locked at the end spills its records, and the next start files each once', async () => {
  const directory = temporary()
  const file = join(directory, 'journal.sqlite')
  const journal = openSqliteJournal({ file, onError: () => {} })
  const other = new DatabaseSync(file)
  other.exec('BEGIN IMMEDIATE')
  for (let n = 0; n < MANY; n++) await journal.append(recordOf({ request_id: `r${n}` }))
  await journal.close()
  expect(journal.health().dropped).toBe(0)
  expect(spillFiles(directory)).toHaveLength(1)
  other.close()

  const next = openSqliteJournal({ file, onError: () => {} })
  onTestFinished(() => next.close())
  await expect.poll(() => spillFiles(directory)).toEqual([])
  await expectEachOnce(next, MANY)
})

test.runIf(postgres.available)(
  'two gateways that spill to one place and start together file each record once',
  async () => {
    const directory = temporary()
    const spillFile = join(directory, 'spill.jsonl')
    const url = await server.createDatabase()
    const open = () => openPostgresJournal({ url, spillFile, onError: () => {} })
    const [one, other] = [await open(), await open()]
    await server.stop()
    for (let n = 0; n < MANY; n++) {
      await (n % 2 ? one : other).append(recordOf({ request_id: `r${n}` }))
    }
    await Promise.all([one.close(), other.close()])
    await server.start()
    expect(spillFiles(directory)).toHaveLength(2)

    const next = await Promise.all([open(), open()])
    onTestFinished(async () => void (await Promise.all(next.map(journal => journal.close()))))
    await expect.poll(() => spillFiles(directory)).toEqual([])
    await expectEachOnce(next[0], MANY)
  },
)

async function expectEachOnce(journal: Journal, count: number): Promise<void> {
  const { items } = await journal.requests({}, { limit: 200 })
  expect(new Set(items.map(({ request_id }) => request_id)).size).toBe(count)
  expect(items).toHaveLength(count)
}

test('all files of a journal are private, whatever the umask', async () => {
  const directory = temporary()
  const before = process.umask(0)
  onTestFinished(() => void process.umask(before))
  const file = join(directory, 'journal.sqlite')
  const journal = openSqliteJournal({ file, onError: () => {} })
  onTestFinished(() => journal.close())
  const other = new DatabaseSync(file)
  other.exec('BEGIN IMMEDIATE')
  for (let n = 0; n < MANY; n++) await journal.append(recordOf())
  await journal.close()
  const modes = readdirSync(directory).map(name => [
    name.replace(/[^.]{26}$/, 'ID'),
    (statSync(join(directory, name)).mode & 0o777).toString(8),
  ])
  other.close()
  const endings = ['', '-wal', '-shm', '-inbox', '-spill.ID', '.lock']
  expect(new Set(modes.map(([name]) => name))).toEqual(
    new Set(endings.map(ending => `journal.sqlite${ending}`)),
  )
  expect(modes.filter(([, mode]) => mode !== '600')).toEqual([])
})

describe('journal_durability', () => {
  const DURABILITIES = [
    ['normal', 1, 'off'],
    ['full', 2, 'on'],
  ] as const

  test.each(DURABILITIES)('%s reaches every connection to SQLite', async (durability, expected) => {
    // Records the connections that the gateway really opens, to ask each of them.
    const opened = new Set<DatabaseSync>()
    // oxlint-disable-next-line typescript/unbound-method -- called with its `this` below
    const exec = DatabaseSync.prototype.exec
    const spy = vi.spyOn(DatabaseSync.prototype, 'exec').mockImplementation(function (
      this: DatabaseSync,
      sql,
    ) {
      opened.add(this)
      return exec.call(this, sql)
    })
    onTestFinished(() => spy.mockRestore())
    const file = join(temporary(), 'journal.sqlite')
    const settings = loadSettings({}, null, { journal: file, journal_durability: durability })
    const { journal, idempotency } = await openDurableState(settings, () => [], { warn: () => {} })
    const connections = [...opened].filter(db => db.location()?.endsWith('journal.sqlite'))
    const found = connections.map(db => db.prepare('PRAGMA synchronous').get()?.synchronous)
    // The journal's and the keys' own.
    expect(found).toEqual([expected, expected])
    await Promise.all([idempotency.close(), journal.close()])
  })

  test.runIf(postgres.available).each(DURABILITIES)(
    '%s reaches every transaction in PostgreSQL',
    async (durability, _, expected) => {
      const url = await server.createDatabase()
      const settings = loadSettings({}, null, {
        journal: url,
        journal_durability: durability,
        journal_spill: join(temporary(), 'spill.jsonl'),
      })
      const { journal, idempotency } = await openDurableState(settings, () => [], {
        warn: () => {},
      })
      const client = new pg.Client(url)
      await client.connect()
      // The server is off by default. A trigger notes the setting of the transaction that writes.
      await client.query(`
        CREATE TABLE noted (place text, setting text);
        CREATE FUNCTION note() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
          INSERT INTO noted VALUES (TG_TABLE_NAME, current_setting('synchronous_commit'));
          RETURN NULL;
        END $$;
        CREATE TRIGGER note AFTER INSERT ON requests FOR EACH STATEMENT EXECUTE FUNCTION note();
        CREATE TRIGGER note AFTER INSERT ON intents FOR EACH STATEMENT EXECUTE FUNCTION note();
        CREATE TRIGGER note AFTER INSERT ON idempotency FOR EACH STATEMENT EXECUTE FUNCTION note();`)
      const time = Date.now()
      const names = { capability: 'issue.create', key: 'k', fingerprint: 'f' }
      await idempotency.claim({ caller: 'agent', time, ...names })
      const intent = { request_id: 'r', capability_id: 'issue.create', route: 'rest' } as const
      await journal.intend({ ...intent, caller: 'agent', time })
      await journal.append(recordOf({ request_id: 'r' }))
      const { rows } = await client.query(
        'SELECT DISTINCT place, setting FROM noted ORDER BY place',
      )
      await client.end()
      await Promise.all([idempotency.close(), journal.close()])
      const places = ['idempotency', 'intents', 'requests']
      expect(rows).toEqual(places.map(place => ({ place, setting: expected })))
    },
  )
})

test.runIf(postgres.available)(
  'a gateway reports the number of records that it cannot keep, and fails',
  async () => {
    // Nothing can be created below a file.
    const SIGNALBOX_JOURNAL_SPILL = '/dev/null/spill.jsonl'
    const SIGNALBOX_JOURNAL = await server.createDatabase()
    const gateway = await start({ SIGNALBOX_JOURNAL, SIGNALBOX_JOURNAL_SPILL })
    await server.stop()
    onTestFinished(() => server.start())
    await viewMany(gateway, 2)
    expect(await gateway.end('SIGTERM')).toBe(1)
    expect(lostBy(gateway)).toBe(2)
  },
)
