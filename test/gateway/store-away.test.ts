import { rmSync } from 'node:fs'
import { DatabaseSync } from 'node:sqlite'
import pg from 'pg'
import { afterAll, beforeAll, describe, expect, onTestFinished, test, vi } from 'vitest'
import type { RefusalReason } from '../../src/model/refusal-reason.ts'
import { temporaryDirectory } from '../commands/support/signalbox.ts'
import { startTestGateway, type TestGateway } from '../support/gateway.ts'
import { postgres } from '../support/parts.ts'
import { startPostgres, type TestPostgres } from '../support/postgres.ts'

vi.setConfig({ testTimeout: 180_000, hookTimeout: 60_000 })

const KEYS = [
  { name: 'agent', secret: 'agent-secret-0123456789', approve: ['write:*'] },
  { name: 'op', operator: true, secret: 'operator-secret-0123456789' },
]
const REPOSITORY = { owner: 'octo-org', name: 'hello-world' }
const ISSUE = { ...REPOSITORY, title: 'While a store is away' }

type Use = (gateway: TestGateway, n: number) => Promise<{ status: number; error: unknown }>

interface Store {
  readonly name: string
  /** The table without which it cannot work. */
  readonly table: string
  /** Needs the store, and is refused without it. */
  readonly uses: readonly Use[]
  readonly away: string
  readonly back: string
  /** The limit by which its first use counts as refused, if that is a call. */
  readonly refused?: RefusalReason
}

const STORES: readonly Store[] = [
  {
    name: 'approvals',
    table: 'approvals',
    uses: [
      gateway => call(gateway, 'agent', 'issue.create', ISSUE),
      gateway => get(gateway, '/v1/approvals'),
    ],
    away: 'the store of approvals is away; calls that a person must approve are refused',
    back: 'the store of approvals can be used again',
    refused: 'approvals',
  },
  {
    name: 'the audit',
    table: 'audit_head',
    uses: [
      gateway => get(gateway, '/v1/audit'),
      async gateway => {
        await post(gateway, '/v1/upstreams/github/reset')
        return await get(gateway, '/v1/audit')
      },
    ],
    away: 'the audit cannot be written; decisions wait in memory',
    back: 'the audit can be written again',
  },
  {
    name: 'Idempotency-Keys',
    table: 'idempotency',
    uses: [(gateway, n) => call(gateway, 'op', 'issue.create', ISSUE, `key-${n}`)],
    away: 'the store of Idempotency-Keys is away; calls with a key are refused',
    back: 'the store of Idempotency-Keys can be used again',
    refused: 'keys',
  },
]

interface Database {
  readonly name: string
  readonly available: boolean
  readonly open: () => Promise<{
    readonly journal: string
    readonly run: (sql: string) => Promise<void>
  }>
}

let server: TestPostgres
beforeAll(async () => {
  if (postgres.available) server = await startPostgres()
})
afterAll(() => server?.remove())

const DATABASES: readonly Database[] = [
  { name: 'SQLite', available: true, open: openSqlite },
  { name: 'PostgreSQL', available: postgres.available, open: openPostgres },
]

describe.each(DATABASES.filter(({ available }) => available))('in $name', ({ open }) => {
  test.each(STORES)(
    'an outage of $name alone is one line in the log, and its end another; what needs it is refused with 503',
    async ({ table, uses, away, back, refused }) => {
      const { journal, run } = await open()
      const lines: string[] = []
      await using gateway = await startTestGateway({
        settings: { keys: KEYS },
        env: { SIGNALBOX_JOURNAL: journal },
        onLog: line => lines.push(JSON.stringify(line)),
      })
      for (const use of uses) expect((await use(gateway, 0)).status).not.toBe(503)
      lines.length = 0

      await run(`ALTER TABLE ${table} RENAME TO elsewhere`)
      for (let n = 1; n <= 3; n++) {
        for (const use of uses) {
          expect(await use(gateway, n)).toMatchObject({
            status: 503,
            error: { code: 'SERVER', retryable: true, retry_after_ms: expect.any(Number) },
          })
        }
        expect((await call(gateway, 'op', 'repo.view', REPOSITORY)).status).toBe(200)
      }
      if (refused) await expectCount(gateway, uses[0] as Use, refused)
      await expect.poll(() => troublesIn(lines)).toEqual([away])
      expect(lines.filter(line => line.includes('"stack"'))).toEqual([])

      await run(`ALTER TABLE elsewhere RENAME TO ${table}`)
      // Also without a call that needs it.
      await expect.poll(() => troublesIn(lines), { timeout: 10_000 }).toEqual([away, back])
      const works = async () => {
        const found = await Promise.all(uses.map(use => use(gateway, 4)))
        return found.every(({ status }) => status !== 503)
      }
      await expect.poll(works, { timeout: 10_000 }).toBe(true)
      expect(troublesIn(lines)).toEqual([away, back])
    },
  )
})

/** The fourth call that is refused says why, and all of them are counted. */
async function expectCount(gateway: TestGateway, use: Use, reason: RefusalReason): Promise<void> {
  expect((await use(gateway, 4)).error).toMatchObject({ details: { refused: reason } })
  const headers = { authorization: `Bearer ${KEYS[1]?.secret}` }
  const metrics = await (await fetch(`${gateway.url}/metrics`, { headers })).text()
  const line = `signalbox_refused_total{capability="issue.create",reason="${reason}"} 4\n`
  expect(metrics).toContain(line)
}

/** Warnings and errors. */
function troublesIn(lines: readonly string[]): readonly string[] {
  const parsed = lines.map(line => JSON.parse(line) as { level: number; msg: string })
  return parsed.filter(({ level }) => level >= 40).map(({ msg }) => msg)
}

async function call(
  gateway: TestGateway,
  key: 'agent' | 'op',
  capability: string,
  input: object,
  idempotencyKey?: string,
) {
  const headers = {
    authorization: `Bearer ${KEYS[key === 'agent' ? 0 : 1]?.secret}`,
    ...(idempotencyKey && { 'idempotency-key': idempotencyKey }),
  }
  const { status, body } = await gateway.call(capability, input, { headers })
  return { status, error: body.error }
}

async function get({ url }: TestGateway, path: string) {
  const headers = { authorization: `Bearer ${KEYS[1]?.secret}` }
  const response = await fetch(`${url}${path}`, { headers })
  const { error } = (await response.json()) as { error: unknown }
  return { status: response.status, error }
}

async function post({ url }: TestGateway, path: string): Promise<void> {
  const headers = {
    authorization: `Bearer ${KEYS[1]?.secret}`,
    'content-type': 'application/json',
  }
  const { status } = await fetch(`${url}${path}`, { method: 'POST', headers, body: '{}' })
  expect(status).toBe(200)
}

async function openSqlite() {
  const { path } = await temporaryDirectory()
  onTestFinished(() => rmSync(path, { recursive: true, force: true }))
  const journal = `${path}/journal.sqlite`
  return {
    journal,
    run: async (sql: string) => {
      const db = new DatabaseSync(journal, { timeout: 10_000 })
      db.exec(`PRAGMA legacy_alter_table = ON; ${sql}`)
      db.close()
    },
  }
}

async function openPostgres() {
  const journal = await server.createDatabase()
  return {
    journal,
    run: async (sql: string) => {
      const client = new pg.Client(journal)
      await client.connect()
      await client.query(sql)
      await client.end()
    },
  }
}
