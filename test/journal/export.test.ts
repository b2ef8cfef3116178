import Fastify, { type FastifyInstance } from 'fastify'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { attemptRoutes } from '../../routes/attempts.ts'
import { requestRoutes } from '../../routes/requests.ts'
import { failures } from '../../routes/support/failures.ts'
import { requestContext } from '../../routes/support/request-context.ts'
import { createKeyRing } from '../../src/access/key-ring.ts'
import { openKeys } from '../../src/access/open-keys.ts'
import { createOrigins } from '../../src/access/origins.ts'
import { createCatalog } from '../../src/cards/catalog.ts'
import { createHints } from '../../src/hints/registry.ts'
import type { Journal } from '../../src/journal/journal.ts'
import { openSqliteJournal } from '../../src/journal/sqlite.ts'
import { parseCsv } from '../../src/lib/csv.ts'
import { authorize, KEYS } from './callers.ts'
import { FAILED, recordOf, SUCCESS } from './records.ts'

/** More than two pages of the export. */
const COUNT = 1203
const FORMULA = '=HYPERLINK("http://evil.example","a, b")'

let journal: Journal
let app: FastifyInstance
beforeAll(async () => {
  journal = openSqliteJournal({ file: ':memory:', onError: () => {} })
  const records = Array.from({ length: COUNT }, (_, n) =>
    recordOf({ request_id: `r${n}`, time: n + 1, caller: n % 3 === 0 ? 'bob' : 'alice' }),
  )
  await Promise.all(records.map(record => journal.append(record)))
  const odd = { time: 9000, caller: 'alice', attempts: [FAILED, SUCCESS] }
  await journal.append(recordOf({ ...odd, request_id: 'odd', correlationId: FORMULA }))
  app = Fastify()
  const origins = createOrigins({ allowed_origins: [], public_url: '' })
  await app.register(requestContext, { keys: createKeyRing(openKeys(KEYS)), origins })
  const knowledge = { catalog: { get: () => undefined }, hints: createHints() }
  await app.register(failures, { knowledge })
  const replay = async () => ({ same: true, capability_id: '', differences: [] })
  const catalog = createCatalog(new Map())
  await app.register(requestRoutes({ journal, catalog, traceUrl: '', replay }))
  await app.register(attemptRoutes({ journal }))
})
afterAll(async () => {
  await app.close()
  await journal.close()
})

async function read(path: string, caller = 'root') {
  const { body, headers } = await app.inject({ url: path, headers: authorize(caller) })
  return { body, headers }
}

async function idsOf(path: string, caller?: string): Promise<string[]> {
  const { body } = await read(path, caller)
  return body.split('\n').flatMap(line => (line === '' ? [] : [JSON.parse(line).request_id]))
}

test('an export has every row of the list once, the newest first', async () => {
  const all = Array.from({ length: COUNT }, (_, n) => `r${n}`)
  expect(await idsOf('/v1/requests/export')).toEqual(['odd', ...all.toReversed()])
  expect(await idsOf('/v1/attempts/export')).toEqual(['odd', 'odd', ...all.toReversed()])
})

test('an export has the rows that the filters and the key allow', async () => {
  expect(await idsOf('/v1/requests/export?retried=false&min_duration_ms=1&since=1203')).toEqual([
    'odd',
    'r1202',
  ])
  expect(await idsOf('/v1/attempts/export?status=error')).toEqual(['odd'])
  expect(await idsOf('/v1/requests/export?until=5', 'bob')).toEqual(['r3', 'r0'])
  expect(await idsOf('/v1/requests/export?caller=alice', 'bob')).toEqual([])
  expect(await idsOf('/v1/requests/export?format=jsonl&q=r7')).toEqual(['r7'])
})

test('a row of JSON lines is the row of the list', async () => {
  const { body, headers } = await read('/v1/requests/export?since=9000')
  const [row] = (await journal.requests({ since: 9000 }, { limit: 1 })).items
  expect(JSON.parse(body)).toEqual(row)
  expect(headers['content-type']).toBe('application/x-ndjson; charset=utf-8')
})

test('a cell of CSV is no formula', async () => {
  const { body, headers } = await read('/v1/requests/export?format=csv&since=9000')
  const [row] = parseCsv(body, {}) as Record<string, string>[]
  expect(row).toMatchObject({
    request_id: 'odd',
    correlation_id: `'${FORMULA}`,
    trace_id: '',
    ok: 'true',
    duration_ms: '13.1',
  })
  expect(JSON.parse(row?.trail ?? '')).toMatchObject([{ status: 'error' }, { status: 'success' }])
  expect(headers['content-type']).toBe('text/csv; charset=utf-8; header=present')
})

test('an export of no rows has the names of the columns', async () => {
  const { body } = await read('/v1/attempts/export?format=csv&caller=alice', 'bob')
  expect(body).toMatch(/^request_id,index,time,.*,purpose\r\n$/)
})
