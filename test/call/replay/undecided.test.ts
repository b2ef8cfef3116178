import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { startTestGateway, type TestGateway } from '../../support/gateway.ts'

const REPO = { owner: 'octo-org', name: 'hello-world' }
const COMMENT = 'issue.comments.create'
const SECRETS = {
  agent: 'agent-secret-0123456789',
  asking: 'asking-secret-0123456789',
  chief: 'chief-secret-0123456789',
}
const CHIEF = { authorization: `Bearer ${SECRETS.chief}` }
const keys = [
  { name: 'agent', secret: SECRETS.agent },
  { name: 'asking', secret: SECRETS.asking, approve: ['write:*'] },
  { name: 'chief', secret: SECRETS.chief, operator: true },
]

let directory: string
let gateway: TestGateway
beforeAll(async () => {
  directory = await mkdtemp(join(tmpdir(), 'replayed-'))
  const env = { SIGNALBOX_JOURNAL: join(directory, 'journal.sqlite') }
  gateway = await startTestGateway({ settings: { keys }, env })
})
afterAll(async () => {
  await gateway?.[Symbol.asyncDispose]()
  await rm(directory, { recursive: true, force: true })
})

async function make(id: string, input: object, key = '', as: keyof typeof SECRETS = 'agent') {
  const headers = {
    authorization: `Bearer ${SECRETS[as]}`,
    ...(key === '' ? {} : { 'idempotency-key': key }),
  }
  const { body } = await gateway.call(id, input, { headers, query: { route: 'rest' } })
  return body.meta.request_id
}

/** Leaves a key as a gateway does that dies during the call, `later` milliseconds after it really began. */
async function interrupt(id: string, input: object, key: string, later: number): Promise<void> {
  await make(id, input, key)
  const db = new DatabaseSync(join(directory, 'journal.sqlite'))
  const change = "UPDATE idempotency SET owner = '', answer = NULL, time = time + ? WHERE key = ?"
  expect(db.prepare(change).run(later, key).changes).toBe(1)
  db.close()
}

async function refuseAll(): Promise<void> {
  const { body } = await gateway.get('/v1/approvals?status=waiting', CHIEF)
  for (const { approval_id } of body.data.items) {
    const headers = { 'content-type': 'application/json', ...CHIEF }
    const refusal = { method: 'POST', headers, body: JSON.stringify({ decision: 'refuse' }) }
    expect((await fetch(`${gateway.url}/v1/approvals/${approval_id}`, refusal)).status).toBe(200)
  }
}

const said = (body: string) => ({ ...REPO, issueNumber: 1, body })

const CASES: readonly [string, number, () => Promise<string>][] = [
  [
    'a write sent again after a crash',
    200,
    async () => {
      await interrupt(COMMENT, said('Resent'), 'resent', 60_000)
      return await make(COMMENT, said('Resent'), 'resent')
    },
  ],
  [
    'a write that was found after a crash',
    409,
    async () => {
      await interrupt(COMMENT, said('Found'), 'found', 0)
      return await make(COMMENT, said('Found'), 'found')
    },
  ],
  [
    'a write of unknown outcome after a crash',
    409,
    async () => {
      await interrupt(COMMENT, said('Doubt'), 'doubt', 0)
      gateway.sandbox.faults.set([{ on: {}, do: { status: 503 }, times: 99 }])
      const id = await make(COMMENT, said('Doubt'), 'doubt')
      gateway.sandbox.faults.clear()
      return id
    },
  ],
  [
    'an answer that the upstream confirmed',
    200,
    async () => {
      await make('repo.view', REPO)
      return await make('repo.view', REPO)
    },
  ],
  ['a call that waits for a person', 409, () => make(COMMENT, said('Ask'), '', 'asking')],
  [
    'a call that a person refused',
    409,
    async () => {
      await make(COMMENT, said('Refuse'), '', 'asking')
      await refuseAll()
      return await make(COMMENT, said('Refuse'), '', 'asking')
    },
  ],
  [
    'a call whose key another request holds',
    409,
    async () => {
      await make(COMMENT, said('One'), 'held')
      return await make(COMMENT, said('Two'), 'held')
    },
  ],
]

test.each(CASES)('today no decision differs, or none was made: %s', async (_, status, act) => {
  const id = await act()
  const replayed = await gateway.get(`/v1/requests/${id}/replay`, CHIEF)
  expect([replayed.status, replayed.body.data?.differences]).toEqual([
    status,
    status === 200 ? [] : undefined,
  ])
  expect((await gateway.get(`/v1/requests/${id}/export`, CHIEF)).status).toBe(status)
})
