import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import pg from 'pg'
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import type { AuditRecord } from '../../src/model/audit.ts'
import { ChainCheck } from '../../src/state/audit-chain.ts'
import { startTestGateway, type TestGateway } from '../support/gateway.ts'
import { postgres as postgresPart } from '../support/parts.ts'
import { startPostgres, type TestPostgres } from '../support/postgres.ts'

const secretOf = (name: string) => `${name}-secret-0123456789`
const keys = [
  { name: 'agent', secret: secretOf('agent'), approve: ['write:issue.*'], deny: ['gist.delete'] },
  { name: 'slow', secret: secretOf('slow'), requests_per_minute: 1 },
  { name: 'late', secret: secretOf('late'), expires: '2020-01-01T00:00:00Z' },
  { name: 'chief', secret: secretOf('chief'), operator: true },
]
const as = (name: string) => ({
  authorization: `Bearer ${secretOf(name)}`,
  'content-type': 'application/json',
})
const REPO = { owner: 'octo-org', name: 'hello-world' }
const ISSUE = { ...REPO, title: 'Approved' }

let postgres: TestPostgres | undefined
beforeAll(async () => {
  if (postgresPart.available) postgres = await startPostgres()
})
afterAll(() => postgres?.remove())

/** Two gateways that share PostgreSQL, or one with a file. */
async function startGateways(store: string, settings: object = {}) {
  const directory = await mkdtemp(join(tmpdir(), 'audit-'))
  const journal =
    store === 'SQLite'
      ? join(directory, 'journal.sqlite')
      : ((await postgres?.createDatabase()) ?? '')
  const count = store === 'SQLite' ? 1 : 2
  const gateways: TestGateway[] = []
  for (let n = 0; n < count; n++) {
    gateways.push(await startTestGateway({ settings: { keys, journal, ...settings } }))
  }
  const closeAll = async () => {
    for (const gateway of gateways.splice(0)) await gateway[Symbol.asyncDispose]()
  }
  onTestFinished(async () => {
    await closeAll()
    await rm(directory, { recursive: true, force: true })
  })
  let turn = 0
  const next = () => gateways[turn++ % gateways.length] as TestGateway
  const list = async (query = '', name = 'chief') =>
    (await next().get(`/v1/audit${query}`, as(name))).body
  return {
    journal,
    next,
    list,
    closeAll,
    /** The newest first. */
    actions: async (query = '') =>
      ((await list(query)).data.items as AuditRecord[]).map(
        ({ action, actor }) => `${action} by ${actor}`,
      ),
    decide: async (id: string, body: object) => {
      const init = { method: 'POST', headers: as('chief'), body: JSON.stringify(body) }
      await fetch(`${next().url}/v1/approvals/${id}`, init)
    },
    lines: async () => {
      const response = await fetch(`${next().url}/v1/audit/export`, { headers: as('chief') })
      const lines = (await response.text()).trimEnd().split('\n')
      return lines.map(line => JSON.parse(line) as AuditRecord)
    },
    /** Changes the database behind the gateways' back. */
    tamper: async (sql: string) => {
      if (store === 'SQLite') {
        const db = new DatabaseSync(journal)
        db.exec(sql)
        return db.close()
      }
      const client = new pg.Client(journal)
      await client.connect()
      await client.query(sql)
      await client.end()
    },
  }
}

const idOf = ({ body }: { body: { error: { next: { approval_id: string } } } }) =>
  body.error.next.approval_id

describe.each(['SQLite', 'PostgreSQL'])('an audit in %s', store => {
  const lacks = (context: { skip: () => void }) => {
    if (store === 'PostgreSQL' && !postgresPart.available) context.skip()
  }

  test('has a record of each decision on an approval', async context => {
    lacks(context)
    const gateways = await startGateways(store)
    const create = (headers: object = {}) =>
      gateways.next().call('issue.create', ISSUE, { headers: { ...as('agent'), ...headers } })
    const asked = await create({ 'signalbox-reason': 'A bug.' })
    const id = idOf(asked)
    await gateways.decide(id, { decision: 'approve', note: 'Go on.' })
    expect((await create()).body.ok).toBe(true)
    const second = idOf(await create())
    await gateways.decide(second, { decision: 'refuse', note: 'Once is enough.' })

    const { data } = await gateways.list(`?subject=${id}`)
    expect(data.items).toMatchObject([
      { action: 'approval.used', actor: 'agent' },
      {
        action: 'approval.approved',
        actor: 'chief',
        reason: 'Go on.',
        details: { caller: 'agent' },
      },
      {
        action: 'approval.asked',
        actor: 'agent',
        reason: 'A bug.',
        details: { capability_id: 'issue.create' },
      },
    ])
    expect(await gateways.actions(`?subject=${second}`)).toEqual([
      'approval.refused by chief',
      'approval.asked by agent',
    ])
    expect(await gateways.actions('?action=credential.chosen')).toContain(
      'credential.chosen by agent',
    )
  })

  test('records an approval that expires, and one that comes back', async context => {
    lacks(context)
    const gateways = await startGateways(store)
    const first = gateways.next()
    const create = () => first.call('issue.create', ISSUE, { headers: as('agent') })
    const id = idOf(await create())
    await gateways.decide(id, { decision: 'approve' })
    first.sandbox.faults.set([
      { on: { method: 'POST' }, do: { status: 422, body: { message: 'No.' } } },
    ])
    expect((await create()).body.ok).toBe(false)
    await gateways.tamper(`UPDATE approvals SET expires = 1 WHERE id = '${id}'`)
    await expect
      .poll(() => gateways.actions(`?subject=${id}`))
      .toEqual([
        'approval.expired by (gateway)',
        'approval.returned by agent',
        'approval.used by agent',
        'approval.approved by chief',
        'approval.asked by agent',
      ])
  })

  test('records refusals of keys, the first of a kind', async context => {
    lacks(context)
    const gateways = await startGateways(store)
    const gateway = gateways.next()
    for (let n = 0; n < 30; n++) {
      await gateway.get('/v1/requests', { authorization: 'Bearer nobody-knows-this-key' })
      await gateway.call('repo.view', REPO, { headers: { authorization: 'Bearer nobody' } })
      await gateway.call('gist.delete', {}, { headers: as('agent') })
      await gateway.call('repo.view', REPO, { headers: as('slow') })
      await gateway.get('/v1/audit', as('agent'))
      await gateway.get('/v1/audit', as('late'))
    }
    const { data } = await gateways.list('?action=key.refused')
    const found = (data.items as AuditRecord[]).map(
      ({ subject, details: { code, wanted } }) =>
        `${subject} ${code as string} ${wanted as string}`,
    )
    expect(found.toSorted()).toEqual([
      '(anonymous) AUTH /v1/requests',
      'agent FORBIDDEN /v1/audit',
      'agent FORBIDDEN gist.delete',
      'late AUTH /v1/audit',
      'slow RATE_LIMIT repo.view',
    ])
    await gateways.closeAll()
  })

  test('is one chain, in pages and in an export', async context => {
    lacks(context)
    const gateways = await startGateways(store)
    for (let n = 0; n < 12; n++) {
      const input = { ...ISSUE, title: `Number ${n}` }
      await gateways.next().call('issue.create', input, { headers: as('agent') })
    }
    const lines = await gateways.lines()
    expect(lines.length).toBeGreaterThan(10)
    const check = new ChainCheck()
    for (const line of lines) check.add(line)
    const { head } = (await gateways.list()).data
    expect(check.end(head)).toMatchObject({ faults: [], records: lines.length })

    const newest = await gateways.list('?limit=3')
    const older = await gateways.list(`?limit=3&after=${newest.data.pageInfo.endCursor}`)
    const shown = [...newest.data.items, ...older.data.items].map(({ seq }) => seq)
    expect(shown).toEqual(
      lines
        .map(({ seq }) => seq)
        .toReversed()
        .slice(0, 6),
    )
    const back = await gateways.list(`?limit=3&before=${older.data.pageInfo.startCursor}`)
    expect(back.data.items).toEqual(newest.data.items)
    expect((await gateways.list('?after=nonsense')).error.code).toBe('VALIDATION')
  })

  test('belongs to operators', async context => {
    lacks(context)
    const gateways = await startGateways(store)
    expect((await gateways.list('', 'agent')).error.code).toBe('FORBIDDEN')
    const { status } = await gateways.next().get('/v1/audit/export', as('agent'))
    expect(status).toBe(403)
  })
})
