import { existsSync, mkdtempSync, readdirSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { afterAll, beforeAll, describe, expect, onTestFinished, test, vi } from 'vitest'
import { createSandbox, type Sandbox } from '../../sandbox/index.ts'
import { openSqliteJournal } from '../../src/journal/sqlite.ts'
import { recordOf } from '../journal/records.ts'
import { postgres } from '../support/parts.ts'
import { startPostgres, type TestPostgres } from '../support/postgres.ts'
import { type GatewayProcess, startGatewayProcess } from '../support/process.ts'

// Each test starts two processes, which is slow on a busy machine.
vi.setConfig({ testTimeout: 120_000 })

let sandbox: Sandbox
beforeAll(async () => {
  sandbox = await createSandbox()
})
afterAll(() => sandbox.close())

function temporary(): string {
  const directory = mkdtempSync(join(tmpdir(), 'signalbox-durable-'))
  onTestFinished(() => rmSync(directory, { recursive: true, force: true }))
  return directory
}

function environment(more: Record<string, string>): Record<string, string> {
  return { GITHUB_API_URL: sandbox.url, GITHUB_TOKEN: 'sandbox-token', ...more }
}

/** Makes a call, and returns its request id. */
async function view({ url }: GatewayProcess): Promise<string> {
  const response = await fetch(`${url}/v1/capabilities/repo.view?route=rest`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ owner: 'octo-org', name: 'hello-world' }),
  })
  const { meta } = (await response.json()) as { meta: { request_id: string } }
  return meta.request_id
}

async function isRecorded({ url }: GatewayProcess, id: string): Promise<boolean> {
  return (await fetch(`${url}/v1/requests/${id}`)).status === 200
}

/** More than the inbox takes, so that the journal needs the lock. */
const MANY = 140

test('a journal that is locked at the end spills its records, and the next start files each once', async () => {
  const file = join(temporary(), 'journal.sqlite')
  const journal = openSqliteJournal({ file, onError: () => {} })
  const other = new DatabaseSync(file)
  other.exec('BEGIN IMMEDIATE')
  for (let n = 0; n < MANY; n++) await journal.append(recordOf({ request_id: `r${n}` }))
  await journal.close()
  expect(journal.health().dropped).toBe(0)
  expect(existsSync(`${file}-spill`)).toBe(true)
  other.close()

  const next = openSqliteJournal({ file, onError: () => {} })
  onTestFinished(() => next.close())
  await expect.poll(() => existsSync(`${file}-spill`)).toBe(false)
  const { items } = await next.requests({}, { limit: 200 })
  expect(new Set(items.map(({ request_id }) => request_id)).size).toBe(MANY)
  expect(items).toHaveLength(MANY)
})

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
    name,
    (statSync(join(directory, name)).mode & 0o777).toString(8),
  ])
  other.close()
  expect(modes.map(([name]) => name)).toEqual(
    expect.arrayContaining(['journal.sqlite', 'journal.sqlite-inbox', 'journal.sqlite-spill']),
  )
  expect(modes.filter(([, mode]) => mode !== '600')).toEqual([])
})

describe.runIf(postgres.available)('a gateway that ends while PostgreSQL is away', () => {
  let server: TestPostgres
  beforeAll(async () => {
    server = await startPostgres()
  })
  afterAll(() => server.remove())

  test('spills what it answered, and the next start files it', async () => {
    const spill = join(temporary(), 'spill.jsonl')
    const SIGNALBOX_JOURNAL = await server.createDatabase()
    const env = environment({ SIGNALBOX_JOURNAL, SIGNALBOX_JOURNAL_SPILL: spill })
    const gateway = await startGatewayProcess(env)
    await server.stop()
    const ids = [await view(gateway), await view(gateway)]
    expect(await gateway.end('SIGTERM')).toBe(0)
    expect(existsSync(spill)).toBe(true)
    await server.start()
    const next = await startGatewayProcess(env)
    await expect.poll(() => existsSync(spill)).toBe(false)
    for (const id of ids) expect(await isRecorded(next, id)).toBe(true)
    expect(await next.end('SIGTERM')).toBe(0)
  })

  test('reports the number of records that it cannot keep, and fails', async () => {
    const SIGNALBOX_JOURNAL = await server.createDatabase()
    // A directory cannot be written like a file.
    const env = environment({ SIGNALBOX_JOURNAL, SIGNALBOX_JOURNAL_SPILL: tmpdir() })
    const gateway = await startGatewayProcess(env)
    let log = ''
    gateway.child.stdout?.on('data', (chunk: Buffer) => {
      log += chunk.toString()
    })
    await server.stop()
    onTestFinished(() => server.start())
    await view(gateway)
    expect(await gateway.end('SIGTERM')).toBe(1)
    expect(log).toMatch(/the journal has lost \d+ records/)
  })
})
