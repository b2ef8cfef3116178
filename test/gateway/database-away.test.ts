import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import { openPostgresJournal } from '../../src/journal/postgres.ts'
import { encodeLiveId } from '../../src/journal/row-cursor.ts'
import { recordOf } from '../journal/records.ts'
import { startTestGateway, type TestGateway } from '../support/gateway.ts'
import { postgres } from '../support/parts.ts'
import { startPostgres, type TestPostgres } from '../support/postgres.ts'
import { until } from '../support/until.ts'

// Databases start and stop slowly on a busy machine.
vi.setConfig({ testTimeout: 180_000, hookTimeout: 60_000 })

const SECRET = 'operator-secret-0123456789'
const headers = { authorization: `Bearer ${SECRET}` }
const REPOSITORY = { owner: 'octo-org', name: 'hello-world' }

/** Each endpoint that reads the database. */
const ENDPOINTS = [
  ['GET', '/v1/requests'],
  ['GET', '/v1/requests/01ARZ3NDEKTSV4RRFFQ69G5FAV'],
  ['GET', '/v1/requests/01ARZ3NDEKTSV4RRFFQ69G5FAV/export'],
  ['GET', '/v1/requests/stream'],
  ['GET', '/v1/requests/export'],
  ['GET', '/v1/attempts/export'],
  ['GET', '/v1/attempts'],
  ['GET', '/v1/stats'],
  ['GET', '/v1/audit'],
  ['GET', '/v1/audit/export'],
  ['GET', '/v1/approvals'],
  ['GET', '/v1/approvals/01ARZ3NDEKTSV4RRFFQ69G5FAV'],
  ['POST', '/v1/approvals/01ARZ3NDEKTSV4RRFFQ69G5FAV'],
] as const

/** A stream that begins here reads what its reader has missed. */
const LIVE_ID = encodeLiveId({ key: 0, ended: 1 })

describe.runIf(postgres.available)('a PostgreSQL that is away', () => {
  let database: TestPostgres
  let gateway: TestGateway
  let address: URL
  const lines: string[] = []
  /** Lines about keys, of the whole time. */
  const keyLines: string[] = []
  const troubles = () => lines.filter(line => /"level":[456]0/.test(line))
  beforeAll(async () => {
    database = await startPostgres()
    const SIGNALBOX_JOURNAL = await database.createDatabase()
    address = new URL(SIGNALBOX_JOURNAL)
    gateway = await startTestGateway({
      settings: { keys: [{ name: 'op', operator: true, secret: SECRET }] },
      env: { SIGNALBOX_JOURNAL },
      onLog: line => {
        lines.push(JSON.stringify(line))
        if (/Idempotency-Keys/.test(String(line.msg))) keyLines.push(String(line.msg))
      },
    })
    await gateway.call('repo.view', REPOSITORY, { headers })
    await database.stop()
    await gateway.call('repo.view', REPOSITORY, { headers })
    await until(readiness, status => status === 'degraded')
    lines.length = 0
  })
  afterAll(async () => {
    await gateway[Symbol.asyncDispose]()
    await database.remove()
  })

  async function ask(method: string, path: string) {
    const response = await fetch(`${gateway.url}${path}`, {
      method,
      headers: { ...headers, 'content-type': 'application/json', 'last-event-id': LIVE_ID },
      ...(method === 'POST' ? { body: JSON.stringify({ decision: 'approve' }) } : {}),
    })
    return { response, text: await response.text() }
  }

  async function readiness(): Promise<string> {
    return (await gateway.get('/readyz')).body.data.status
  }

  test.each(ENDPOINTS)('makes %s %s answer 503, which may be sent again', async (method, path) => {
    lines.length = 0
    const { response, text } = await ask(method, path)
    expect(JSON.parse(text).error).toMatchObject({
      code: 'SERVER',
      retryable: true,
      retry_after_ms: expect.any(Number),
      source: 'gateway',
    })
    expect(response.status).toBe(503)
    expect(response.headers.get('retry-after')).toMatch(/^\d+$/)
    expect(text).not.toContain(address.port)
    expect(lines.filter(line => /stack|handler failed/.test(line))).toEqual([])
  })

  test('is one line in the log, however many calls meet it', async () => {
    for (let n = 0; n < 3; n++) {
      for (const [method, path] of ENDPOINTS) await ask(method, path)
      await gateway.call('repo.view', REPOSITORY, { headers })
    }
    expect(troubles().filter(line => !line.includes('Idempotency-Keys'))).toEqual([])
  })

  test('is one line in the log for all calls with an Idempotency-Key', async () => {
    lines.length = 0
    for (let n = 0; n < 3; n++) {
      const input = { ...REPOSITORY, title: 'While the database is away' }
      const own = { ...headers, 'idempotency-key': `away-${n}` }
      const { body } = await gateway.call('issue.create', input, { headers: own })
      expect(body.error).toMatchObject({
        code: 'SERVER',
        write_outcome: 'not_applied',
        hint_id: 'hint_server_002',
        details: { refused: 'keys' },
      })
    }
    expect(troubles().filter(line => !line.includes('Idempotency-Keys'))).toEqual([])
    expect(keyLines).toEqual([
      'the store of Idempotency-Keys is away; calls with a key are refused',
    ])
  })

  test('leaves /readyz, /livez and /metrics answered, and tells strangers no address', async () => {
    const stranger = await fetch(`${gateway.url}/readyz`)
    expect(stranger.status).toBe(200)
    const text = await stranger.text()
    expect(JSON.parse(text).data).toMatchObject({ status: 'degraded', journal: { ok: false } })
    for (const part of [address.host, address.port, address.pathname.slice(1), 'ECONN', 'postgres'])
      expect(text).not.toContain(part)
    const { text: known } = await ask('GET', '/readyz')
    expect(known).toContain('ECONNREFUSED')
    expect((await ask('GET', '/livez')).response.status).toBe(200)
    const { response, text: metrics } = await ask('GET', '/metrics')
    expect(response.status).toBe(200)
    expect(metrics).toContain('signalbox_journal_healthy 0')
    expect(metrics).not.toMatch(/^signalbox_approvals_waiting \d/m)
  })

  test('is trouble for the Idempotency-Keys too, also without calls that have one, until it is back', async () => {
    const keys = async () => {
      const { data } = JSON.parse((await ask('GET', '/readyz')).text)
      return data.keys.ok
    }
    await expect.poll(keys).toBe(false)
    vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + 60_000 })
    expect(await keys()).toBe(false)
    vi.useRealTimers()
  })

  test('is reported once for each outage by the journal and its heartbeat', async () => {
    await database.start()
    const errors: unknown[] = []
    const onError = (error: unknown) => errors.push(error)
    const url = await database.createDatabase()
    const journal = await openPostgresJournal({ url, onError, beatEveryMs: 30 })
    try {
      for (const outage of [1, 2]) {
        await database.stop()
        for (let n = 0; n < 3; n++) await journal.append(recordOf({ request_id: `${outage} ${n}` }))
        await until(
          () => journal.health(),
          ({ ok }) => !ok,
        )
        expect(errors).toHaveLength(outage)
        await database.start()
        await until(
          () => journal.health(),
          ({ ok, waiting }) => ok && waiting === 0,
        )
      }
    } finally {
      await journal.close()
    }
  })

  test('is forgotten when it is back', async () => {
    await expect.poll(readiness, { timeout: 20_000 }).toBe('ready')
    for (const [method, path] of ENDPOINTS.filter(
      ([verb, url]) => verb === 'GET' && !/01A|stream/.test(url),
    )) {
      const { response } = await ask(method, path)
      expect(response.status).toBe(200)
    }
    const own = { ...headers, 'idempotency-key': 'back' }
    const input = { ...REPOSITORY, title: 'With the database' }
    expect((await gateway.call('issue.create', input, { headers: own })).status).toBe(200)
    expect(keyLines.at(-1)).toBe('the store of Idempotency-Keys can be used again')
    expect(lines.join()).toContain('the journal can be written again')
  })
})
