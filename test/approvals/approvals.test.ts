import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import { createApprovalDesk } from '../../src/access/approvals.ts'
import { startTestGateway, type TestGateway } from '../support/gateway.ts'
import { postgres as postgresPart } from '../support/parts.ts'
import { startPostgres, type TestPostgres } from '../support/postgres.ts'

const secretOf = (name: string) => `${name}-secret-0123456789`
const keys = [
  { name: 'agent', secret: secretOf('agent'), approve: ['write:issue.*', 'release.list'] },
  { name: 'other', secret: secretOf('other'), approve: ['write:issue.*'] },
  { name: 'boss', secret: secretOf('boss'), operator: true, approve: ['write:issue.create'] },
  { name: 'chief', secret: secretOf('chief'), operator: true },
]
const as = (name: string, more: Record<string, string> = {}) => ({
  authorization: `Bearer ${secretOf(name)}`,
  'content-type': 'application/json',
  ...more,
})
const ISSUE = { owner: 'octo-org', name: 'hello-world', title: 'Approved' }
const WAITING = {
  ok: false,
  error: {
    code: 'APPROVAL_REQUIRED',
    retryable: true,
    write_outcome: 'not_applied',
    next: { action: 'wait', after_ms: 15_000 },
  },
  meta: { reason: 'APPROVAL_REQUIRED' },
}

let postgres: TestPostgres | undefined
beforeAll(async () => {
  if (postgresPart.available) postgres = await startPostgres()
})
afterAll(() => postgres?.remove())

/** Two gateways that share PostgreSQL, or one with a file. */
async function startGateways(store: string, settings: object = {}) {
  const gateways: TestGateway[] = []
  const directory = await mkdtemp(join(tmpdir(), 'approvals-'))
  onTestFinished(() => rm(directory, { recursive: true, force: true }))
  const journal =
    store === 'SQLite'
      ? join(directory, 'journal.sqlite')
      : ((await postgres?.createDatabase()) ?? '')
  const first = await startTestGateway({ settings: { keys, journal, ...settings } })
  gateways.push(first)
  if (store !== 'SQLite') {
    const { url } = first.sandbox
    const env = { GITHUB_API_URL: url, GITHUB_GRAPHQL_URL: `${url}/graphql` }
    gateways.push(await startTestGateway({ settings: { keys, journal, ...settings }, env }))
  }
  onTestFinished(async () => {
    for (const gateway of gateways) await gateway[Symbol.asyncDispose]()
  })
  let turn = 0
  const next = () => gateways[turn++ % gateways.length] as TestGateway
  const issues = () =>
    [...first.sandbox.log.rows()].filter(
      ({ method, path }) => method === 'POST' && path.endsWith('/issues'),
    ).length
  return {
    first,
    issues,
    create: (name: string, headers: Record<string, string> = {}, input: object = ISSUE) =>
      next().call('issue.create', input, { headers: as(name, headers), query: { route: 'rest' } }),
    decide: async (id: string, body: object, name = 'chief') => {
      const init = { method: 'POST', headers: as(name), body: JSON.stringify(body) }
      const response = await fetch(`${next().url}/v1/approvals/${id}`, init)
      return {
        status: response.status, // oxlint-disable-next-line typescript/no-explicit-any -- data of several endpoints
        body: (await response.json()) as any,
      }
    },
    list: async (query = '', name = 'chief') =>
      (await next().get(`/v1/approvals${query}`, as(name))).body,
  }
}

const idOf = ({ body }: { body: { error: { next: { approval_id: string } } } }) =>
  body.error.next.approval_id

describe.each(['SQLite', 'PostgreSQL'])('with approvals in %s', store => {
  const lacks = (context: { skip: () => void }) => {
    if (store === 'PostgreSQL' && !postgresPart.available) context.skip()
  }

  test('a call waits, runs once when it is approved, and then waits again', async context => {
    lacks(context)
    const gateway = await startGateways(store)
    const asked = await gateway.create('agent', { 'signalbox-reason': 'The build is broken.' })
    expect(asked.status).toBe(409)
    expect(asked.headers.get('retry-after')).toBe('15')
    expect(asked.body).toMatchObject(WAITING)
    const id = idOf(asked)
    expect(asked.body.error.next).toMatchObject({
      url: `/inspector/approvals/${id}`,
      expires_at: expect.stringMatching(/^\d{4}-/),
    })
    expect(idOf(await gateway.create('agent'))).toBe(id)
    expect(gateway.issues()).toBe(0)
    expect((await gateway.list('?status=waiting')).data.items).toMatchObject([
      {
        approval_id: id,
        status: 'waiting',
        capability_id: 'issue.create',
        caller: 'agent',
        reason: 'The build is broken.',
        input: ISSUE,
        plan: { candidates: [{ route: 'rest' }] },
      },
    ])
    expect(
      (await gateway.decide(id, { decision: 'approve', note: 'Fine.' })).body.data,
    ).toMatchObject({ status: 'approved', decided_by: 'chief', note: 'Fine.' })
    const done = await gateway.create('agent')
    expect(done.body).toMatchObject({ ok: true, meta: { approval_id: id } })
    const again = await gateway.create('agent')
    expect(again.body).toMatchObject(WAITING)
    expect(idOf(again)).not.toBe(id)
    expect(gateway.issues()).toBe(1)
    expect((await gateway.create('agent', { 'signalbox-approval': id })).body.error).toMatchObject({
      code: 'CONFLICT',
      retryable: false,
      details: { used_by: done.body.meta.request_id },
    })
  })

  test('a refused call is FORBIDDEN, with the note', async context => {
    lacks(context)
    const gateway = await startGateways(store)
    const id = idOf(await gateway.create('agent'))
    await gateway.decide(id, { decision: 'refuse', note: 'Not in a freeze.' })
    const refused = await gateway.create('agent')
    expect(refused.body.error).toMatchObject({ code: 'FORBIDDEN', retryable: false })
    const { message, details } = refused.body.error
    expect(details).toMatchObject({ decided_by: 'chief', note: 'Not in a freeze.' })
    for (const fact of ['chief', 'Not in a freeze.', details.decided_at, details.expires_at])
      expect(message).toContain(fact)
    expect(gateway.issues()).toBe(0)
    expect((await gateway.decide(id, { decision: 'approve' })).body.error.code).toBe('CONFLICT')
  })

  test('twenty calls at once after one approval make one change', async context => {
    lacks(context)
    const gateway = await startGateways(store)
    const twenty = () => Promise.all(Array.from({ length: 20 }, () => gateway.create('agent')))
    const ids = new Set((await twenty()).map(idOf))
    expect(ids.size).toBe(1)
    const [id = ''] = ids
    await gateway.decide(id, { decision: 'approve' })
    const answers = await twenty()
    expect(answers.filter(({ body }) => body.ok)).toHaveLength(1)
    expect(gateway.issues()).toBe(1)
  })

  test('an approval for a while lets the same call run again, and no other', async context => {
    lacks(context)
    const gateway = await startGateways(store)
    const id = idOf(await gateway.create('agent'))
    await gateway.decide(id, { decision: 'approve', for_ms: 60_000 })
    for (let n = 0; n < 3; n++) expect((await gateway.create('agent')).body.ok).toBe(true)
    const other = { ...ISSUE, title: 'Another' }
    expect((await gateway.create('agent', {}, other)).body).toMatchObject(WAITING)
    expect((await gateway.create('other')).body).toMatchObject(WAITING)
    expect(
      (await gateway.create('agent', { 'signalbox-approval': id }, other)).body.error,
    ).toMatchObject({
      code: 'VALIDATION',
      next: { action: 'fix_input', fields: ['signalbox-approval'] },
    })
  })

  test('an Idempotency-Key keeps the answer of the change, and never the wait', async context => {
    lacks(context)
    const gateway = await startGateways(store)
    const headers = { 'idempotency-key': 'key-1' }
    const asked = await gateway.create('agent', headers)
    expect(idOf(await gateway.create('agent', headers))).toBe(idOf(asked))
    // The id stands for the call that asked, whatever its key.
    expect(idOf(await gateway.create('agent'))).not.toBe(idOf(asked))
    await gateway.decide(idOf(asked), { decision: 'approve' })
    const done = await gateway.create('agent', headers)
    expect(done.body.ok).toBe(true)
    const replayed = await gateway.create('agent', headers)
    expect(replayed.body).toMatchObject({ ok: true, meta: { reason: 'IDEMPOTENT_REPLAY' } })
    expect(replayed.body.data).toEqual(done.body.data)
    expect(gateway.issues()).toBe(1)
  })

  test('a change that was surely not made keeps its approval', async context => {
    lacks(context)
    const gateway = await startGateways(store)
    const id = idOf(await gateway.create('agent'))
    await gateway.decide(id, { decision: 'approve' })
    const { faults } = gateway.first.sandbox
    faults.set([{ on: { method: 'POST' }, do: { status: 422, body: { message: 'No.' } } }])
    expect((await gateway.create('agent')).body).toMatchObject({
      error: { code: 'VALIDATION', write_outcome: 'not_applied' },
    })
    faults.clear()
    expect((await gateway.create('agent')).body.ok).toBe(true)
  })

  test('a change whose outcome is unknown has used its approval', async context => {
    lacks(context)
    const gateway = await startGateways(store, { retries: 0 })
    const id = idOf(await gateway.create('agent'))
    await gateway.decide(id, { decision: 'approve' })
    const { faults } = gateway.first.sandbox
    faults.set([{ on: { method: 'POST' }, do: { hang: true } }])
    const query = { route: 'rest', timeout_ms: '1500' }
    const lost = await gateway.first.call('issue.create', ISSUE, { headers: as('agent'), query })
    faults.clear()
    expect(lost.body.error.write_outcome).toBe('unknown')
    const again = await gateway.create('agent')
    expect(again.body).toMatchObject(WAITING)
    expect(idOf(again)).not.toBe(id)
    expect(gateway.issues()).toBe(1)
  })

  test('an approval ends with its time', async context => {
    lacks(context)
    const gateway = await startGateways(store, { approval_ms: 1 })
    const id = idOf(await gateway.create('agent'))
    expect((await gateway.decide(id, { decision: 'approve' })).body.error.code).toBe('CONFLICT')
    const again = await gateway.create('agent', { 'signalbox-approval': id })
    expect(again.body).toMatchObject(WAITING)
    expect(idOf(again)).not.toBe(id)
    expect((await gateway.list('?status=expired')).data.items).not.toEqual([])
  })
})

test('nobody but another operator decides, and callers see their own approvals only', async () => {
  const gateway = await startGateways('SQLite')
  const id = idOf(await gateway.create('boss'))
  const approve = { decision: 'approve' }
  expect((await gateway.decide(id, approve, 'boss')).body.error.code).toBe('FORBIDDEN')
  expect((await gateway.decide(id, approve, 'agent')).body.error.code).toBe('FORBIDDEN')
  expect((await gateway.list('', 'agent')).error.code).toBe('FORBIDDEN')
  expect((await gateway.list(`/${id}`, 'agent')).error.code).toBe('FORBIDDEN')
  expect((await gateway.list(`/${id}`, 'boss')).data.status).toBe('waiting')
  expect((await gateway.decide('nothing', approve)).status).toBe(404)
  expect((await gateway.decide(id, { decision: 'maybe' })).status).toBe(400)
  expect((await gateway.decide(id, approve, 'chief')).body.data.status).toBe('approved')
})

test('the person at a client decides only for the key that asked, and only if it says so', async () => {
  const gateway = await startGateways('SQLite')
  const id = idOf(await gateway.create('agent'))
  const { approvals, clock } = gateway.first.engine
  const desk = createApprovalDesk(approvals.store, approvals.lastMs, clock.now)
  const verdict = { approve: true, note: null, forMs: null }
  const decide = (name: string, approveBy?: 'elicitation' | 'operator') =>
    desk.decideAtClient(id, { name, operator: false, approveBy }, verdict)
  for (const deciding of [
    decide('agent'),
    decide('agent', 'operator'),
    decide('other', 'elicitation'),
  ]) {
    await expect(deciding).rejects.toMatchObject({ code: 'FORBIDDEN' })
  }
  expect((await desk.show(id)).status).toBe('waiting')
  expect(await decide('agent', 'elicitation')).toMatchObject({ status: 'approved' })
})

test('a read waits too where the key says so', async () => {
  const gateway = await startGateways('SQLite')
  const read = () =>
    gateway.first.call(
      'release.list',
      { owner: 'octo-org', name: 'hello-world' },
      { headers: as('agent') },
    )
  const asked = await read()
  expect(asked.body.error).toMatchObject({ code: 'APPROVAL_REQUIRED', write_outcome: null })
  await gateway.decide(idOf(asked), { decision: 'approve' })
  expect((await read()).body.ok).toBe(true)
})

test('a page of approvals leads to the next', async () => {
  const gateway = await startGateways('SQLite')
  for (const title of ['One', 'Two', 'Three'])
    await gateway.create('agent', {}, { ...ISSUE, title })
  const first = await gateway.list('?limit=2')
  expect(first.data.items).toHaveLength(2)
  const second = await gateway.list(`?limit=2&after=${first.data.nextCursor}`)
  expect(second.data.items.map(({ input }: { input: typeof ISSUE }) => input.title)).toEqual([
    'One',
  ])
  expect(second.data.nextCursor).toBeNull()
})

test('secrets in the input or the reason are not kept', async () => {
  const gateway = await startGateways('SQLite')
  const token = `ghp_${'a1B2'.repeat(9)}`
  const input = { ...ISSUE, title: `Use ${token}` }
  await gateway.create('agent', { 'signalbox-reason': `With ${token}` }, input)
  expect(JSON.stringify(await gateway.list())).not.toContain(token)
})
