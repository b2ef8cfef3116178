import Fastify from 'fastify'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { attemptRoutes } from '../../routes/attempts.ts'
import { requestRoutes } from '../../routes/requests.ts'
import { failures } from '../../routes/support/failures.ts'
import { requestContext } from '../../routes/support/request-context.ts'
import { createKeyRing } from '../../src/access/key-ring.ts'
import { openKeys } from '../../src/access/open-keys.ts'
import { createOrigins } from '../../src/access/origins.ts'
import { createCatalog } from '../../src/cards/catalog.ts'
import { createHints } from '../../src/hints/registry.ts'
import { openSqliteJournal } from '../../src/journal/sqlite.ts'
import { authorize, KEYS } from './callers.ts'
import { FAILED, recordOf } from './records.ts'

/** The parts of an envelope that these tests read. */
interface Body {
  readonly data: {
    readonly items: readonly { readonly request_id: string }[]
    readonly pageInfo: { readonly endCursor: string; readonly startCursor: string }
  }
  readonly error: { readonly code: string; readonly details: { readonly fields: unknown } }
}

let get: (path: string, caller?: string) => Promise<{ status: number; body: Body }>
let close: () => Promise<void>

beforeAll(async () => {
  const journal = openSqliteJournal({ file: ':memory:', onError: () => {} })
  await journal.append(recordOf({ request_id: 'a1', time: 1000, caller: 'alice' }))
  await journal.append(
    recordOf({ request_id: 'a2', time: 2000, caller: 'alice', attempts: [FAILED], error: {} }),
  )
  await journal.append(recordOf({ request_id: 'b1', time: 3000, caller: 'bob' }))
  const app = Fastify({
    ajv: { customOptions: { coerceTypes: false, removeAdditional: false, allErrors: true } },
  })
  const origins = createOrigins({ allowed_origins: [], public_url: '' })
  await app.register(requestContext, { keys: createKeyRing(openKeys(KEYS)), origins })
  const knowledge = { catalog: { get: () => undefined }, hints: createHints() }
  await app.register(failures, { knowledge })
  const replay = async () => ({ same: true, capability_id: '', differences: [] })
  const traceUrl = 'https://traces.example.com/{trace_id}'
  await app.register(
    requestRoutes({ journal, catalog: createCatalog(new Map()), traceUrl, replay }),
  )
  await app.register(attemptRoutes({ journal }))
  close = async () => {
    await app.close()
    await journal.close()
  }
  get = async (url, caller = 'root') => {
    const response = await app.inject({ url, headers: authorize(caller) })
    return { status: response.statusCode, body: response.json() }
  }
})

afterAll(() => close())

const idsOf = ({ data }: Body) => data.items.map(row => row.request_id).join(' ')

describe.each(['/v1/requests', '/v1/attempts'])('GET %s', path => {
  test('answers an envelope around a page', async () => {
    const { status, body } = await get(`${path}?limit=2`)

    expect(status).toBe(200)
    expect(Object.keys(body)).toEqual(['ok', 'data', 'error', 'meta'])
    expect(idsOf(body)).toBe('b1 a2')
    expect(body.data.pageInfo).toEqual({
      hasNextPage: true,
      hasPreviousPage: false,
      startCursor: expect.any(String),
      endCursor: expect.any(String),
    })
  })

  test('continues after a cursor', async () => {
    const { body } = await get(`${path}?limit=2`)
    const next = await get(`${path}?limit=2&after=${body.data.pageInfo.endCursor}`)
    expect(idsOf(next.body)).toBe('a1')
  })

  test('goes back before a cursor', async () => {
    const oldest = await get(`${path}?limit=1&until=2000`)
    const { startCursor } = oldest.body.data.pageInfo

    const newer = await get(`${path}?limit=1&before=${startCursor}`)
    expect(idsOf(newer.body)).toBe('a2')
    expect(newer.body.data.pageInfo).toMatchObject({ hasNextPage: true, hasPreviousPage: true })

    const newest = await get(`${path}?limit=2&before=${newer.body.data.pageInfo.startCursor}`)
    expect(idsOf(newest.body)).toBe('b1')
    expect(newest.body.data.pageInfo).toMatchObject({ hasPreviousPage: false })
  })

  test.each([
    ['capability=repo.view&caller=alice', 'a2 a1'],
    ['ok=true', 'b1 a1'],
    ['ok=false&code=SERVER', 'a2'],
    ['route=graphql', ''],
    ['capability=repo.*&status=error&upstream_status=5xx', 'a2'],
    ['min_duration_ms=12&upstream=github&status=success', 'b1 a1'],
    ['reason=RECOVERED', ''],
    ['since=1970-01-01T00:00:02Z', 'b1 a2'],
    ['since=1970-01-01T01:00:02.000%2B01:00&until=3000', 'a2'],
    ['until=1970-01-01', ''],
    ['http_status=5xx&write_outcome=unknown', ''],
    ['http_status=502&retried=false&fell_back=false', 'a2'],
    ['q=a2', 'a2'],
    ['q=REPO', 'b1 a2 a1'],
    ['request_id=a1', 'a1'],
    ['outcome=failed&capability=repo.*', 'a2'],
    ['batch_id=none', ''],
    ['correlation_id=none', ''],
  ])('filters by %s', async (query, expected) => {
    expect(idsOf((await get(`${path}?${query}`)).body)).toBe(expected)
  })

  test.each([
    ['since=yesterday', 'since'],
    ['until=2026-13-01T00:00:00Z', 'until'],
    ['ok=yes', 'ok'],
    ['ok=true&ok=false', 'ok'],
    ['limit=0', 'limit'],
    ['limit=201', 'limit'],
    ['limit=1e2', 'limit'],
    ['code=server', 'code'],
    ['route=soap', 'route'],
    ['caller=', 'caller'],
    ['after=nonsense', 'after'],
    ['before=nonsense', 'before'],
    ['after=cjE&before=cjE', 'before'],
    ['colour=red', 'colour'],
    ['status=failed', 'status'],
    ['reason=because', 'reason'],
    ['upstream_status=0', 'upstream_status'],
    ['upstream_status=6xx', 'upstream_status'],
    ['min_duration_ms=-1', 'min_duration_ms'],
  ])('refuses %s and names it', async (query, field) => {
    const { status, body } = await get(`${path}?${query}`)

    expect(status).toBe(400)
    expect(body.error).toMatchObject({ code: 'VALIDATION', source: 'caller' })
    expect(JSON.stringify(body.error.details.fields)).toContain(field)
  })

  test('shows a caller only its own requests', async () => {
    expect(idsOf((await get(path, 'alice')).body)).toBe('a2 a1')
    expect(idsOf((await get(`${path}?caller=alice`, 'alice')).body)).toBe('a2 a1')
    expect(idsOf((await get(`${path}?caller=bob`, 'alice')).body)).toBe('')
    expect(idsOf((await get(`${path}?q=repo`, 'alice')).body)).toBe('a2 a1')
    expect(idsOf((await get(`${path}?request_id=b1`, 'alice')).body)).toBe('')
  })
})

test.each(['tried=rest', 'failed_on=rest', 'skipped_on=rest'])(
  'the filter %s of requests is none of attempts, which route and status find',
  async query => {
    expect((await get(`/v1/requests?${query}`)).status).toBe(200)
    expect((await get(`/v1/attempts?${query}`)).status).toBe(400)
  },
)

test.each([
  ['requests', 'batch', 'Did you mean batch_id?'],
  ['requests', 'reasons', 'Did you mean reason?'],
  ['requests', 'capabilty', 'Did you mean capability?'],
  ['attempts', 'colour', /This endpoint has: capability, .*, until, .*, limit, after, before\./],
])('of an unknown filter of %s, %s, it says what was meant', async (list, name, advice) => {
  const { body } = await get(`/v1/${list}?${name}=x`)
  expect(body.error).toMatchObject({
    message: expect.stringMatching(advice),
    details: { fields: [{ path: name, message: expect.stringMatching(advice) }] },
  })
})

describe('GET /v1/requests/{request_id}', () => {
  test('shows the plan, the attempts and the error', async () => {
    const { status, body } = await get('/v1/requests/a2', 'alice')

    expect(status).toBe(200)
    expect(body.data).toMatchObject({
      request_id: 'a2',
      ok: false,
      code: 'SERVER',
      error: { code: 'SERVER', details: {} },
      meta: { attempts: [FAILED] },
      input: null,
      data: null,
    })
  })

  test('does not find a request of another caller, as if it did not exist', async () => {
    const foreign = await get('/v1/requests/b1', 'alice')
    const never = await get('/v1/requests/nothing', 'alice')

    expect(foreign.status).toBe(404)
    expect(foreign.body.error).toEqual(never.body.error)
    expect(foreign.body.error.code).toBe('NOT_FOUND')
  })

  test('shows an operator the request of any caller', async () => {
    expect((await get('/v1/requests/b1', 'root')).status).toBe(200)
  })
})
